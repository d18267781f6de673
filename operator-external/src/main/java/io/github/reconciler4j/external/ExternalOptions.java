package io.github.reconciler4j.external;

import io.github.reconciler4j.support.internal.OptionValues;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * The times of {@link ExternalResources}. Immutable and thread-safe.
 *
 * @since 0.1.0
 */
public final class ExternalOptions {

    private static final ExternalOptions DEFAULTS = new ExternalOptions(new Values());

    private final Values values;

    private ExternalOptions(Values values) {
        this.values = values;
    }

    /** Return the default options. */
    public static ExternalOptions defaults() {
        return DEFAULTS;
    }

    /**
     * Return after which time a resource is observed again although nothing has changed; 10 minutes by default. Each owner has a time
     * of its own that differs by up to a tenth, so that not all are observed at once.
     */
    public Duration driftInterval() {
        return values.driftInterval;
    }

    /** Return after which time a resource that is created, updated or deleted is observed again; 5 seconds by default. */
    public Duration waitInterval() {
        return values.waitInterval;
    }

    /**
     * Return the longest time from the start of a creation or deletion until {@code observe} shows it; 30 seconds by default. The time
     * limit of your client and the delay of your provider are part of it. "Not found" counts only after twice this time. Zero is for
     * tests with a provider that shows everything at once.
     */
    public Duration settleTime() {
        return values.settleTime;
    }

    /**
     * Return a copy of these options with an interval for the observation of resources that are as they should be.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public ExternalOptions withDriftInterval(Duration interval) {
        return change(copy -> copy.driftInterval = positive("driftInterval", interval));
    }

    /**
     * Return a copy of these options with an interval for resources that are being changed.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public ExternalOptions withWaitInterval(Duration interval) {
        return change(copy -> copy.waitInterval = positive("waitInterval", interval));
    }

    /**
     * Return a copy of these options with a settle time.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public ExternalOptions withSettleTime(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("'settleTime' must not be negative, was " + time);
        }
        return change(copy -> copy.settleTime = time);
    }

    private static Duration positive(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException("'" + name + "' must be positive, was " + value);
        }
        return value;
    }

    private ExternalOptions change(Consumer<Values> change) {
        return new ExternalOptions(values.changed(change));
    }

    @Override
    public String toString() {
        return "ExternalOptions[driftInterval=" + values.driftInterval + ", waitInterval=" + values.waitInterval
                + ", settleTime=" + values.settleTime + "]";
    }

    private static final class Values extends OptionValues<Values> {
        private Duration driftInterval = Duration.ofMinutes(10);
        private Duration waitInterval = Duration.ofSeconds(5);
        private Duration settleTime = Duration.ofSeconds(30);
    }
}
