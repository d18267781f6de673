package io.github.reconciler4j.workqueue;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.support.TimeSource;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The lock of a queue, the state that it guards, and the threads that wait for it; see {@link WorkQueue} for the design.
 * Thread-safe.
 *
 * <p>Called under the lock: {@code equals} of keys, {@code equals} and {@code hashCode} of groups, no other foreign code.
 * Hence the time is read before the lock is taken; it can be a little older than that of a thread that got the lock
 * earlier, so the state does not rely on times that only grow.
 */
final class QueueCore<T> {

    /** Marks in a report that there are new labels of priorities; the lower bits count the keys that became ready. */
    private static final long FRESH_LABELS = 1L << 32;

    private final WorkQueueMetrics metrics;
    private final TimeSource time;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final QueueState<T> state;

    @GuardedBy("lock")
    private final Takers takers = new Takers(lock.newCondition());

    /** Signalled, in a closed queue without ready keys, whenever the last running key may have been done. */
    private final Condition finished = lock.newCondition();

    /** Written under the lock. */
    private volatile boolean closed;

    /**
     * Counts the jumps of the time: a thread that read the time before a jump must read it again before it waits. Written
     * under the lock.
     */
    private volatile int jumps;

    QueueCore(WorkQueueMetrics metrics, TimeSource time, QueueState<T> state) {
        this.metrics = metrics;
        this.time = time;
        this.state = state;
    }

    /** Reads or changes the state. */
    @FunctionalInterface
    interface Access<T, R> {
        R apply(QueueState<T> state, long now);
    }

    boolean isClosed() {
        return closed;
    }

    /** Add a key; return whether the queue is open. */
    boolean put(T item, int hash, @Nullable Object group, long delay, int priority, boolean backoff) {
        long now = time.nanoTime();
        long report = 0;
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
        } finally {
            report = tryPassOn();
            lock.unlock();
        }
        report(report);
        return true;
    }

    /** Wait for an entry and dequeue it; null if there will be none. */
    @Nullable
    Entry<T> take() throws InterruptedException {
        while (true) {
            int jumpsBefore = jumps;
            long now = time.nanoTime();
            long report = 0;
            Entry<T> entry;
            boolean ended;
            lock.lockInterruptibly();
            try {
                state.promote(now);
                entry = state.poll(now);
                ended = entry == null && hasEnded();
                if (entry == null && !ended && jumps == jumpsBefore) {
                    Entry<T> first = state.delays().first();
                    takers.await(first == null ? Takers.NEVER : first.time - now);
                }
            } finally {
                report = tryPassOn();
                lock.unlock();
            }
            report(report);
            if (entry != null || ended) {
                return entry;
            }
        }
    }

    /** Dequeue an entry; null if no entry is ready. */
    @Nullable
    Entry<T> poll() {
        long now = time.nanoTime();
        long report = 0;
        Entry<T> entry;
        lock.lock();
        try {
            state.promote(now);
            entry = state.poll(now);
        } finally {
            report = tryPassOn();
            lock.unlock();
        }
        report(report);
        return entry;
    }

    /** End the processing of a key; return how long it took, or -1 if it was not being processed. */
    long done(T item, int hash) {
        long now = time.nanoTime();
        long took;
        lock.lock();
        try {
            took = state.done(item, hash, now);
        } finally {
            tryPassOn(); // nothing to report: a key that was added meanwhile was counted then
            lock.unlock();
        }
        return took;
    }

    /** Accept no more keys, and drop those that wait; with drain only those that are not due. */
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
            tryPassOn();
            lock.unlock();
        }
    }

    /** Wait until the closed queue is empty; return whether it is within so many nanoseconds. */
    boolean awaitFinished(long length) throws InterruptedException {
        long start = time.nanoTime();
        while (true) {
            int jumpsBefore = jumps;
            long left = length - (time.nanoTime() - start);
            lock.lockInterruptibly();
            try {
                if (state.size() == 0 || left <= 0) {
                    return state.size() == 0;
                }
                if (jumps == jumpsBefore) {
                    TimeSource.system().await(finished, left);
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /** Access the state under the lock, after due keys were made ready. */
    <R> R access(Access<T, R> access) {
        long now = time.nanoTime();
        long report = 0;
        R result;
        lock.lock();
        try {
            state.promote(now);
            result = access.apply(state, now);
        } finally {
            report = tryPassOn();
            lock.unlock();
        }
        report(report);
        return result;
    }

    /** Wake all threads that wait for a time, because the time has jumped. */
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

    /** Return whether no key will ever be dequeued again. */
    @GuardedBy("lock")
    private boolean hasEnded() {
        return closed && state.lanes().depth() == 0;
    }

    /** Nothing that fails in {@link #passOn} may keep the lock, or lose the key that a taker has dequeued. */
    private long tryPassOn() {
        try {
            return passOn();
        } catch (Throwable e) {
            return 0; // the next change wakes a taker
        }
    }

    /**
     * Wake the next taker if there is work for it, before the lock is released.
     *
     * @return how many keys became ready, and whether there are new labels, for {@link #report}
     */
    @SuppressWarnings("GuardedBy") // called in finally blocks with the lock held, which the check does not follow
    private long passOn() {
        if (state.hasNext() || takers.lacksLeader() && !state.delays().isEmpty()) {
            takers.wakeOne();
        } else if (hasEnded()) {
            takers.wakeAll();
            finished.signalAll();
        }
        return state.takeBecameReady() | (state.hasFreshLabels() ? FRESH_LABELS : 0);
    }

    /** Report to the metrics what happened under the lock, without the lock. */
    private void report(long report) {
        if (report == 0) {
            return;
        }
        if ((report & FRESH_LABELS) != 0) {
            List<String> labels = access((it, now) -> it.takeFreshLabels());
            for (String label : labels) {
                metrics.depth(label, () -> access((it, now) -> it.depth(label)));
            }
        }
        int added = (int) report;
        if (added > 0) {
            metrics.added(added);
        }
    }

    /**
     * The threads that wait for a key. One of them, the leader, waits for the next time; the others wait until they are
     * woken.
     *
     * <p>{@code woken} never exceeds the number of takers that have left the condition and are about to get the lock: a
     * wake-up adds at most one to it while there is such a taker, and every taker that gets the lock takes one away,
     * for any reason that made it leave.
     */
    private static final class Takers {

        /** The delay if no key will become due. */
        static final long NEVER = -1;

        private final Condition condition;
        private int waiting;
        private int woken;
        private @Nullable Thread leader;

        Takers(Condition condition) {
            this.condition = condition;
        }

        /**
         * Wait until woken, until the delay is over, or spuriously.
         *
         * @param delay nanoseconds until the next entry is due, or {@link #NEVER}
         */
        @SuppressWarnings("WaitNotInLoop") // the caller loops
        void await(long delay) throws InterruptedException {
            Thread me = Thread.currentThread();
            boolean lead = delay != NEVER && leader == null;
            if (lead) {
                leader = me;
            }
            waiting++;
            try {
                if (lead) {
                    TimeSource.system().await(condition, delay);
                } else {
                    TimeSource.system().await(condition);
                }
            } finally {
                waiting--;
                woken = Math.max(0, woken - 1);
                if (leader == me) {
                    leader = null;
                }
            }
        }

        boolean lacksLeader() {
            return leader == null;
        }

        /** Remove the leader, because the next time is earlier than it knows; another taker has to wait for that. */
        void depose() {
            leader = null;
        }

        /** Wake a taker, unless one is about to get the lock. */
        void wakeOne() {
            if (woken == 0 && waiting > 0) {
                woken = 1;
                condition.signal();
            }
        }

        void wakeAll() {
            woken = waiting;
            condition.signalAll();
        }
    }
}
