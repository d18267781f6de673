package io.github.reconciler4j.controller.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.Texts;
import io.github.reconciler4j.support.Threads;
import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.workqueue.RequestGate;
import io.github.reconciler4j.workqueue.WorkItem;
import io.github.reconciler4j.workqueue.WorkQueue;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One worker: dequeues requests and has them processed, one after the other, until the queue ends or the worker is retired.
 * A request is always returned to the queue, and the worker continues after any failure.
 *
 * <p>Interrupts have four senders: the watchdog (the reconciliation is over its time), the pool (the worker is not needed
 * any more), the gate (another replica gets the request) and stop. Each is sent under {@link #lock} and only while it concerns the
 * current reconciliation, so that an interrupt for one never hits the next; that of stop is permanent.
 *
 * @param <R> the type of requests
 */
final class Worker<R> implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(Worker.class);
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);
    private static final Duration PAUSE_WITHOUT_LEASE = Duration.ofSeconds(1);

    private final WorkQueue<R> queue;
    private final RequestProcessor<R> processor;

    /** Null if the controller is not divided. */
    private final @Nullable RequestGate<R> gate;

    private final LogLimiter failures = new LogLimiter();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ended = lock.newCondition();

    /** Set once, before the worker runs. */
    private volatile @Nullable Thread thread;

    /** The current reconciliation, null between two. */
    @GuardedBy("lock")
    private @Nullable ActiveRun run;

    /** Whether the worker ends after its current reconciliation. Written under {@link #lock}. */
    private volatile boolean retired;

    /** Whether stop has interrupted the worker. Written under {@link #lock}. */
    private volatile boolean stopped;

    /** What the current reconciliation of a divided controller runs with. Written by the worker. */
    private volatile RequestGate.@Nullable Pass permit;

    Worker(WorkQueue<R> queue, RequestProcessor<R> processor, @Nullable RequestGate<R> gate) {
        this.queue = queue;
        this.processor = processor;
        this.gate = gate;
    }

    /** A reconciliation in progress. The watchdog sets the marks; {@code timedOut} under the lock of the worker. */
    static final class ActiveRun {

        private final Object item;
        private final Request request;
        private final String reconcileId;
        private final long startedAt;
        private volatile boolean timedOut;
        private volatile boolean stuck;

        ActiveRun(Object item, Request request, String reconcileId, long startedAt) {
            this.item = item;
            this.request = request;
            this.reconcileId = reconcileId;
            this.startedAt = startedAt;
        }

        /** Return the request as the queue has it; two can have the same text. */
        Object item() {
            return item;
        }

        Request request() {
            return request;
        }

        String reconcileId() {
            return reconcileId;
        }

        long ageNanos(long now) {
            return now - startedAt;
        }

        boolean isTimedOut() {
            return timedOut;
        }

        /** Return whether it was reported as stuck. */
        boolean isStuck() {
            return stuck;
        }

        void markStuck() {
            stuck = true;
        }
    }

    void runOn(Thread ownThread) {
        this.thread = ownThread;
        ownThread.start();
    }

    boolean isAlive() {
        Thread own = thread;
        return own != null && own.isAlive();
    }

    /** Wait until the thread has ended; return whether it has. */
    boolean join(long nanos) throws InterruptedException {
        Thread own = thread;
        if (own != null && nanos > 0) {
            Threads.joinInterruptibly(own, nanos);
        }
        return !isAlive();
    }

    @Nullable
    Thread thread() {
        return thread;
    }

    @Override
    public void run() {
        Threads.repeat(() -> !isEnding() && reconcileNext(), this::failed);
    }

    private boolean isEnding() {
        return retired || stopped;
    }

    /** Return false if the queue has ended. */
    private boolean reconcileNext() throws InterruptedException {
        WorkItem<R> item = queue.take();
        if (item == null) {
            return false;
        }
        RequestGate.Pass entered = null;
        try {
            if (gate == null) {
                processor.process(item, this);
            } else {
                entered = gate.enter(item.item(), item.priority(), this::interruptRevoked);
                processWith(entered, item);
            }
        } catch (Throwable e) {
            retryAfterOwnFailure(item, e);
        } finally {
            queue.done(item);
            if (gate != null && entered != null) {
                entered.exit();
            }
        }
        return true;
    }

    private void processWith(RequestGate.@Nullable Pass entered, WorkItem<R> item) {
        if (entered == null) {
            return;
        }
        permit = entered;
        try {
            if (entered.mayStart()) {
                entered.run(() -> processor.process(item, this));
            } else {
                queue.addAfter(item.item(), PAUSE_WITHOUT_LEASE, item.priority());
            }
        } finally {
            permit = null;
        }
    }

    /** The processor handles what reconcilers throw. This is for failures of its own, such as an exhausted memory. */
    private void retryAfterOwnFailure(WorkItem<R> item, Throwable failure) {
        boolean enqueued = false;
        try {
            queue.addRateLimited(item.item(), item.priority(), failure);
            enqueued = true;
            processor.recordFailure(failure);
            failures.log(
                    LogLimiter.cause(failure),
                    occurrence -> LOG.error(
                            "{} could not finish the reconciliation of {}; it is retried{}",
                            name(),
                            Texts.of(item.item()),
                            occurrence.suffix(failure),
                            occurrence.trace(failure)));
        } catch (Throwable e) {
            // The caller returns the request to the queue; there is no memory or stack left to say more, or the request
            // has no hash code.
            if (!enqueued) {
                queue.addAfter(item, PAUSE_AFTER_FAILURE, item.priority());
            }
        }
    }

    private void failed(Throwable failure) {
        if (!(failure instanceof InterruptedException)) {
            try {
                processor.recordFailure(failure);
                failures.log(
                        LogLimiter.cause(failure),
                        occurrence -> LOG.error(
                                "{} failed and continues{}",
                                name(),
                                occurrence.suffix(failure),
                                occurrence.trace(failure)));
            } finally {
                pause();
            }
        } else if (!isEnding()) {
            LOG.warn("{} was interrupted from outside while it waited for a request, and continues", name());
        }
    }

    /** The queue itself failed. A pause keeps the worker from spinning. */
    private void pause() {
        lock.lock();
        try {
            long left = PAUSE_AFTER_FAILURE.toNanos();
            while (left > 0 && !isEnding()) {
                left = TimeSource.system().awaitNanos(ended, left);
            }
        } catch (InterruptedException e) {
            LOG.debug("{} was interrupted in its pause", name());
        } finally {
            lock.unlock();
        }
    }

    String name() {
        Thread named = thread;
        return named == null ? "worker" : named.getName();
    }

    /** A reconciliation starts on the calling thread. */
    void start(ActiveRun started) {
        lock.lock();
        try {
            if (retired && !stopped) {
                Thread.interrupted(); // was sent for the wait in take()
            }
            run = started;
            if (isRevoked()) {
                interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * End the current reconciliation; called on the thread of the worker.
     *
     * @return whether the watchdog interrupted it
     */
    boolean end() {
        boolean timedOut;
        boolean leftInterrupt;
        lock.lock();
        try {
            ActiveRun last = run;
            run = null;
            timedOut = last != null && last.isTimedOut();
            leftInterrupt = Thread.interrupted() && !isStopped() && !timedOut;
            if (stopped) {
                Thread.currentThread().interrupt();
            }
        } finally {
            lock.unlock();
        }
        if (leftInterrupt) {
            processor.reportInterrupt(name());
        }
        return timedOut;
    }

    /** Return the current reconciliation. */
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

    /** Return whether stop, or the gate, has interrupted the current reconciliation. */
    boolean isStopped() {
        return stopped || isRevoked();
    }

    private boolean isRevoked() {
        RequestGate.Pass current = permit;
        return current != null && current.isRevoked();
    }

    /** Interrupt the reconciliation if its permit was revoked; one that is about to start interrupts itself. */
    private void interruptRevoked() {
        lock.lock();
        try {
            if (run != null && isRevoked()) {
                interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Interrupt a reconciliation if it is still the current one, and mark it as timed out. */
    void timeOut(ActiveRun overdue) {
        lock.lock();
        try {
            if (run == overdue) {
                overdue.timedOut = true;
                interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Let the worker end after its current reconciliation, or now if it waits. */
    void retire() {
        lock.lock();
        try {
            retired = true;
            ended.signalAll();
            if (run == null) {
                interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Interrupt the worker for good, busy or not. */
    void interruptForStop() {
        lock.lock();
        try {
            stopped = true;
            interrupt();
        } finally {
            lock.unlock();
        }
    }

    private void interrupt() {
        Thread own = thread;
        if (own != null) {
            own.interrupt();
        }
    }
}
