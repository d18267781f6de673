package io.github.reconciler4j.workqueue;

import io.github.reconciler4j.support.TimeSource;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The lock of a queue, what it guards, and those who wait for it. Safe for use by many threads.
 *
 * <p>{@code lock} guards {@code state}, {@code takers}, {@code finished} and the writing of {@code closed} and
 * {@code jumps}. Called under it: {@code equals} of keys, {@code equals} and {@code hashCode} of groups, nothing else
 * that is foreign. Hence the time is read before the lock is taken; it may be a little older than that of a thread that
 * got the lock earlier, so nothing here counts on times that only grow.
 */
final class QueueCore<T> {

    private final WorkQueueMetrics metrics;
    private final TimeSource time;
    private final QueueState<T> state;
    private final ReentrantLock lock = new ReentrantLock();
    private final TakerGate takers = new TakerGate(lock.newCondition());

    /** Signalled, in a closed queue in which nothing is ready, whenever that may have been the last running one. */
    private final Condition finished = lock.newCondition();

    private volatile boolean closed;

    /** Counts the jumps of the time: whoever read the time before a jump must read it again before waiting. */
    private volatile int jumps;

    QueueCore(WorkQueueMetrics metrics, TimeSource time, QueueState<T> state) {
        this.metrics = metrics;
        this.time = time;
        this.state = state;
    }

    /** A look at the state. */
    @FunctionalInterface
    interface Look<T, R> {
        R at(QueueState<T> state, long now);
    }

    boolean isClosed() {
        return closed;
    }

    /** Adds a key; returns whether the queue is open. */
    boolean put(T item, int hash, @Nullable Object group, long delay, int priority, boolean backoff) {
        long now = time.nanoTime();
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            state.promote(now);
            Entry<T> entry = state.entry(item, hash, group);
            if (delay == 0) {
                state.makeReady(entry, priority, now);
            } else if (state.delay(entry, priority, now + delay, backoff, now)
                    && state.delays().first() == entry) {
                takers.depose();
            }
            return true;
        } finally {
            unlockAndReport();
        }
    }

    /** Waits for an entry and hands it out; null if there will be none. */
    @Nullable
    Entry<T> take() throws InterruptedException {
        while (true) {
            int jumpsBefore = jumps;
            long now = time.nanoTime();
            Entry<T> entry;
            boolean ended;
            lock.lockInterruptibly();
            try {
                state.promote(now);
                entry = state.poll(now);
                ended = entry == null && hasEndedLocked();
                if (entry == null && !ended && jumps == jumpsBefore) {
                    Entry<T> first = state.delays().first();
                    takers.await(first == null ? TakerGate.NEVER : first.time - now);
                }
            } finally {
                unlockAndReport();
            }
            if (entry != null || ended) {
                return entry;
            }
        }
    }

    /** Hands out an entry; null if there is none now. */
    @Nullable
    Entry<T> poll() {
        long now = time.nanoTime();
        lock.lock();
        try {
            state.promote(now);
            return state.poll(now);
        } finally {
            unlockAndReport();
        }
    }

    /** Ends the processing of a key; returns how long it took, or -1 if it was not being processed. */
    long done(T item, int hash) {
        long now = time.nanoTime();
        lock.lock();
        try {
            return state.done(item, hash, now);
        } finally {
            unlockAndReport();
        }
    }

    /** Takes no more keys, and drops those that wait; with drain only those that are not due. */
    void close(boolean drain) {
        long now = time.nanoTime();
        lock.lock();
        try {
            if (drain) {
                state.promote(now);
                state.dropDelayed();
            } else {
                state.dropWaiting();
            }
            closed = true;
        } finally {
            unlockAndReport();
        }
    }

    /** Waits until the closed queue is empty; returns whether that happened within so many nanoseconds. */
    boolean awaitFinished(long length) throws InterruptedException {
        long begin = time.nanoTime();
        while (true) {
            int jumpsBefore = jumps;
            long left = length - (time.nanoTime() - begin);
            lock.lockInterruptibly();
            try {
                if (state.size() == 0 || left <= 0) {
                    return state.size() == 0;
                }
                if (jumps == jumpsBefore) {
                    finished.awaitNanos(left);
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /** Looks at the state under the lock, after what is due was made ready. */
    <R> R look(Look<T, R> look) {
        long now = time.nanoTime();
        lock.lock();
        try {
            state.promote(now);
            return look.at(state, now);
        } finally {
            unlockAndReport();
        }
    }

    /** The time has jumped: everybody who waits for a point in time looks again. */
    void timeJumped() {
        lock.lock();
        try {
            jumps = jumps + 1;
            takers.wakeAll();
            finished.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Whether no key will ever be handed out again. */
    private boolean hasEndedLocked() {
        return closed && state.lanes().depth() == 0;
    }

    /** Leaves the lock, having passed on what there is to do, and tells the metrics what happened under it. */
    private void unlockAndReport() {
        if (state.hasNext() || takers.lacksLeader() && !state.delays().isEmpty()) {
            takers.wakeOne();
        } else if (hasEndedLocked()) {
            takers.wakeAll();
            finished.signalAll();
        }
        int added = state.takeBecameReady();
        List<String> labels = state.takeFreshLabels();
        lock.unlock();
        if (labels != null) {
            labels.forEach(label -> metrics.depth(label, () -> look((it, now) -> it.depth(label))));
        }
        if (added > 0) {
            metrics.added(added);
        }
    }
}
