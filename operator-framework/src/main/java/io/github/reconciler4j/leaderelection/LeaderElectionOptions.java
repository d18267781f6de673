package io.github.reconciler4j.leaderelection;

import io.github.reconciler4j.support.internal.OptionValues;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Settings of leader election. Immutable.
 *
 * <!-- snippet: ElectedOperator -->
 * <pre>{@code
 * return ManagerOptions.defaults().withLeaderElection(LeaderElectionOptions.named("my-operator"));
 * }</pre>
 *
 * @since 0.1.0
 */
public final class LeaderElectionOptions {

    /**
     * What a manager does after it lost the lease.
     *
     * @since 0.1.0
     */
    public enum OnLost {
        /** Stop all components and let {@code Manager.await} throw, so that the application ends the process. */
        SHUTDOWN,
        /** Interrupt and stop the components that run under the lease, then campaign again. */
        REJOIN
    }

    private final Values values;

    private LeaderElectionOptions(Values values) {
        Objects.requireNonNull(values.leaseName, "'leaseName' must not be null");
        Objects.requireNonNull(values.leaseNamespace, "'leaseNamespace' must not be null");
        Objects.requireNonNull(values.identity, "'identity' must not be null");
        values.labels = Map.copyOf(values.labels);
        Objects.requireNonNull(values.timing, "'timing' must not be null");
        Objects.requireNonNull(values.onLost, "'onLost' must not be null");
        if (values.leaseName.isBlank()) {
            throw new IllegalArgumentException("'leaseName' must not be blank");
        }
        this.values = values;
    }

    /**
     * Return the defaults for a Lease of the given name.
     *
     * @throws IllegalArgumentException if the name is blank
     */
    public static LeaderElectionOptions named(String leaseName) {
        return new LeaderElectionOptions(new Values(leaseName));
    }

    /** Return the name of the Lease. */
    public String leaseName() {
        return values.leaseName;
    }

    /**
     * Return the namespace of the Lease, {@code ""} (the default) for the namespace of the pod. Outside of a pod it must
     * be set.
     */
    public String leaseNamespace() {
        return values.leaseNamespace;
    }

    /**
     * Return the identity of this replica, {@code ""} (the default) for the host name, an underscore and a random UUID.
     */
    public String identity() {
        return values.identity;
    }

    /** Return the labels of the Lease, by default none. */
    public Map<String, String> labels() {
        return values.labels;
    }

    /** Return the time limits. */
    public LeaseTiming timing() {
        return values.timing;
    }

    /** Return what the manager does after it lost the lease. The default is {@link OnLost#SHUTDOWN}. */
    public OnLost onLost() {
        return values.onLost;
    }

    /**
     * Return whether the manager releases the lease at stop, once everything under it has ended. The default is true. A
     * lease is never released while a component under it is still running; it expires instead.
     */
    public boolean releaseOnStop() {
        return values.releaseOnStop;
    }

    /**
     * Return a copy of these options with the given name of the Lease.
     *
     * @throws IllegalArgumentException if it is blank
     */
    public LeaderElectionOptions withLeaseName(String name) {
        return change(copy -> copy.leaseName = name);
    }

    /** Return a copy of these options with the given namespace of the Lease, {@code ""} for that of the pod. */
    public LeaderElectionOptions withLeaseNamespace(String namespace) {
        return change(copy -> copy.leaseNamespace = namespace);
    }

    /** Return a copy of these options with the given identity. It must differ between replicas. */
    public LeaderElectionOptions withIdentity(String newIdentity) {
        return change(copy -> copy.identity = newIdentity);
    }

    /** Return a copy of these options with the given labels of the Lease. */
    public LeaderElectionOptions withLabels(Map<String, String> newLabels) {
        return change(copy -> copy.labels = newLabels);
    }

    /** Return a copy of these options with the given time limits. */
    public LeaderElectionOptions withTiming(LeaseTiming newTiming) {
        return change(copy -> copy.timing = newTiming);
    }

    /** Return a copy of these options with the given reaction to a lost lease. */
    public LeaderElectionOptions withOnLost(OnLost reaction) {
        return change(copy -> copy.onLost = reaction);
    }

    /** Return a copy of these options that releases the lease at stop, or does not. */
    public LeaderElectionOptions withReleaseOnStop(boolean release) {
        return change(copy -> copy.releaseOnStop = release);
    }

    private LeaderElectionOptions change(Consumer<Values> change) {
        return new LeaderElectionOptions(values.changed(change));
    }

    @Override
    public String toString() {
        return "LeaderElectionOptions[leaseName=" + values.leaseName + ", leaseNamespace=" + values.leaseNamespace
                + ", identity="
                + values.identity + ", labels=" + values.labels + ", timing=" + values.timing + ", onLost="
                + values.onLost + ", releaseOnStop="
                + values.releaseOnStop + "]";
    }

    private static final class Values extends OptionValues<Values> {
        private String leaseName;
        private String leaseNamespace = "";
        private String identity = "";
        private Map<String, String> labels = Map.of();
        private LeaseTiming timing = LeaseTiming.defaults();
        private OnLost onLost = OnLost.SHUTDOWN;
        private boolean releaseOnStop = true;

        private Values(String leaseName) {
            this.leaseName = leaseName;
        }
    }
}
