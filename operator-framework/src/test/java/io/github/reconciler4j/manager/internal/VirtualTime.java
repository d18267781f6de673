package io.github.reconciler4j.manager.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;

/**
 * Time that jumps to the next moment somebody waits for, once nobody has anything left to do before. So it does not
 * matter how little processor time the threads of a test get: no time passes while one of them still could run.
 */
final class VirtualTime implements TimeSource, AutoCloseable {

    private static final long NEVER = Long.MAX_VALUE;

    private final AtomicLong nanos = new AtomicLong();
    private final Map<Thread, Long> deadlines = new ConcurrentHashMap<>();
    private final Object advanced = new Object();
    private final String threads;
    private final Thread starter = Thread.currentThread();
    private final Thread driver = new Thread(this::drive, "time");
    private volatile RunnerContext context;
    private volatile boolean closed;

    /**
     * Creates it.
     *
     * @param threads the beginning of the names of all threads that may have something to do, besides the calling one
     */
    VirtualTime(String threads) {
        this.threads = threads;
    }

    /** Lets time pass from now on. */
    void start(RunnerContext lifecycle) {
        context = lifecycle;
        driver.start();
    }

    @Override
    public long nanoTime() {
        return nanos.get();
    }

    @Override
    public Instant now() {
        return Instant.EPOCH.plusNanos(nanos.get());
    }

    @Override
    public void await(Condition condition, long duration) throws InterruptedException {
        deadlines.put(Thread.currentThread(), duration > NEVER - nanos.get() ? NEVER : nanos.get() + duration);
        try {
            condition.await();
        } finally {
            deadlines.remove(Thread.currentThread());
        }
    }

    void sleep(Duration duration) throws InterruptedException {
        long end = nanos.get() + duration.toNanos();
        deadlines.put(Thread.currentThread(), end);
        try {
            synchronized (advanced) {
                while (nanos.get() < end) {
                    advanced.wait();
                }
            }
        } finally {
            deadlines.remove(Thread.currentThread());
        }
    }

    private void drive() {
        while (!closed) {
            context.lock().lock();
            try {
                advanceIfNobodyRuns();
            } finally {
                context.lock().unlock();
            }
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(50));
        }
    }

    /** With the lock held nobody can give anybody something to do: threads are started and signalled under it. */
    private void advanceIfNobodyRuns() {
        if (mayAnyRun()) {
            return;
        }
        OptionalLong next =
                deadlines.values().stream().mapToLong(Long::longValue).min();
        if (next.isPresent() && next.getAsLong() > nanos.get() && next.getAsLong() != NEVER) {
            nanos.set(next.getAsLong());
            context.changed().signalAll();
            synchronized (advanced) {
                advanced.notifyAll();
            }
        }
    }

    private boolean mayAnyRun() {
        Thread[] all = new Thread[Thread.activeCount() + 100];
        int count = Thread.enumerate(all);
        return isBusy(starter)
                || Arrays.stream(all, 0, count)
                        .anyMatch(thread -> thread.getName().startsWith(threads) && isBusy(thread))
                || context.lock().hasQueuedThreads();
    }

    /** Whether a thread runs, or has been given a reason to and was not yet given a processor. */
    private boolean isBusy(Thread thread) {
        Thread.State state = thread.getState();
        boolean waits = state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
        return state != Thread.State.TERMINATED
                && (!waits || thread.isInterrupted() || deadlines.getOrDefault(thread, NEVER) <= nanos.get());
    }

    @Override
    public void close() {
        closed = true;
        try {
            driver.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
