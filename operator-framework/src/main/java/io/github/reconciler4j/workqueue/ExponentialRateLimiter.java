package io.github.reconciler4j.workqueue;

import io.github.reconciler4j.support.Nanos;
import java.time.Duration;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/** Doubles the delay of a key with every failure. */
final class ExponentialRateLimiter<T> implements RateLimiter<T> {

    private final RetryCounts<T> failures = new RetryCounts<>();
    private final long base;
    private final long max;
    private final double jitter;
    private final DoubleSupplier random;

    ExponentialRateLimiter(Duration base, Duration max, double jitter, DoubleSupplier random) {
        if (base.isNegative() || base.isZero()) {
            throw new IllegalArgumentException("'base' must be positive, was " + base);
        }
        if (max.compareTo(base) < 0) {
            throw new IllegalArgumentException("'max' must be at least 'base' (" + base + "), was " + max);
        }
        if (!(jitter >= 0 && jitter < 1)) {
            throw new IllegalArgumentException("'jitter' must be at least 0 and below 1, was " + jitter);
        }
        this.base = Nanos.of(base);
        this.max = Nanos.of(max);
        this.jitter = jitter;
        this.random = random;
    }

    @Override
    public Duration next(T item, @Nullable Throwable cause) {
        long delay = delayAfter(failures.increment(item));
        return Duration.ofNanos(jitter == 0 ? delay : (long) (delay * (1 - jitter * random.getAsDouble())));
    }

    @Override
    public void forget(T item) {
        failures.forget(item);
    }

    @Override
    public int retries(T item) {
        return failures.get(item);
    }

    private long delayAfter(int earlier) {
        return earlier >= Long.numberOfLeadingZeros(base) || base << earlier > max ? max : base << earlier;
    }
}
