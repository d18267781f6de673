package io.github.reconciler4j.support;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.locks.Condition;

/**
 * The clock of the framework: a monotonic time for intervals and the wall clock for timestamps. Tests replace it with one
 * that they advance. Implementations are thread-safe and do not throw.
 *
 * @since 0.1.0
 */
public interface TimeSource extends InstantSource {

    /** Return the monotonic time in nanoseconds from an arbitrary origin, as {@link System#nanoTime}. */
    long nanoTime();

    /** Return the time of the wall clock. */
    @Override
    Instant instant();

    /**
     * Register a listener that is called after the time has jumped. Code that waits for a point in time registers a listener
     * that wakes it, so that a test does not have to wait in real time. The time of the system never jumps, so the default
     * ignores the listener.
     */
    default void onJump(Runnable listener) {}

    /**
     * Wait on a condition whose lock the caller holds, at most for the given time. The method may return early without a cause,
     * so the caller checks in a loop what it waits for, and the time. The time source of a test returns when its time has passed.
     *
     * @throws InterruptedException if the thread is interrupted
     */
    default void await(Condition condition, long nanos) throws InterruptedException {
        condition.awaitNanos(nanos);
    }

    /** Return the time of the system. */
    static TimeSource system() {
        return SystemTime.INSTANCE;
    }

    /** The time of the system. */
    enum SystemTime implements TimeSource {
        /** The only instance. */
        INSTANCE;

        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public Instant instant() {
            return Instant.now();
        }
    }
}
