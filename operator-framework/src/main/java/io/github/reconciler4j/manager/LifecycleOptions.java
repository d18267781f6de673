package io.github.reconciler4j.manager;

import java.time.Duration;

/**
 * How a {@link Manager} starts and stops. Immutable.
 *
 * @param gracefulShutdown how long work under way may take to finish at stop (default 30 s); zero interrupts it at once,
 *     a negative value waits without end
 * @param apiServerTimeout how long start waits for the API server to answer (default 2 min); positive
 * @param retryDelay how long after a deferred start the component is tried again for the first time (default 1 s);
 *     positive; doubles up to {@code maxRetryDelay}, with jitter
 * @param maxRetryDelay the longest time between two tries (default 30 s); at least {@code retryDelay}
 * @param progressInterval how often the log says what is being waited for (default 10 s); positive
 * @param startJitter the longest time, chosen at random for each, that components of the groups ALL_REPLICAS and LEADER_ELECTED
 *     wait before their start, so that not all begin their work at once (default none); not negative
 * @param preflight whether to ask for the rights of all components at start (default {@link Preflight#REPORT})
 * @since 0.1.0
 */
public record LifecycleOptions(
        Duration gracefulShutdown,
        Duration apiServerTimeout,
        Duration retryDelay,
        Duration maxRetryDelay,
        Duration progressInterval,
        Duration startJitter,
        Preflight preflight) {

    private static final LifecycleOptions DEFAULTS = new LifecycleOptions(
            Duration.ofSeconds(30),
            Duration.ofMinutes(2),
            Duration.ofSeconds(1),
            Duration.ofSeconds(30),
            Duration.ofSeconds(10),
            Duration.ZERO,
            Preflight.REPORT);

    /** Checks the values. */
    public LifecycleOptions {
        positive(apiServerTimeout, "apiServerTimeout");
        positive(retryDelay, "retryDelay");
        positive(progressInterval, "progressInterval");
        if (startJitter.isNegative()) {
            throw new IllegalArgumentException("'startJitter' must not be negative, was " + startJitter);
        }
        if (maxRetryDelay.compareTo(retryDelay) < 0) {
            throw new IllegalArgumentException(
                    "'maxRetryDelay' must be at least 'retryDelay' (" + retryDelay + "), was " + maxRetryDelay);
        }
    }

    private static void positive(Duration value, String name) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException("'" + name + "' must be positive, was " + value);
        }
    }

    /** The defaults. */
    public static LifecycleOptions defaults() {
        return DEFAULTS;
    }

    /** The same with another grace period. */
    public LifecycleOptions withGracefulShutdown(Duration grace) {
        return new LifecycleOptions(
                grace, apiServerTimeout, retryDelay, maxRetryDelay, progressInterval, startJitter, preflight);
    }

    /** The same with another limit for the API server to answer. */
    public LifecycleOptions withApiServerTimeout(Duration timeout) {
        return new LifecycleOptions(
                gracefulShutdown, timeout, retryDelay, maxRetryDelay, progressInterval, startJitter, preflight);
    }

    /** The same with other times between the tries of a deferred start. */
    public LifecycleOptions withRetryDelays(Duration first, Duration longest) {
        return new LifecycleOptions(
                gracefulShutdown, apiServerTimeout, first, longest, progressInterval, startJitter, preflight);
    }

    /** The same with another time between two log lines about what is being waited for. */
    public LifecycleOptions withProgressInterval(Duration interval) {
        return new LifecycleOptions(
                gracefulShutdown, apiServerTimeout, retryDelay, maxRetryDelay, interval, startJitter, preflight);
    }

    /** The same with another longest time before the start of components, at random for each. */
    public LifecycleOptions withStartJitter(Duration jitter) {
        return new LifecycleOptions(
                gracefulShutdown, apiServerTimeout, retryDelay, maxRetryDelay, progressInterval, jitter, preflight);
    }

    /** The same, asking for rights at start in another way. */
    public LifecycleOptions withPreflight(Preflight mode) {
        return new LifecycleOptions(
                gracefulShutdown, apiServerTimeout, retryDelay, maxRetryDelay, progressInterval, startJitter, mode);
    }
}
