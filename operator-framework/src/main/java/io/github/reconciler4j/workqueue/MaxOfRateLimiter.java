package io.github.reconciler4j.workqueue;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The longest delay of several limiters. */
final class MaxOfRateLimiter<T> implements RateLimiter<T> {

    private final List<RateLimiter<T>> limiters;

    MaxOfRateLimiter(List<RateLimiter<T>> limiters) {
        if (limiters.isEmpty()) {
            throw new IllegalArgumentException("'limiters' must not be empty");
        }
        this.limiters = limiters;
    }

    @Override
    public Duration next(T item, @Nullable Throwable cause) {
        Duration longest = Duration.ZERO;
        for (RateLimiter<T> limiter : limiters) {
            Duration delay = limiter.next(item, cause);
            longest = delay.compareTo(longest) > 0 ? delay : longest;
        }
        return longest;
    }

    @Override
    public void forget(T item) {
        limiters.forEach(limiter -> limiter.forget(item));
    }

    @Override
    public int retries(T item) {
        return limiters.stream()
                .mapToInt(limiter -> limiter.retries(item))
                .max()
                .orElse(0);
    }
}
