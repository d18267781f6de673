package io.github.reconciler4j.manager.internal;

import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

/**
 * Time as the manager sees it, so that tests can let it pass. Safe for use by many threads.
 *
 * @since 0.1.0
 */
public interface TimeSource {

    /** The real time. */
    TimeSource SYSTEM = new TimeSource() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public Instant now() {
            return Instant.now();
        }

        @Override
        public void await(Condition condition, long nanos) throws InterruptedException {
            condition.await(nanos, TimeUnit.NANOSECONDS);
        }
    };

    /** A clock that never goes back; only differences mean something. */
    long nanoTime();

    /** The time of day. */
    Instant now();

    /** Waits for a condition whose lock the caller holds, at most that long; may return early without cause. */
    void await(Condition condition, long nanos) throws InterruptedException;
}
