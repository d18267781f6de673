package io.github.reconciler4j.workqueue;

import io.github.reconciler4j.support.Nanos;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A bucket of tokens for all keys. Instead of tokens it keeps the time at which the bucket would be full again if
 * nobody took more: a token costs one interval of that, and the bucket is empty when it is a burst of intervals ahead.
 */
final class TokenBucketRateLimiter<T> implements RateLimiter<T> {

    private final long interval;
    private final long capacity;
    private final TimeSource time;
    private final AtomicLong fullAt;

    TokenBucketRateLimiter(double perSecond, int burst, TimeSource time) {
        if (!(perSecond > 0 && perSecond <= 1e9)) {
            throw new IllegalArgumentException("'perSecond' must be above 0 and at most 1e9, was " + perSecond);
        }
        if (burst < 1) {
            throw new IllegalArgumentException("'burst' must be at least 1, was " + burst);
        }
        this.interval = Math.min(Math.round(1e9 / perSecond), Nanos.MAX / burst);
        this.capacity = interval * burst;
        this.time = time;
        this.fullAt = new AtomicLong(time.nanoTime());
    }

    @Override
    public Duration next(T item, @Nullable Throwable cause) {
        long now = time.nanoTime();
        while (true) {
            long full = fullAt.get();
            long fullAfter = (full - now > 0 ? full : now) + interval;
            if (fullAt.compareAndSet(full, fullAfter)) {
                return Duration.ofNanos(Math.max(0, fullAfter - now - capacity));
            }
        }
    }

    @Override
    public void forget(T item) {}

    @Override
    public int retries(T item) {
        return 0;
    }
}
