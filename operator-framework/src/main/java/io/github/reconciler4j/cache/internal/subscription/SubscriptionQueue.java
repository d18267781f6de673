package io.github.reconciler4j.cache.internal.subscription;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.cache.internal.storage.Change;
import io.github.reconciler4j.cache.internal.storage.Entry;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.Nanos;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What is not delivered to a listener yet: at most one {@link PendingChange} per object, so that a slow listener costs no
 * more memory than there are objects, and nothing is dropped. Thread-safe, with one taker.
 *
 * <p>The lock is taken inside the one of {@link ChangeFeed}, and no other lock is taken inside it.
 */
final class SubscriptionQueue {

    private final TimeSource time;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private final Map<ObjectKey, PendingChange> pending = new LinkedHashMap<>();

    @GuardedBy("lock")
    private @Nullable PendingChange taken;

    @GuardedBy("lock")
    private int initialLeft;

    @GuardedBy("lock")
    private boolean initialOffered;

    @GuardedBy("lock")
    private boolean initialDelivered;

    private volatile boolean closed;

    SubscriptionQueue(TimeSource time) {
        this.time = time;
    }

    /** Add a change, coalesced with what waits for the same object. */
    void offer(Change change) {
        lock.lock();
        try {
            if (!closed) {
                coalesce(change);
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void coalesce(Change change) {
        ObjectKey key = change.entry().key();
        PendingChange waiting = pending.get(key);
        if (waiting == null) {
            pending.put(key, new PendingChange(change, time.nanoTime()));
            initialLeft += change.isInitial() ? 1 : 0;
        } else if (!waiting.add(change)) {
            pending.remove(key);
            initialLeft -= waiting.isInitial() ? 1 : 0;
            checkInitial();
        }
    }

    @GuardedBy("lock")
    private void checkInitial() {
        initialDelivered |= initialOffered && initialLeft == 0;
    }

    /** Record that everything that existed at the start was offered. */
    void initialOffered() {
        lock.lock();
        try {
            initialOffered = true;
            checkInitial();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Wait for something to deliver; null once the queue is closed. */
    @Nullable
    PendingChange take() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!closed && pending.isEmpty()) {
                TimeSource.system().await(changed);
            }
            if (closed) {
                return null;
            }
            Iterator<PendingChange> first = pending.values().iterator();
            PendingChange next = first.next();
            first.remove();
            taken = next;
            return next;
        } finally {
            lock.unlock();
        }
    }

    /** Record that what was taken last was delivered. */
    void delivered() {
        lock.lock();
        try {
            if (taken != null && taken.isInitial()) {
                initialLeft--;
            }
            taken = null;
            checkInitial();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Return whether everything that existed at the start was delivered; stays so. */
    boolean isInitialDelivered() {
        lock.lock();
        try {
            return initialDelivered;
        } finally {
            lock.unlock();
        }
    }

    /** Wait until {@link #isInitialDelivered} or the queue is closed; false after the timeout. */
    boolean awaitInitialDelivered(Duration timeout) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = Nanos.of(timeout);
            while (!closed && !initialDelivered) {
                if (left <= 0) {
                    return false;
                }
                left = TimeSource.system().awaitNanos(changed, left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Wait until nothing waits or is being delivered, or the queue is closed; false after the timeout. */
    boolean awaitEmpty(Duration timeout) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = Nanos.of(timeout);
            while (!closed && !(pending.isEmpty() && taken == null)) {
                if (left <= 0) {
                    return false;
                }
                left = TimeSource.system().awaitNanos(changed, left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Return the number of objects that wait, including the one that is being delivered. */
    int depth() {
        lock.lock();
        try {
            return pending.size() + (taken == null ? 0 : 1);
        } finally {
            lock.unlock();
        }
    }

    /** Return how long the oldest change has been waiting or being delivered, in seconds; 0 if the queue is empty. */
    double lagSeconds() {
        lock.lock();
        try {
            PendingChange oldest = taken != null || pending.isEmpty()
                    ? taken
                    : pending.values().iterator().next();
            return oldest == null ? 0 : (time.nanoTime() - oldest.since) / (double) TimeUnit.SECONDS.toNanos(1);
        } finally {
            lock.unlock();
        }
    }

    boolean isClosed() {
        return closed;
    }

    /** Drop what waits and wake everybody who waits. */
    void close() {
        lock.lock();
        try {
            closed = true;
            pending.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * What a subscription has to deliver for one object, however often it changed since the last delivery. Guarded by the
     * lock of the queue until it is taken.
     */
    static final class PendingChange {

        final long since;
        /** The state that was delivered last, null if the listener does not know the object. */
        private final @Nullable Entry delivered;

        private final boolean initial;
        /** The removal of the delivered object, or of the first one if the listener knows none. */
        private @Nullable Removal removed;

        /** The last removal of an object that took its name. Of those in between, nothing can be left at the API server. */
        private @Nullable Removal removedLater;

        /** The present state; null if the object does not exist. */
        private @Nullable Entry latest;

        private boolean resync;

        PendingChange(Change first, long since) {
            this.since = since;
            delivered = first.old();
            initial = first.isInitial();
            resync = first.type() == Change.Type.RESYNC;
            if (first.isRemoval()) {
                removed = new Removal(first, null);
            } else {
                latest = first.entry();
            }
        }

        boolean isInitial() {
            return initial;
        }

        /** Add a change; false if nothing is left to deliver. */
        boolean add(Change change) {
            switch (change.type()) {
                case RESYNC, BODY -> {}
                case CREATED, UPDATED -> {
                    latest = change.entry();
                    resync = false;
                }
                case DELETED, DEPARTED -> {
                    Entry before = latest;
                    latest = null;
                    remove(new Removal(change, before));
                }
            }
            return removed != null || latest != null;
        }

        /**
         * Keep the last removal of each object: it can have left and come back before, and only its last state says what this
         * program has written meanwhile.
         */
        void remove(Removal removal) {
            Removal before = removed;
            if (before == null) {
                if (delivered != null) {
                    removed = removal.seen();
                } else if (!removal.departed() && !initial) {
                    removed = removal;
                }
            } else if (before.isOf(removal)) {
                removed = before.unseen() == null ? removal.seen() : removal;
            } else if (!removal.departed()) {
                removedLater = removal;
            }
        }

        /** Return what to deliver, in order. */
        List<Change> changes() {
            List<Change> changes = new ArrayList<>(removed == null ? 1 : 3);
            Entry now = latest;
            if (removed != null) {
                removed.addTo(changes, delivered, initial);
                if (removedLater != null) {
                    removedLater.addTo(changes, null, initial);
                }
                if (now != null) {
                    changes.add(Change.created(now, initial));
                }
            } else if (now != null && delivered == null) {
                changes.add(Change.created(now, initial));
            } else if (now != null && delivered != null) {
                changes.add(resync ? Change.resync(now) : Change.updated(delivered, now));
            }
            return changes;
        }
    }

    /**
     * An object was deleted or departed.
     *
     * @param change the removal
     * @param unseen its state before; null if the listener knows the object. It is notified of one that it does not know,
     *     because it may have read the object meanwhile, in a reconciliation for something else.
     */
    private record Removal(Change change, @Nullable Entry unseen) {

        boolean departed() {
            return change.type() == Change.Type.DEPARTED;
        }

        boolean isOf(Removal other) {
            return change.entry().isSameObject(other.change.entry());
        }

        Removal seen() {
            return new Removal(change, null);
        }

        void addTo(List<Change> changes, @Nullable Entry delivered, boolean initial) {
            Entry last = change.entry();
            Entry known = delivered == null ? last : delivered;
            if (unseen != null) {
                changes.add(Change.created(unseen, initial));
                known = unseen;
            }
            changes.add(departed() ? Change.departed(last) : Change.deleted(known, last, change.isFinalStateUnknown()));
        }
    }
}
