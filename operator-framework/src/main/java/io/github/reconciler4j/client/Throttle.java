package io.github.reconciler4j.client;

import io.github.reconciler4j.support.internal.OptionValues;
import java.util.function.Consumer;

/**
 * Limits on the requests of a client. Immutable and thread-safe.
 *
 * <!-- snippet: ClientSettings -->
 * <pre>{@code
 * return ClientOptions.defaults()
 *         .withTimeout(Duration.ofSeconds(10))
 *         .withThrottle(Throttle.off().withRate(50, 100).withMaxConcurrent(20))
 *         .withUncached(Secret.class);
 * }</pre>
 *
 * @since 0.1.0
 */
public final class Throttle {

    private static final Throttle OFF = new Throttle(new Values());

    private final Values values;

    private Throttle(Values values) {
        this.values = values;
    }

    /** Return a throttle without limits. */
    public static Throttle off() {
        return OFF;
    }

    /** Return the maximum number of requests per second in the long run, 0 (the default) for no limit. */
    public double queriesPerSecond() {
        return values.queriesPerSecond;
    }

    /** Return how many requests may be sent at once after a quiet period; at least 1 if the rate is limited. */
    public int burst() {
        return values.burst;
    }

    /** Return the maximum number of concurrent requests, 0 (the default) for no limit. */
    public int maxConcurrent() {
        return values.maxConcurrent;
    }

    /**
     * Return a copy of this throttle with the given rate.
     *
     * @param queriesPerSecond the maximum number of requests per second, 0 for no limit
     * @param burst how many requests may be sent at once after a quiet period
     * @throws IllegalArgumentException if the rate is negative or not finite, or if it is positive and the burst is less
     *     than 1
     */
    public Throttle withRate(double queriesPerSecond, int burst) {
        if (!(queriesPerSecond >= 0 && queriesPerSecond < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("'queriesPerSecond' must be at least 0, was " + queriesPerSecond);
        }
        if (queriesPerSecond > 0 && burst < 1) {
            throw new IllegalArgumentException("'burst' must be at least 1, was " + burst);
        }
        return change(copy -> {
            copy.queriesPerSecond = queriesPerSecond;
            copy.burst = burst;
        });
    }

    /**
     * Return a copy of this throttle with the given maximum number of concurrent requests, 0 for no limit.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Throttle withMaxConcurrent(int maxConcurrent) {
        if (maxConcurrent < 0) {
            throw new IllegalArgumentException("'maxConcurrent' must be at least 0, was " + maxConcurrent);
        }
        return change(copy -> copy.maxConcurrent = maxConcurrent);
    }

    private Throttle change(Consumer<Values> change) {
        return new Throttle(values.changed(change));
    }

    @Override
    public String toString() {
        return "Throttle[queriesPerSecond=" + values.queriesPerSecond + ", burst=" + values.burst + ", maxConcurrent="
                + values.maxConcurrent + "]";
    }

    private static final class Values extends OptionValues<Values> {
        private double queriesPerSecond;
        private int burst;
        private int maxConcurrent;
    }
}
