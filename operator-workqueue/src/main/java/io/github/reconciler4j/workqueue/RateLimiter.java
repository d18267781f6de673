package io.github.reconciler4j.workqueue;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Decides how long a key waits before it is retried. Keeps state per key, so every queue needs its own limiter.
 * Thread-safe; {@link WorkQueue} calls it without its lock.
 *
 * <!-- snippet: QueueUse -->
 * <pre>{@code
 * RateLimiter<String> limiter =
 *         RateLimiters.maxOf(RateLimiters.defaults(), RateLimiters.tokenBucket(10, 100, TimeSource.system()));
 * return WorkQueue.create(WorkQueueOptions.<String>defaults("orders")
 *         .withRateLimiter(limiter)
 *         .withAging(PriorityAging.off())
 *         .withMetrics(metrics));
 * }</pre>
 *
 * @param <T> the type of keys, with {@code equals} and {@code hashCode}
 * @see RateLimiters
 * @since 0.1.0
 */
public interface RateLimiter<T> {

    /**
     * Count one more failure of a key and return the time until the retry.
     *
     * @param cause the failure, null if it is not known
     * @return the delay; zero or less means at once
     */
    Duration next(T item, @Nullable Throwable cause);

    /** Reset the count of failures of a key, because it succeeded or will not be retried. */
    void forget(T item);

    /** Return the failures of a key since its count was last reset. */
    int retries(T item);
}
