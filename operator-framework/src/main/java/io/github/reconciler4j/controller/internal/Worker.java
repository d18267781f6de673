package io.github.reconciler4j.controller.internal;

import io.github.reconciler4j.workqueue.WorkItem;
import io.github.reconciler4j.workqueue.WorkQueue;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One worker: takes requests from the queue and has them processed, one after the other, until the queue ends or the
 * worker is retired. Whatever happens in a run, the request is given back to the queue.
 *
 * <p>Interrupts have three senders: the watchdog (the run is over its time), the pool (no worker is needed any more) and
 * stop. Each is sent under {@link #lock} and only while it means this run, so that an interrupt for one run never hits
 * the next; the one of stop lasts.
 *
 * @param <R> what a request is
 */
final class Worker<R> implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(Worker.class);

    private final WorkQueue<R> queue;
    private final RequestProcessor<R> processor;
    private final ReentrantLock lock = new ReentrantLock();

    /** Set once, before the worker runs. */
    private @Nullable Thread thread;

    /** What is being worked on, null between runs. Guarded by {@link #lock}. */
    private @Nullable ActiveRun run;

    /** Whether the worker ends after its current run. Written under {@link #lock}. */
    private volatile boolean retired;

    /** Whether the worker was interrupted because the controller stops. Written under {@link #lock}. */
    private volatile boolean stopped;

    Worker(WorkQueue<R> queue, RequestProcessor<R> processor) {
        this.queue = queue;
        this.processor = processor;
    }

    void runOn(Thread ownThread) {
        this.thread = ownThread;
        ownThread.start();
    }

    boolean isAlive() {
        return thread != null && thread.isAlive();
    }

    /** Waits until the thread has ended; returns whether it has. */
    boolean join(long nanos) throws InterruptedException {
        if (thread != null && nanos > 0) {
            thread.join(nanos / 1_000_000, (int) (nanos % 1_000_000));
        }
        return !isAlive();
    }

    @Nullable
    Thread thread() {
        return thread;
    }

    @Override
    public void run() {
        for (WorkItem<R> item = next(); item != null; item = next()) {
            R request = item.item();
            try {
                processor.process(item, this);
            } catch (Throwable e) {
                retryAfterOwnFailure(request, item.priority(), e);
            } finally {
                queue.done(request);
            }
        }
    }

    private @Nullable WorkItem<R> next() {
        while (!retired && !stopped) {
            try {
                return queue.take();
            } catch (InterruptedException e) {
                if (!retired && !stopped) {
                    LOG.warn("{} was interrupted from outside while it waited for work, and goes on", name());
                }
            }
        }
        return null;
    }

    /** The processor handles what reconcilers throw; this is for failures of its own, such as memory running out. */
    private void retryAfterOwnFailure(R request, int priority, Throwable failure) {
        try {
            queue.addRateLimited(request, priority, failure);
            LOG.error("{} could not finish a run of {}; it is tried again", name(), request, failure);
        } catch (Throwable e) {
            // The request is given back by the caller; there is no memory or stack left to say more.
            queue.add(request, priority);
        }
    }

    String name() {
        Thread named = thread;
        return named == null ? "worker" : named.getName();
    }

    /** A run begins on the calling thread. */
    void begin(ActiveRun begun) {
        lock.lock();
        try {
            if (retired && !stopped) {
                Thread.interrupted(); // was meant for the wait in take()
            }
            run = begun;
        } finally {
            lock.unlock();
        }
    }

    /**
     * The current run has ended; called on the worker's thread.
     *
     * @return whether the watchdog interrupted it
     */
    boolean end() {
        lock.lock();
        try {
            ActiveRun ended = run;
            run = null;
            boolean timedOut = ended != null && ended.isTimedOut();
            boolean interrupted = Thread.interrupted();
            if (stopped) {
                Thread.currentThread().interrupt();
            } else if (interrupted && !timedOut) {
                LOG.warn("{} found its interrupt flag set after a run; user code or a library left it", name());
            }
            return timedOut;
        } finally {
            lock.unlock();
        }
    }

    /** The current run, if there is one. */
    Optional<ActiveRun> current() {
        lock.lock();
        try {
            return Optional.ofNullable(run);
        } finally {
            lock.unlock();
        }
    }

    boolean isBusy() {
        return current().isPresent();
    }

    /** Whether stop has interrupted this worker. */
    boolean isStopped() {
        return stopped;
    }

    /** Interrupts the run if it is still the current one, and marks it as timed out. */
    void timeOut(ActiveRun overdue) {
        lock.lock();
        try {
            if (run == overdue && thread != null) {
                overdue.markTimedOut();
                thread.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Lets the worker end after its current run, or now if it waits for work. */
    void retire() {
        lock.lock();
        try {
            retired = true;
            if (run == null && thread != null) {
                thread.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Interrupts the worker for good, whatever it does. */
    void interruptForStop() {
        lock.lock();
        try {
            stopped = true;
            if (thread != null) {
                thread.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }
}
