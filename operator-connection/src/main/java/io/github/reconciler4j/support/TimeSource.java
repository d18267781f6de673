package io.github.reconciler4j.support;

import io.github.reconciler4j.support.internal.Platform;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The clock of the framework: a monotonic time for intervals and the wall clock for timestamps. Tests replace it with one
 * that they advance. Implementations are thread-safe and do not throw.
 *
 * <!-- snippet: QueueUse -->
 * <pre>{@code
 * RateLimiter<String> limiter =
 *         RateLimiters.maxOf(RateLimiters.defaults(), RateLimiters.tokenBucket(10, 100, TimeSource.system()));
 * }</pre>
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
     * Wait on a condition whose lock the caller holds. The method may return early without a cause.
     *
     * @throws InterruptedException if the thread is interrupted
     */
    default void await(Condition condition) throws InterruptedException {
        condition.await();
    }

    /**
     * Wait on a condition whose lock the caller holds, at most for the given time. The method may return early without a cause,
     * so the caller checks in a loop what it waits for, and the time. The time source of a test returns when its time has passed.
     *
     * @throws InterruptedException if the thread is interrupted
     */
    default void await(Condition condition, long nanos) throws InterruptedException {
        condition.awaitNanos(nanos);
    }

    /** Wait as {@link #await(Condition, long)} does, and return what is left of the given time. */
    default long awaitNanos(Condition condition, long nanos) throws InterruptedException {
        long end = nanoTime() + nanos;
        await(condition, nanos);
        return end - nanoTime();
    }

    /** Wait on a condition whose lock the caller holds, also if the thread is interrupted. May return early without a cause. */
    default void awaitUninterruptibly(Condition condition) {
        condition.awaitUninterruptibly();
    }

    /**
     * Take the first element of a queue, and wait for one at most for the given time.
     *
     * @return null if the queue is empty when the time is over
     * @throws InterruptedException if the thread is interrupted
     */
    default <T> @Nullable T poll(BlockingQueue<T> queue, long nanos) throws InterruptedException {
        return queue.poll(nanos, TimeUnit.NANOSECONDS);
    }

    /**
     * Wait until a latch is down, at most for the given time.
     *
     * @return whether the latch is down
     * @throws InterruptedException if the thread is interrupted
     */
    default boolean await(CountDownLatch latch, long nanos) throws InterruptedException {
        return latch.await(nanos, TimeUnit.NANOSECONDS);
    }

    /**
     * Wait for the given time; not at all if it is not positive.
     *
     * @throws InterruptedException if the thread is interrupted
     */
    default void sleep(long nanos) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(nanos);
    }

    /** Wait until the thread is unparked or interrupted, at most for the given time; may return early without a cause. */
    default void park(Object blocker, long nanos) {
        LockSupport.parkNanos(blocker, nanos);
    }

    /** Return the time of the system; a test can replace it with {@link Platform#replace}. */
    static TimeSource system() {
        return Platform.time();
    }
}
