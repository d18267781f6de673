package io.github.reconciler4j.manager;

import io.github.reconciler4j.manager.permission.Preflight;
import io.github.reconciler4j.support.internal.Durations;
import io.github.reconciler4j.support.internal.OptionValues;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Settings of how a {@link Manager} starts and stops. Immutable.
 *
 * <!-- snippet: ManagerUse -->
 * <pre>{@code
 * .withLifecycle(LifecycleOptions.defaults().withGracefulShutdown(Duration.ofSeconds(20)))
 * }</pre>
 *
 * @since 0.1.0
 */
public final class LifecycleOptions {

    private static final LifecycleOptions DEFAULTS = new LifecycleOptions(new Values());

    private final Values values;

    private LifecycleOptions(Values values) {
        Objects.requireNonNull(values.gracefulShutdown, "'gracefulShutdown' must not be null");
        Durations.positive(values.apiServerTimeout, "apiServerTimeout");
        Durations.positive(values.retryDelay, "retryDelay");
        Objects.requireNonNull(values.maxRetryDelay, "'maxRetryDelay' must not be null");
        Durations.positive(values.progressInterval, "progressInterval");
        Objects.requireNonNull(values.startJitter, "'startJitter' must not be null");
        Objects.requireNonNull(values.preflight, "'preflight' must not be null");
        if (values.startJitter.isNegative()) {
            throw new IllegalArgumentException("'startJitter' must not be negative, was " + values.startJitter);
        }
        if (values.maxRetryDelay.compareTo(values.retryDelay) < 0) {
            throw new IllegalArgumentException("'maxRetryDelay' must be at least 'retryDelay' (" + values.retryDelay
                    + "), was " + values.maxRetryDelay);
        }
        this.values = values;
    }

    /** Return the defaults. */
    public static LifecycleOptions defaults() {
        return DEFAULTS;
    }

    /**
     * Return the grace period: how long running work may take to finish at shutdown. The default is 30 seconds. Zero
     * interrupts it immediately, a negative value waits without limit.
     */
    public Duration gracefulShutdown() {
        return values.gracefulShutdown;
    }

    /** Return how long the start waits for the API server to respond. The default is 2 minutes. */
    public Duration apiServerTimeout() {
        return values.apiServerTimeout;
    }

    /** Return the delay before the first retry of a component that is not ready. The default is 1 second. */
    public Duration retryDelay() {
        return values.retryDelay;
    }

    /** Return the maximum delay between two retries of a component. The default is 30 seconds. */
    public Duration maxRetryDelay() {
        return values.maxRetryDelay;
    }

    /** Return how often the log reports what a start or stop waits for. The default is 10 seconds. */
    public Duration progressInterval() {
        return values.progressInterval;
    }

    /**
     * Return the maximum random delay before the start of each component of the groups {@link StartGroup#ALL_REPLICAS}
     * and {@link StartGroup#LEADER_ELECTED}. The default is zero.
     */
    public Duration startJitter() {
        return values.startJitter;
    }

    /** Return whether the start checks the required permissions. The default is {@link Preflight#REPORT}. */
    public Preflight preflight() {
        return values.preflight;
    }

    /**
     * Return a copy of these options with the given grace period.
     *
     * @param gracePeriod zero to interrupt running work immediately, negative to wait without limit
     */
    public LifecycleOptions withGracefulShutdown(Duration gracePeriod) {
        return change(copy -> copy.gracefulShutdown = gracePeriod);
    }

    /**
     * Return a copy of these options with the given time limit for the API server to respond.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public LifecycleOptions withApiServerTimeout(Duration timeout) {
        return change(copy -> copy.apiServerTimeout = timeout);
    }

    /**
     * Return a copy of these options with the given delays between the start attempts of a component that is not ready.
     * The delay doubles from the first to the maximum value and is up to 20 percent longer, at random.
     *
     * @throws IllegalArgumentException if the first delay is not positive or exceeds the maximum
     */
    public LifecycleOptions withRetryDelays(Duration first, Duration max) {
        return change(copy -> {
            copy.retryDelay = first;
            copy.maxRetryDelay = max;
        });
    }

    /**
     * Return a copy of these options with the given interval between log messages about what is being waited for.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public LifecycleOptions withProgressInterval(Duration interval) {
        return change(copy -> copy.progressInterval = interval);
    }

    /**
     * Return a copy of these options with the given maximum random delay before the start of each component.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public LifecycleOptions withStartJitter(Duration jitter) {
        return change(copy -> copy.startJitter = jitter);
    }

    /** Return a copy of these options with the given permission check. */
    public LifecycleOptions withPreflight(Preflight mode) {
        return change(copy -> copy.preflight = mode);
    }

    private LifecycleOptions change(Consumer<Values> change) {
        return new LifecycleOptions(values.changed(change));
    }

    @Override
    public String toString() {
        return "LifecycleOptions[gracefulShutdown=" + values.gracefulShutdown + ", apiServerTimeout="
                + values.apiServerTimeout
                + ", retryDelay=" + values.retryDelay + ", maxRetryDelay=" + values.maxRetryDelay
                + ", progressInterval="
                + values.progressInterval + ", startJitter=" + values.startJitter + ", preflight=" + values.preflight
                + "]";
    }

    private static final class Values extends OptionValues<Values> {
        private Duration gracefulShutdown = Duration.ofSeconds(30);
        private Duration apiServerTimeout = Duration.ofMinutes(2);
        private Duration retryDelay = Duration.ofSeconds(1);
        private Duration maxRetryDelay = Duration.ofSeconds(30);
        private Duration progressInterval = Duration.ofSeconds(10);
        private Duration startJitter = Duration.ZERO;
        private Preflight preflight = Preflight.REPORT;
    }
}
