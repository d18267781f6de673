package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.scheme.ObjectKey;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What a subscription has yet to tell its listener: at most one {@link Pending} per object, so that a slow listener
 * costs no more memory than there are objects, and nothing is dropped. Safe for use by many threads, with one taker.
 *
 * <p>{@code lock} guards all fields. It is taken inside the lock of {@link KindCache} and nothing is taken inside it.
 */
final class SubscriptionQueue {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<ObjectKey, Pending> pending = new LinkedHashMap<>();
    private @Nullable Pending taken;
    private int initialLeft;
    private boolean initialKnown;
    private boolean closed;

    /** Adds a change, merged with what waits for the same object. */
    void offer(Change change) {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            ObjectKey key = change.entry().key();
            Pending waiting = pending.get(key);
            if (waiting == null) {
                pending.put(key, new Pending(change, System.nanoTime()));
                initialLeft += change.isInitial() ? 1 : 0;
            } else if (!waiting.merge(change)) {
                pending.remove(key);
                initialLeft -= waiting.isInitial() ? 1 : 0;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Notes that everything there was at the beginning has been offered. */
    void initialOffered() {
        lock.lock();
        try {
            initialKnown = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for something to tell; null once the queue is closed. */
    @Nullable
    Pending take() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (pending.isEmpty() && !closed) {
                changed.await();
            }
            if (closed) {
                return null;
            }
            Iterator<Pending> first = pending.values().iterator();
            taken = first.next();
            first.remove();
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** Notes that what was taken last has been told. */
    void told() {
        lock.lock();
        try {
            if (taken != null && taken.isInitial()) {
                initialLeft--;
            }
            taken = null;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Whether everything there was at the beginning has been told. */
    boolean isInitialTold() {
        lock.lock();
        try {
            return initialKnown && initialLeft == 0;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until {@link #isInitialTold} or the queue is closed; false after the timeout. */
    boolean awaitInitialTold(long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = nanos;
            while (!closed && !(initialKnown && initialLeft == 0)) {
                if (left <= 0) {
                    return false;
                }
                left = changed.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** How many objects wait, the one being told included. */
    int depth() {
        lock.lock();
        try {
            return pending.size() + (taken == null ? 0 : 1);
        } finally {
            lock.unlock();
        }
    }

    /** How long the oldest change has been waiting or being told, in seconds; 0 if there is none. */
    double lagSeconds() {
        lock.lock();
        try {
            Pending oldest = taken != null || pending.isEmpty()
                    ? taken
                    : pending.values().iterator().next();
            return oldest == null ? 0 : (System.nanoTime() - oldest.since) / (double) TimeUnit.SECONDS.toNanos(1);
        } finally {
            lock.unlock();
        }
    }

    boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /** Drops what waits and wakes everybody. */
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
}
