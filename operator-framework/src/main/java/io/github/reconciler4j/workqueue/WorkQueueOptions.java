package io.github.reconciler4j.workqueue;

import io.github.reconciler4j.support.TimeSource;
import java.util.Objects;
import java.util.Optional;

/**
 * Settings of one queue. Immutable; but limiters and metrics keep state, so use one for one queue.
 *
 * @param name names the queue in logs and metrics; not blank
 * @param rateLimiter the delays of {@link WorkQueue#addRateLimited} (default {@link RateLimiters#defaults})
 * @param metrics told what happens (default {@link WorkQueueMetrics#NONE})
 * @param time the time (default {@link TimeSource#system})
 * @param aging how low priorities are reached (default {@link PriorityAging#defaults})
 * @param fairness how workers are divided between groups of keys (default: not at all)
 * @param <T> the keys
 * @since 0.1.0
 */
public record WorkQueueOptions<T>(
        String name,
        RateLimiter<T> rateLimiter,
        WorkQueueMetrics metrics,
        TimeSource time,
        PriorityAging aging,
        Optional<Fairness<T>> fairness) {

    /** Checks that the name is not blank and nothing is null. */
    public WorkQueueOptions {
        if (name.isBlank()) {
            throw new IllegalArgumentException("'name' must not be blank");
        }
        Objects.requireNonNull(rateLimiter, "'rateLimiter' must not be null");
        Objects.requireNonNull(metrics, "'metrics' must not be null");
        Objects.requireNonNull(time, "'time' must not be null");
        Objects.requireNonNull(aging, "'aging' must not be null");
        Objects.requireNonNull(fairness, "'fairness' must not be null");
    }

    /** The defaults, with a new rate limiter. */
    public static <T> WorkQueueOptions<T> defaults(String name) {
        return new WorkQueueOptions<>(
                name,
                RateLimiters.defaults(),
                WorkQueueMetrics.NONE,
                TimeSource.system(),
                PriorityAging.defaults(),
                Optional.empty());
    }

    /** The same with another rate limiter. */
    public WorkQueueOptions<T> withRateLimiter(RateLimiter<T> newRateLimiter) {
        return new WorkQueueOptions<>(name, newRateLimiter, metrics, time, aging, fairness);
    }

    /** The same with other metrics. */
    public WorkQueueOptions<T> withMetrics(WorkQueueMetrics newMetrics) {
        return new WorkQueueOptions<>(name, rateLimiter, newMetrics, time, aging, fairness);
    }

    /** The same with another time. */
    public WorkQueueOptions<T> withTimeSource(TimeSource newTicker) {
        return new WorkQueueOptions<>(name, rateLimiter, metrics, newTicker, aging, fairness);
    }

    /** The same with another aging. */
    public WorkQueueOptions<T> withAging(PriorityAging newAgeing) {
        return new WorkQueueOptions<>(name, rateLimiter, metrics, time, newAgeing, fairness);
    }

    /** The same with workers divided between groups. */
    public WorkQueueOptions<T> withFairness(Fairness<T> newFairness) {
        return new WorkQueueOptions<>(name, rateLimiter, metrics, time, aging, Optional.of(newFairness));
    }
}
