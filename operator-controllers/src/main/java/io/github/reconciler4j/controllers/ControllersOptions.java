package io.github.reconciler4j.controllers;

import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.support.internal.OptionValues;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Settings of Kubernetes' own controllers: the flags of kube-controller-manager for single controllers. Immutable and thread-safe.
 *
 * <!-- snippet: ControllersUse -->
 * <pre>{@code
 * ControllersOptions options = ControllersOptions.defaults()
 *         .withReplicaSetBurst(50)
 *         .withEndpointSliceBatchPeriod(Duration.ofMillis(500));
 * }</pre>
 *
 * @since 0.1.0
 */
public final class ControllersOptions {

    private static final ControllersOptions DEFAULTS = new ControllersOptions(new Values());

    private final Values values;

    private ControllersOptions(Values values) {
        this.values = values;
    }

    /** Return the settings of kube-controller-manager. */
    public static ControllersOptions defaults() {
        return DEFAULTS;
    }

    /** Return where the controllers take the time from; from the system by default. */
    public Clock clock() {
        return values.clock;
    }

    /** Return how many pods are created or deleted for one ReplicaSet at a time; 500 by default. */
    public int replicaSetBurst() {
        return values.replicaSetBurst;
    }

    /** Return the time in which the Endpoints controller collects changes of pods; zero by default. */
    public Duration endpointsBatchPeriod() {
        return values.endpointsBatchPeriod;
    }

    /** Return the time in which the EndpointSlice controller collects changes of pods; zero by default. */
    public Duration endpointSliceBatchPeriod() {
        return values.endpointSliceBatchPeriod;
    }

    /** Return the maximum number of endpoints in a slice; 100 by default. */
    public int maxEndpointsPerSlice() {
        return values.maxEndpointsPerSlice;
    }

    /** Return a copy of these options with another clock, for example in a test. */
    public ControllersOptions withClock(Clock clock) {
        Objects.requireNonNull(clock, "'clock' must not be null");
        return change(copy -> copy.clock = clock);
    }

    /**
     * Return a copy of these options with the given number of pods of a ReplicaSet at a time.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public ControllersOptions withReplicaSetBurst(int pods) {
        return change(copy -> copy.replicaSetBurst = positive(pods, "replicaSetBurst"));
    }

    /**
     * Return a copy of these options with the given time of the Endpoints controller.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public ControllersOptions withEndpointsBatchPeriod(Duration period) {
        return change(copy -> copy.endpointsBatchPeriod = notNegative(period, "endpointsBatchPeriod"));
    }

    /**
     * Return a copy of these options with the given time of the EndpointSlice controller.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public ControllersOptions withEndpointSliceBatchPeriod(Duration period) {
        return change(copy -> copy.endpointSliceBatchPeriod = notNegative(period, "endpointSliceBatchPeriod"));
    }

    /**
     * Return a copy of these options with the given number of endpoints in a slice.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public ControllersOptions withMaxEndpointsPerSlice(int endpoints) {
        return change(copy -> copy.maxEndpointsPerSlice = positive(endpoints, "maxEndpointsPerSlice"));
    }

    private static int positive(int value, String name) {
        if (value < 1) {
            throw new IllegalArgumentException("'" + name + "' must be positive, was " + value);
        }
        return value;
    }

    private static Duration notNegative(Duration value, String name) {
        if (value.isNegative()) {
            throw new IllegalArgumentException("'" + name + "' must not be negative, was " + value);
        }
        return value;
    }

    private ControllersOptions change(Consumer<Values> change) {
        return new ControllersOptions(values.changed(change));
    }

    private static final class Values extends OptionValues<Values> {
        private Clock clock = TimeSource.system().withZone(ZoneOffset.UTC);
        private int replicaSetBurst = 500;
        private Duration endpointsBatchPeriod = Duration.ZERO;
        private Duration endpointSliceBatchPeriod = Duration.ZERO;
        private int maxEndpointsPerSlice = 100;
    }
}
