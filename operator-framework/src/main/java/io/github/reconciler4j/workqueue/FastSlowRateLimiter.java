package io.github.reconciler4j.workqueue;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A short delay for the first failures of a key, a long one from then on. */
final class FastSlowRateLimiter<T> implements RateLimiter<T> {

    private final RetryCounts<T> failures = new RetryCounts<>();
    private final Duration fast;
    private final Duration slow;
    private final int attempts;

    FastSlowRateLimiter(Duration fast, Duration slow, int attempts) {
        if (fast.isNegative() || slow.isNegative()) {
            throw new IllegalArgumentException("delays must not be negative, were " + fast + " and " + slow);
        }
        if (attempts < 0) {
            throw new IllegalArgumentException("'attempts' must be at least 0, was " + attempts);
        }
        this.fast = fast;
        this.slow = slow;
        this.attempts = attempts;
    }

    @Override
    public Duration next(T item, @Nullable Throwable cause) {
        return failures.increment(item) < attempts ? fast : slow;
    }

    @Override
    public void forget(T item) {
        failures.forget(item);
    }

    @Override
    public int retries(T item) {
        return failures.get(item);
    }
}
