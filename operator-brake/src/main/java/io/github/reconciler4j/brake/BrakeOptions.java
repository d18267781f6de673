package io.github.reconciler4j.brake;

import io.github.reconciler4j.manager.ManagerExtension;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.internal.OptionValues;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Options of the {@link Brake} of a manager; add them with {@link ManagerOptions#withExtension}. Immutable and thread-safe.
 *
 * <!-- snippet: BrakeUse -->
 * <pre>{@code
 * return options.withExtension(BrakeOptions.defaults()
 *         .withCoverage(BrakeOptions.Coverage.ALL)
 *         .withShare(0.2)
 *         .withMinimum(5));
 * }</pre>
 *
 * @since 0.1.0
 */
public final class BrakeOptions implements ManagerExtension.Options {

    private static final BrakeOptions DEFAULTS = new BrakeOptions(new Values());

    private final Values values;

    private BrakeOptions(Values values) {
        this.values = values;
    }

    /**
     * Which deletions the brake counts.
     *
     * @since 0.1.0
     */
    public enum Coverage {
        /** None. */
        OFF,
        /** What object sets prune. */
        OBJECT_SETS,
        /** All deletions of controllers. */
        ALL
    }

    /** Return the default options. */
    public static BrakeOptions defaults() {
        return DEFAULTS;
    }

    /** Return the options that a manager has, the default ones if it has none. */
    public static BrakeOptions of(ManagerOptions manager) {
        return manager.extensions().stream()
                .filter(BrakeOptions.class::isInstance)
                .map(BrakeOptions.class::cast)
                .findFirst()
                .orElse(DEFAULTS);
    }

    /** Return which deletions the brake counts; {@link Coverage#OBJECT_SETS} by default. */
    public Coverage coverage() {
        return values.coverage;
    }

    /** Return the share of the objects of a kind in the cache that a controller may delete in a window; 0.5 by default. */
    public double share() {
        return values.share;
    }

    /** Return how many objects of a kind a controller may delete in a window, however few there are; 10 by default. */
    public int minimum() {
        return values.minimum;
    }

    /** Return the time in which deletions are counted; a minute by default. */
    public Duration window() {
        return values.window;
    }

    /**
     * Return the Lease that keeps the stops. Empty (the default) is the Lease of the manager's leader election, and without leader election
     * the Lease {@code NAME-brake} in the namespace of the pod.
     */
    public Optional<ObjectKey> lease() {
        return values.lease;
    }

    /** Return a copy of these options that counts the given deletions. */
    public BrakeOptions withCoverage(Coverage coverage) {
        Objects.requireNonNull(coverage, "'coverage' must not be null");
        return change(copy -> copy.coverage = coverage);
    }

    /**
     * Return a copy of these options with the given share.
     *
     * @throws IllegalArgumentException if it is negative, not a number or more than 1
     */
    public BrakeOptions withShare(double share) {
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException("'share' must be between 0 and 1, was " + share);
        }
        return change(copy -> copy.share = share);
    }

    /**
     * Return a copy of these options with the given number of objects that may always be deleted.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public BrakeOptions withMinimum(int minimum) {
        if (minimum < 0) {
            throw new IllegalArgumentException("'minimum' must not be negative, was " + minimum);
        }
        return change(copy -> copy.minimum = minimum);
    }

    /**
     * Return a copy of these options with the given window.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public BrakeOptions withWindow(Duration window) {
        if (window.isNegative() || window.isZero()) {
            throw new IllegalArgumentException("'window' must be positive, was " + window);
        }
        return change(copy -> copy.window = window);
    }

    /** Return a copy of these options that keeps stops in the given Lease of the manager's cluster. */
    public BrakeOptions withLease(ObjectKey lease) {
        Objects.requireNonNull(lease, "'lease' must not be null");
        return change(copy -> copy.lease = Optional.of(lease));
    }

    private BrakeOptions change(Consumer<Values> change) {
        return new BrakeOptions(values.changed(change));
    }

    /** Add the brake to the manager. */
    @Override
    public Optional<ManagerExtension> create(ManagerExtension.Host host) {
        Brake.of(host.manager());
        return Optional.empty();
    }

    @Override
    public String toString() {
        return "BrakeOptions[coverage=" + values.coverage + ", share=" + values.share + ", minimum=" + values.minimum
                + ", window=" + values.window + ", lease=" + values.lease + "]";
    }

    private static final class Values extends OptionValues<Values> {
        private Coverage coverage = Coverage.OBJECT_SETS;
        private double share = 0.5;
        private int minimum = 10;
        private Duration window = Duration.ofMinutes(1);
        private Optional<ObjectKey> lease = Optional.empty();
    }
}
