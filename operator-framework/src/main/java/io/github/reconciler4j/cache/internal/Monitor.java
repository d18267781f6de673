package io.github.reconciler4j.cache.internal;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A lock with one condition: whoever changes what it guards wakes all who wait for a change. No code of a user may run
 * under it, and no other lock may be taken inside it. Safe for use by many threads.
 */
final class Monitor {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /** Changes what is guarded, and wakes all who wait. */
    void change(Runnable change) {
        lock.lock();
        try {
            change.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Reads what is guarded. */
    <T> T read(Supplier<T> value) {
        lock.lock();
        try {
            return value.get();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until a condition on what is guarded holds.
     *
     * @return false after the timeout
     */
    boolean await(BooleanSupplier condition, long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = nanos;
            while (!condition.getAsBoolean()) {
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

    /** Waits until a condition on what is guarded holds, however long it takes, and then does something with it. */
    <T> T awaitThen(BooleanSupplier condition, Supplier<T> action) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!condition.getAsBoolean()) {
                changed.await();
            }
            return action.get();
        } finally {
            lock.unlock();
        }
    }
}
