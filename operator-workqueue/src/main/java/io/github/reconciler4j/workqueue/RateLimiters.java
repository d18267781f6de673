package io.github.reconciler4j.workqueue;

import io.github.reconciler4j.support.Causes;
import io.github.reconciler4j.support.Nanos;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Rate limiters, and combinations of them. None of them gives up: a worker that wants to compares
 * {@link RateLimiter#retries} with its own limit. Each keeps state, so create one for every queue. All are thread-safe.
 *
 * <!-- snippet: QueueUse -->
 * <pre>{@code
 * RateLimiter<String> limiter =
 *         RateLimiters.maxOf(RateLimiters.defaults(), RateLimiters.tokenBucket(10, 100, TimeSource.system()));
 * }</pre>
 *
 * @since 0.1.0
 */
public final class RateLimiters {

    /** The first delay of {@link #defaults}. */
    public static final Duration DEFAULT_BASE = Duration.ofMillis(5);

    /** The longest delay of {@link #defaults}. */
    public static final Duration DEFAULT_MAX = Duration.ofSeconds(1000);

    /** The jitter of {@link #defaults}. */
    public static final double DEFAULT_JITTER = 0.2;

    private RateLimiters() {}

    /** Return a limiter per key: 5 ms, doubling to 1000 s, each up to 20 % shorter at random. */
    public static <T> RateLimiter<T> defaults() {
        return exponential(DEFAULT_BASE, DEFAULT_MAX, DEFAULT_JITTER);
    }

    /**
     * Return a limiter per key whose delay doubles with every failure.
     *
     * @param base the first delay; positive
     * @param max the longest delay; not less than base
     * @param jitter the largest part taken off at random, from 0 (none) to below 1; prevents keys that failed together
     *     from being retried together
     * @throws IllegalArgumentException if a value is out of its range
     */
    public static <T> RateLimiter<T> exponential(Duration base, Duration max, double jitter) {
        return exponential(base, max, jitter, () -> ThreadLocalRandom.current().nextDouble());
    }

    /**
     * Return a limiter as {@link #exponential(Duration, Duration, double)} does, with other random numbers.
     *
     * @param random returns numbers from 0 to below 1; must be thread-safe
     * @throws IllegalArgumentException if a value is out of its range
     */
    public static <T> RateLimiter<T> exponential(Duration base, Duration max, double jitter, DoubleSupplier random) {
        return new Exponential<>(base, max, jitter, random);
    }

    /**
     * Return a limiter per key whose delay is always the same. Counts failures.
     *
     * @throws IllegalArgumentException if the delay is negative
     */
    public static <T> RateLimiter<T> constant(Duration delay) {
        if (delay.isNegative()) {
            throw new IllegalArgumentException("'delay' must not be negative, was " + delay);
        }
        return fastSlow(delay, delay, 0);
    }

    /**
     * Return a limiter per key with a short delay for the first failures and a long one for the others.
     *
     * @param attempts how many failures get the short delay; not negative
     * @throws IllegalArgumentException if a value is negative
     */
    public static <T> RateLimiter<T> fastSlow(Duration fast, Duration slow, int attempts) {
        return new FastSlow<>(fast, slow, attempts);
    }

    /**
     * Return a limiter for all keys together: a token bucket that is refilled at a steady rate. A retry that finds it empty
     * waits for its token. Counts no failures.
     *
     * @param perSecond tokens per second; positive
     * @param burst the size of the bucket, at least 1
     * @throws IllegalArgumentException if a value is out of its range
     */
    public static <T> RateLimiter<T> tokenBucket(double perSecond, int burst, TimeSource time) {
        return new TokenBucket<>(perSecond, burst, time);
    }

    /**
     * Return a limiter with the longest delay of several, all of which are called every time. Counts as many failures as
     * the one that counts most.
     *
     * @throws IllegalArgumentException if there is no limiter
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // List.of copies and keeps the element type
    public static <T> RateLimiter<T> maxOf(RateLimiter<T>... limiters) {
        return new MaxOf<>(List.of(limiters));
    }

    /**
     * Return rules that choose a limiter by the error, for example to retry a conflict soon and an exceeded quota later.
     *
     * <pre>{@code
     * RateLimiter<Request> limiter = RateLimiters.<Request>byError()
     *         .when(ConflictException.class, RateLimiters.exponential(ofMillis(1), ofSeconds(5), 0.5))
     *         .when(QuotaException.class, RateLimiters.exponential(ofSeconds(30), ofMinutes(30), 0.2))
     *         .otherwise(RateLimiters.defaults());
     * }</pre>
     */
    public static <T> ErrorRules<T> byError() {
        return new ErrorRules<>();
    }

    /**
     * Return a limiter that obeys the delay of an error, for example from a {@code Retry-After} header. The other limiter
     * is called every time, so that it counts; its delay is used for errors without one.
     *
     * @param hint returns the delay of an error, or null; called for the error and then for its causes until one has a delay
     */
    public static <T> RateLimiter<T> retryAfter(
            Function<Throwable, @Nullable Duration> hint, RateLimiter<T> otherwise) {
        return new RetryAfter<>(hint, otherwise);
    }

    /** Counts the failures of each key. A key that did not fail costs nothing. */
    private abstract static class Counting<T> implements RateLimiter<T> {

        private final ConcurrentMap<T, Integer> counts = new ConcurrentHashMap<>();

        @Override
        public final Duration next(T item, @Nullable Throwable cause) {
            return delay(counts.merge(item, 1, (count, one) -> count == Integer.MAX_VALUE ? count : count + one) - 1);
        }

        /** Return the delay after so many earlier failures. */
        abstract Duration delay(int earlier);

        @Override
        public final void forget(T item) {
            if (!counts.isEmpty()) { // normally it is, and then not even the hash of the key is needed
                counts.remove(item);
            }
        }

        @Override
        public final int retries(T item) {
            return counts.isEmpty() ? 0 : counts.getOrDefault(item, 0);
        }
    }

    private static final class Exponential<T> extends Counting<T> {

        private final long base;
        private final long max;
        private final double jitter;
        private final DoubleSupplier random;

        Exponential(Duration base, Duration max, double jitter, DoubleSupplier random) {
            if (base.isNegative() || base.isZero()) {
                throw new IllegalArgumentException("'base' must be positive, was " + base);
            }
            if (max.compareTo(base) < 0) {
                throw new IllegalArgumentException("'max' must not be less than 'base' (" + base + "), was " + max);
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
        Duration delay(int earlier) {
            boolean atMax = earlier >= Long.numberOfLeadingZeros(base) || base << earlier > max;
            long delay = atMax ? max : base << earlier;
            return Duration.ofNanos(jitter == 0 ? delay : (long) (delay * (1 - jitter * random.getAsDouble())));
        }
    }

    private static final class FastSlow<T> extends Counting<T> {

        private final Duration fast;
        private final Duration slow;
        private final int attempts;

        FastSlow(Duration fast, Duration slow, int attempts) {
            if (fast.isNegative() || slow.isNegative()) {
                throw new IllegalArgumentException(
                        "'fast' and 'slow' must not be negative, were " + fast + " and " + slow);
            }
            if (attempts < 0) {
                throw new IllegalArgumentException("'attempts' must not be negative, was " + attempts);
            }
            this.fast = fast;
            this.slow = slow;
            this.attempts = attempts;
        }

        @Override
        Duration delay(int earlier) {
            return earlier < attempts ? fast : slow;
        }
    }

    /**
     * Instead of tokens it keeps the time at which the bucket would be full again if no token was taken: a token moves it
     * by one interval, and the bucket is empty when it is a burst of intervals ahead.
     */
    private static final class TokenBucket<T> implements RateLimiter<T> {

        private final long interval;
        private final long capacity;
        private final TimeSource time;
        private final AtomicLong fullAt;

        TokenBucket(double perSecond, int burst, TimeSource time) {
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

    private static final class MaxOf<T> implements RateLimiter<T> {

        private final List<RateLimiter<T>> limiters;

        MaxOf(List<RateLimiter<T>> limiters) {
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

    private record RetryAfter<T>(Function<Throwable, @Nullable Duration> hint, RateLimiter<T> otherwise)
            implements RateLimiter<T> {

        @Override
        public Duration next(T item, @Nullable Throwable cause) {
            Duration usual = otherwise.next(item, cause);
            for (Throwable error : Causes.of(cause)) {
                Duration asked = hint.apply(error);
                if (asked != null) {
                    return asked;
                }
            }
            return usual;
        }

        @Override
        public void forget(T item) {
            otherwise.forget(item);
        }

        @Override
        public int retries(T item) {
            return otherwise.retries(item);
        }
    }

    /** Which errors a limiter is for. */
    record Rule<T>(Predicate<? super Throwable> test, RateLimiter<T> limiter) {}

    /** The first rule that fits decides; see {@link ErrorRules}. */
    static final class ByError<T> implements RateLimiter<T> {

        private final List<Rule<T>> rules;
        private final RateLimiter<T> otherwise;

        /** Every limiter once, even if several rules use it. */
        private final List<RateLimiter<T>> distinct = new ArrayList<>();

        ByError(List<Rule<T>> rules, RateLimiter<T> otherwise) {
            this.rules = rules;
            this.otherwise = otherwise;
            distinct.add(otherwise);
            for (Rule<T> rule : rules) {
                if (distinct.stream().noneMatch(limiter -> limiter == rule.limiter())) {
                    distinct.add(rule.limiter());
                }
            }
        }

        @Override
        public Duration next(T item, @Nullable Throwable cause) {
            for (Throwable error : Causes.of(cause)) {
                for (Rule<T> rule : rules) {
                    if (rule.test().test(error)) {
                        return rule.limiter().next(item, cause);
                    }
                }
            }
            return otherwise.next(item, cause);
        }

        @Override
        public void forget(T item) {
            for (RateLimiter<T> limiter : distinct) {
                limiter.forget(item);
            }
        }

        /** The sum, because one of them has counted each failure. */
        @Override
        public int retries(T item) {
            int sum = 0;
            for (RateLimiter<T> limiter : distinct) {
                sum += limiter.retries(item);
            }
            return sum;
        }
    }
}
