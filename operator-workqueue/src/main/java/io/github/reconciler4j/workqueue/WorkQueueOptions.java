package io.github.reconciler4j.workqueue;

import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.support.internal.OptionValues;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Settings of one queue. Immutable; but rate limiters and metrics keep state, so use an instance for one queue.
 *
 * <!-- snippet: QueueUse -->
 * <pre>{@code
 * return WorkQueue.create(WorkQueueOptions.<String>defaults("orders")
 *         .withRateLimiter(limiter)
 *         .withAging(PriorityAging.off())
 *         .withMetrics(metrics));
 * }</pre>
 *
 * @param <T> the type of keys
 * @since 0.1.0
 */
public final class WorkQueueOptions<T> {

    private final Values<T> values;

    private WorkQueueOptions(Values<T> values) {
        Objects.requireNonNull(values.rateLimiter, "'rateLimiter' must not be null");
        Objects.requireNonNull(values.metrics, "'metrics' must not be null");
        Objects.requireNonNull(values.timeSource, "'timeSource' must not be null");
        Objects.requireNonNull(values.aging, "'aging' must not be null");
        this.values = values;
    }

    /**
     * Return the defaults with a new rate limiter.
     *
     * @param name the name in logs and metrics; not blank
     * @throws IllegalArgumentException if the name is blank
     */
    public static <T> WorkQueueOptions<T> defaults(String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("'name' must not be blank");
        }
        return new WorkQueueOptions<>(new Values<>(name));
    }

    /** Return the name in logs and metrics. */
    public String name() {
        return values.name;
    }

    /** Return the rate limiter of {@link WorkQueue#addRateLimited} (default {@link RateLimiters#defaults}). */
    public RateLimiter<T> rateLimiter() {
        return values.rateLimiter;
    }

    /** Return the metrics (default {@link WorkQueueMetrics#NONE}). */
    public WorkQueueMetrics metrics() {
        return values.metrics;
    }

    /** Return the clock (default {@link TimeSource#system}). */
    public TimeSource timeSource() {
        return values.timeSource;
    }

    /** Return how low priorities are reached (default {@link PriorityAging#defaults}). */
    public PriorityAging aging() {
        return values.aging;
    }

    /** Return how workers are divided between groups of keys; empty, the default, if they are not. */
    public Optional<Fairness<T>> fairness() {
        return Optional.ofNullable(values.fairness);
    }

    /** Return a copy of these options with the given rate limiter. */
    public WorkQueueOptions<T> withRateLimiter(RateLimiter<T> newRateLimiter) {
        return change(copy -> copy.rateLimiter = newRateLimiter);
    }

    /** Return a copy of these options with the given metrics. */
    public WorkQueueOptions<T> withMetrics(WorkQueueMetrics newMetrics) {
        return change(copy -> copy.metrics = newMetrics);
    }

    /** Return a copy of these options with the given clock. */
    public WorkQueueOptions<T> withTimeSource(TimeSource newTimeSource) {
        return change(copy -> copy.timeSource = newTimeSource);
    }

    /** Return a copy of these options with the given aging. */
    public WorkQueueOptions<T> withAging(PriorityAging newAging) {
        return change(copy -> copy.aging = newAging);
    }

    /** Return a copy of these options with workers divided between groups. */
    public WorkQueueOptions<T> withFairness(Fairness<T> newFairness) {
        Objects.requireNonNull(newFairness, "'fairness' must not be null");
        return change(copy -> copy.fairness = newFairness);
    }

    private WorkQueueOptions<T> change(Consumer<Values<T>> change) {
        return new WorkQueueOptions<>(values.changed(change));
    }

    @Override
    public String toString() {
        return "WorkQueueOptions[name=" + values.name + ", aging=" + values.aging + ", fairness=" + values.fairness
                + "]";
    }

    private static final class Values<T> extends OptionValues<Values<T>> {
        private final String name;
        private RateLimiter<T> rateLimiter = RateLimiters.defaults();
        private WorkQueueMetrics metrics = WorkQueueMetrics.NONE;
        private TimeSource timeSource = TimeSource.system();
        private PriorityAging aging = PriorityAging.defaults();
        private @Nullable Fairness<T> fairness;

        Values(String name) {
            this.name = name;
        }
    }
}
