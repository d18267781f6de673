package io.github.reconciler4j.client;

/**
 * How many requests a client sends. Immutable.
 *
 * @param queriesPerSecond the most in the long run, 0 (the default) for no limit
 * @param burst how many may leave at once after a quiet time, at least 1 if there is a limit
 * @param maxConcurrent how many may be under way at once, 0 (the default) for no limit
 * @since 0.1.0
 */
public record Throttle(double queriesPerSecond, int burst, int maxConcurrent) {

    private static final Throttle OFF = new Throttle(0, 0, 0);

    /** Checks the numbers. */
    public Throttle {
        if (queriesPerSecond < 0 || maxConcurrent < 0) {
            throw new IllegalArgumentException("'queriesPerSecond' and 'maxConcurrent' must not be negative, were "
                    + queriesPerSecond + " and " + maxConcurrent);
        }
        if (queriesPerSecond > 0 && burst < 1) {
            throw new IllegalArgumentException("'burst' must be at least 1, was " + burst);
        }
    }

    /** No limits. */
    public static Throttle off() {
        return OFF;
    }

    /** The same with a limit of requests per second. */
    public Throttle withRate(double newQueriesPerSecond, int newBurst) {
        return new Throttle(newQueriesPerSecond, newBurst, maxConcurrent);
    }

    /** The same with a limit of requests at once. */
    public Throttle withMaxConcurrent(int newMaxConcurrent) {
        return new Throttle(queriesPerSecond, burst, newMaxConcurrent);
    }
}
