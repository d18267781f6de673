package io.github.reconciler4j.workqueue;

import io.github.reconciler4j.support.TimeSource;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Settings of one queue. Immutable; but rate limiters and metrics keep state, so use an instance for one queue.
 *
 * @param <T> the type of keys
 * @since 0.1.0
 */
public final class WorkQueueOptions<T> {

    private final String name;
    private final RateLimiter<T> rateLimiter;
    private final WorkQueueMetrics metrics;
    private final TimeSource timeSource;
    private final PriorityAging aging;
    private final @Nullable Fairness<T> fairness;

    private WorkQueueOptions(Draft<T> draft) {
        name = draft.name;
        rateLimiter = Objects.requireNonNull(draft.rateLimiter, "'rateLimiter' must not be null");
        metrics = Objects.requireNonNull(draft.metrics, "'metrics' must not be null");
        timeSource = Objects.requireNonNull(draft.timeSource, "'timeSource' must not be null");
        aging = Objects.requireNonNull(draft.aging, "'aging' must not be null");
        fairness = draft.fairness;
    }

    /**
     * Return the defaults with a new rate limiter.
     *
     * @param name the name in logs and metrics; not blank
     */
    public static <T> WorkQueueOptions<T> defaults(String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("'name' must not be blank");
        }
        return new WorkQueueOptions<>(new Draft<>(name));
    }

    /** Return the name in logs and metrics. */
    public String name() {
        return name;
    }

    /** Return the rate limiter of {@link WorkQueue#addRateLimited} (default {@link RateLimiters#defaults}). */
    public RateLimiter<T> rateLimiter() {
        return rateLimiter;
    }

    /** Return the metrics (default {@link WorkQueueMetrics#NONE}). */
    public WorkQueueMetrics metrics() {
        return metrics;
    }

    /** Return the clock (default {@link TimeSource#system}). */
    public TimeSource timeSource() {
        return timeSource;
    }

    /** Return how low priorities are reached (default {@link PriorityAging#defaults}). */
    public PriorityAging aging() {
        return aging;
    }

    /** Return how workers are divided between groups of keys; empty, the default, if they are not. */
    public Optional<Fairness<T>> fairness() {
        return Optional.ofNullable(fairness);
    }

    /** Return a copy of these options with the given rate limiter. */
    public WorkQueueOptions<T> withRateLimiter(RateLimiter<T> newRateLimiter) {
        return change(draft -> draft.rateLimiter = newRateLimiter);
    }

    /** Return a copy of these options with the given metrics. */
    public WorkQueueOptions<T> withMetrics(WorkQueueMetrics newMetrics) {
        return change(draft -> draft.metrics = newMetrics);
    }

    /** Return a copy of these options with the given clock. */
    public WorkQueueOptions<T> withTimeSource(TimeSource newTimeSource) {
        return change(draft -> draft.timeSource = newTimeSource);
    }

    /** Return a copy of these options with the given aging. */
    public WorkQueueOptions<T> withAging(PriorityAging newAging) {
        return change(draft -> draft.aging = newAging);
    }

    /** Return a copy of these options with workers divided between groups. */
    public WorkQueueOptions<T> withFairness(Fairness<T> newFairness) {
        Objects.requireNonNull(newFairness, "'fairness' must not be null");
        return change(draft -> draft.fairness = newFairness);
    }

    private WorkQueueOptions<T> change(Consumer<Draft<T>> change) {
        Draft<T> draft = new Draft<>(name);
        draft.rateLimiter = rateLimiter;
        draft.metrics = metrics;
        draft.timeSource = timeSource;
        draft.aging = aging;
        draft.fairness = fairness;
        change.accept(draft);
        return new WorkQueueOptions<>(draft);
    }

    @Override
    public String toString() {
        return "WorkQueueOptions[name=" + name + ", aging=" + aging + ", fairness=" + fairness + "]";
    }

    private static final class Draft<T> {
        private final String name;
        private RateLimiter<T> rateLimiter = RateLimiters.defaults();
        private WorkQueueMetrics metrics = WorkQueueMetrics.NONE;
        private TimeSource timeSource = TimeSource.system();
        private PriorityAging aging = PriorityAging.defaults();
        private @Nullable Fairness<T> fairness;

        Draft(String name) {
            this.name = name;
        }
    }
}
