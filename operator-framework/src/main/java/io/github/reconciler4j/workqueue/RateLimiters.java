package io.github.reconciler4j.workqueue;

import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Rate limiters, and limiters made of others. All go on for ever; whoever wants to give up looks at
 * {@link RateLimiter#retries}. Each keeps state: make one for every queue.
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

    /** Per key: 5 ms, doubling to 1000 s, each up to 20 % shorter at random. */
    public static <T> RateLimiter<T> defaults() {
        return exponential(DEFAULT_BASE, DEFAULT_MAX, DEFAULT_JITTER);
    }

    /**
     * Per key: doubles with every failure.
     *
     * @param base the first delay; positive
     * @param max the longest delay; not below base
     * @param jitter the largest part taken off at random, from 0 (none) to below 1; keeps keys that failed together
     *     from coming back together
     * @throws IllegalArgumentException if a value is out of its range
     */
    public static <T> RateLimiter<T> exponential(Duration base, Duration max, double jitter) {
        return exponential(base, max, jitter, () -> ThreadLocalRandom.current().nextDouble());
    }

    /**
     * As {@link #exponential(Duration, Duration, double)}, with numbers of the caller's own.
     *
     * @param random gives numbers from 0 to below 1; called by many threads
     */
    public static <T> RateLimiter<T> exponential(Duration base, Duration max, double jitter, DoubleSupplier random) {
        return new ExponentialRateLimiter<>(base, max, jitter, random);
    }

    /**
     * Per key: always the same delay. Counts failures.
     *
     * @throws IllegalArgumentException if the delay is negative
     */
    public static <T> RateLimiter<T> constant(Duration delay) {
        return fastSlow(delay, delay, 0);
    }

    /**
     * Per key: a short delay for the first failures, a long one from then on.
     *
     * @param attempts how many failures get the short delay; not negative
     * @throws IllegalArgumentException if a value is negative
     */
    public static <T> RateLimiter<T> fastSlow(Duration fast, Duration slow, int attempts) {
        return new FastSlowRateLimiter<>(fast, slow, attempts);
    }

    /**
     * For all keys together: a bucket that holds so many retries and fills up at a steady rate; a retry that finds it
     * empty waits for its turn. Counts no failures.
     *
     * @param perSecond retries per second in the long run; positive
     * @param burst retries at once from a full bucket, at least 1
     * @throws IllegalArgumentException if a value is out of its range
     */
    public static <T> RateLimiter<T> tokenBucket(double perSecond, int burst, TimeSource time) {
        return new TokenBucketRateLimiter<>(perSecond, burst, time);
    }

    /**
     * The longest of the delays; every limiter is asked every time. Counts as many failures as the one that counts
     * most.
     *
     * @throws IllegalArgumentException if there is no limiter
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // List.of copies and keeps the element type
    public static <T> RateLimiter<T> maxOf(RateLimiter<T>... limiters) {
        return new MaxOfRateLimiter<>(List.of(limiters));
    }

    /**
     * Different limiters for different errors, for example: a conflict is tried again soon, a quota that is used up
     * only after a while.
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
     * Obeys the delay that comes with an error, for example in a {@code Retry-After} header. The other limiter is asked
     * every time, so that it counts; its delay is used for errors that say nothing.
     *
     * @param hint the delay an error asks for, or null; asked for the error and then for its causes until one answers
     */
    public static <T> RateLimiter<T> retryAfter(
            Function<Throwable, @Nullable Duration> hint, RateLimiter<T> otherwise) {
        return new RetryAfterRateLimiter<>(hint, otherwise);
    }
}
