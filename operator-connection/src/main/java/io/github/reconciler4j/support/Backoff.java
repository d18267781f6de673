package io.github.reconciler4j.support;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Exponential backoff with jitter: the delay doubles with each failure in a row up to a maximum, and is multiplied by a
 * random factor between {@code lowest} and {@code highest}. Immutable.
 *
 * @param initial the delay after the first failure, before jitter
 * @param max the longest delay, before jitter
 * @param lowest the smallest factor
 * @param highest the largest factor
 * @since 0.1.0
 */
public record Backoff(Duration initial, Duration max, double lowest, double highest) {

    private static final int MAX_DOUBLINGS = 62;

    /** Check the values. */
    public Backoff {
        if (initial.isNegative() || max.compareTo(initial) < 0) {
            throw new IllegalArgumentException("'initial' must be from zero to 'max' (" + max + "), was " + initial);
        }
        if (lowest < 0 || highest < lowest) {
            throw new IllegalArgumentException(
                    "'lowest' must be from zero to 'highest' (" + highest + "), was " + lowest);
        }
    }

    /**
     * Return a backoff without jitter.
     *
     * @throws IllegalArgumentException if the initial delay is negative or longer than the maximum
     */
    public static Backoff of(Duration initial, Duration max) {
        return new Backoff(initial, max, 1, 1);
    }

    /** Return a copy whose delays are multiplied by a random factor of the given range. */
    public Backoff withJitter(double newLowest, double newHighest) {
        return new Backoff(initial, max, newLowest, newHighest);
    }

    /** Return a copy with full jitter: delays are distributed evenly between zero and the bound. */
    public Backoff withFullJitter() {
        return withJitter(0, 1);
    }

    /** Return the delay after the given number of failures in a row; a number below one counts as one. */
    public Duration delay(int failures) {
        return delay(failures, ThreadLocalRandom.current().nextDouble());
    }

    /**
     * Return the delay after the given number of failures in a row; a number below one counts as one.
     *
     * @param random chooses the factor: 0 for the smallest, 1 for the largest
     */
    public Duration delay(int failures, double random) {
        int doublings = Math.min(Math.max(failures - 1, 0), MAX_DOUBLINGS);
        double bound = Math.min(Nanos.of(initial) * Math.pow(2, doublings), Nanos.of(max));
        return Duration.ofNanos((long) (bound * (lowest + (highest - lowest) * random)));
    }
}
