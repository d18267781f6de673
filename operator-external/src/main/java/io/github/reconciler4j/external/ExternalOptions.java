package io.github.reconciler4j.external;

import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.recorder.EventRecorder;
import io.github.reconciler4j.support.internal.OptionValues;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The times of {@link ExternalResources}, and where they report what happens. Immutable and thread-safe.
 *
 * <!-- snippet: SafetyUse -->
 * <pre>{@code
 * ExternalOptions options = ExternalOptions.defaults()
 *         .withDriftInterval(Duration.ofMinutes(30))
 *         .withWaitInterval(Duration.ofSeconds(5));
 * return ExternalResources.create("bucket", buckets, options);
 * }</pre>
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

    /** Return where events of the owners are recorded; nowhere by default. */
    public Optional<EventRecorder> recorder() {
        return Optional.ofNullable(values.recorder);
    }

    /** Return where calls to the provider are counted; nowhere by default. */
    public OperatorMetrics metrics() {
        return values.metrics;
    }

    /**
     * Return a copy of these options that records an event of the owner when a call to the provider fails, and when a resource is
     * created, deleted or left at the provider. A failure shows the message of your exception to all who may read events.
     */
    public ExternalOptions withRecorder(EventRecorder recorder) {
        Objects.requireNonNull(recorder, "'recorder' must not be null");
        return change(copy -> copy.recorder = recorder);
    }

    /** Return a copy of these options that counts the calls to the provider, and the resources that stay without an owner. */
    public ExternalOptions withMetrics(OperatorMetrics metrics) {
        Objects.requireNonNull(metrics, "'metrics' must not be null");
        return change(copy -> copy.metrics = metrics);
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
        private @Nullable EventRecorder recorder;
        private OperatorMetrics metrics = OperatorMetrics.NONE;
    }
}
