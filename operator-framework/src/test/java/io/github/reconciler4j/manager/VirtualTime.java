package io.github.reconciler4j.manager;

import io.github.reconciler4j.manager.internal.lifecycle.Lifecycle;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Time that jumps to the next moment that a thread waits for, as soon as no thread has anything left to do before. So it does
 * not matter how little processor time the threads of a test get: no time passes while one of them still could run.
 *
 * <p>All waits are those of {@code java.util.concurrent}. A thread in {@link Object#wait} that was interrupted is in state
 * WAITING for a moment after its interrupt flag was cleared, so it looks as if it had nothing to do, and time jumped although
 * the thread was about to end. A parked thread is RUNNABLE before anything clears its flag.
 */
final class VirtualTime implements TimeSource, AutoCloseable {

    private static final long NEVER = Long.MAX_VALUE;

    private final AtomicLong nanos = new AtomicLong();
    private final Map<Thread, Waiting> waiting = new ConcurrentHashMap<>();
    private final ReentrantLock sleepLock = new ReentrantLock();
    private final Condition advanced = sleepLock.newCondition();
    private final String threads;
    private final Thread starter = Thread.currentThread();
    private final Thread driver = new Thread(this::drive, "time");
    private volatile Lifecycle lifecycle;
    private volatile boolean closed;

    /** Until when a thread waits, and on which condition. */
    private record Waiting(long deadline, Condition condition) {}

    /**
     * Creates it.
     *
     * @param threads the start of the names of all threads that may have something to do, besides the calling one
     */
    VirtualTime(String threads) {
        this.threads = threads;
    }

    /** Lets time pass from now on. */
    void start(Lifecycle newLifecycle) {
        lifecycle = newLifecycle;
        driver.start();
    }

    @Override
    public long nanoTime() {
        return nanos.get();
    }

    @Override
    public Instant instant() {
        return Instant.EPOCH.plusNanos(nanos.get());
    }

    @Override
    public void await(Condition condition, long duration) throws InterruptedException {
        long deadline = duration > NEVER - nanos.get() ? NEVER : nanos.get() + duration;
        waiting.put(Thread.currentThread(), new Waiting(deadline, condition));
        try {
            condition.await();
        } finally {
            waiting.remove(Thread.currentThread());
        }
    }

    void sleep(Duration duration) throws InterruptedException {
        sleep(duration.toNanos());
    }

    @Override
    public void sleep(long duration) throws InterruptedException {
        long end = nanos.get() + duration;
        sleepLock.lockInterruptibly();
        try {
            while (nanos.get() < end) {
                await(advanced, end - nanos.get());
            }
        } finally {
            sleepLock.unlock();
        }
    }

    private void drive() {
        while (!closed) {
            List<ReentrantLock> locks = new ArrayList<>(lifecycle.locks());
            locks.add(sleepLock);
            locks.forEach(ReentrantLock::lock);
            try {
                // A component may have been added before the locks were held.
                if (lifecycle.locks().size() + 1 == locks.size()) {
                    advanceIfNobodyRuns(locks);
                }
            } finally {
                locks.forEach(ReentrantLock::unlock);
            }
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(50));
        }
    }

    /** With all locks held no thread can give another one something to do: threads are started and signalled under them. */
    private void advanceIfNobodyRuns(List<ReentrantLock> locks) {
        if (mayAnyRun(locks)) {
            return;
        }
        OptionalLong next =
                waiting.values().stream().mapToLong(Waiting::deadline).min();
        if (next.isPresent() && next.getAsLong() > nanos.get() && next.getAsLong() != NEVER) {
            nanos.set(next.getAsLong());
            waiting.values().forEach(due -> due.condition().signalAll());
        }
    }

    private boolean mayAnyRun(List<ReentrantLock> locks) {
        Thread[] all = new Thread[Thread.activeCount() + 100];
        int count = Thread.enumerate(all);
        return isBusy(starter)
                || Arrays.stream(all, 0, count)
                        .anyMatch(thread -> thread.getName().startsWith(threads) && isBusy(thread))
                || locks.stream().anyMatch(ReentrantLock::hasQueuedThreads);
    }

    /**
     * Whether a thread runs, or has a reason to and no processor yet. What can become false is read before what the thread
     * does then: a thread that has cleared its flag is RUNNABLE, or queued for a lock that is held here.
     */
    private boolean isBusy(Thread thread) {
        Waiting its = waiting.get(thread);
        boolean due = thread.isInterrupted() || (its != null && its.deadline() <= nanos.get());
        Thread.State state = thread.getState();
        boolean waits = state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
        return state != Thread.State.TERMINATED && (!waits || due);
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
