package io.github.reconciler4j.leaderelection;

import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Settings of leader election. Immutable.
 *
 * @since 0.1.0
 */
public final class LeaderElectionOptions {

    private final String leaseName;
    private final String leaseNamespace;
    private final String identity;
    private final Map<String, String> labels;
    private final LeaseTiming timing;
    private final OnLost onLost;
    private final boolean releaseOnStop;

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

    private LeaderElectionOptions(Draft draft) {
        leaseName = Objects.requireNonNull(draft.leaseName, "'leaseName' must not be null");
        leaseNamespace = Objects.requireNonNull(draft.leaseNamespace, "'leaseNamespace' must not be null");
        identity = Objects.requireNonNull(draft.identity, "'identity' must not be null");
        labels = Map.copyOf(draft.labels);
        timing = Objects.requireNonNull(draft.timing, "'timing' must not be null");
        onLost = Objects.requireNonNull(draft.onLost, "'onLost' must not be null");
        releaseOnStop = draft.releaseOnStop;
        if (leaseName.isBlank()) {
            throw new IllegalArgumentException("'leaseName' must not be blank");
        }
    }

    /**
     * Return the defaults for a Lease of the given name.
     *
     * @throws IllegalArgumentException if the name is blank
     */
    public static LeaderElectionOptions named(String leaseName) {
        return new LeaderElectionOptions(new Draft(leaseName));
    }

    /** Return the name of the Lease. */
    public String leaseName() {
        return leaseName;
    }

    /**
     * Return the namespace of the Lease, {@code ""} (the default) for the namespace of the pod. Outside of a pod it must
     * be set.
     */
    public String leaseNamespace() {
        return leaseNamespace;
    }

    /**
     * Return the identity of this replica, {@code ""} (the default) for the host name, an underscore and a random UUID.
     */
    public String identity() {
        return identity;
    }

    /** Return the labels of the Lease, by default none. */
    public Map<String, String> labels() {
        return labels;
    }

    /** Return the time limits. */
    public LeaseTiming timing() {
        return timing;
    }

    /** Return what the manager does after it lost the lease. The default is {@link OnLost#SHUTDOWN}. */
    public OnLost onLost() {
        return onLost;
    }

    /**
     * Return whether the manager releases the lease at stop, once everything under it has ended. The default is true. A
     * lease is never released while a component under it is still running; it expires instead.
     */
    public boolean releaseOnStop() {
        return releaseOnStop;
    }

    /**
     * Return a copy of these options with the given name of the Lease.
     *
     * @throws IllegalArgumentException if it is blank
     */
    public LeaderElectionOptions withLeaseName(String name) {
        return change(draft -> draft.leaseName = name);
    }

    /** Return a copy of these options with the given namespace of the Lease, {@code ""} for that of the pod. */
    public LeaderElectionOptions withLeaseNamespace(String namespace) {
        return change(draft -> draft.leaseNamespace = namespace);
    }

    /** Return a copy of these options with the given identity. It must differ between replicas. */
    public LeaderElectionOptions withIdentity(String newIdentity) {
        return change(draft -> draft.identity = newIdentity);
    }

    /** Return a copy of these options with the given labels of the Lease. */
    public LeaderElectionOptions withLabels(Map<String, String> newLabels) {
        return change(draft -> draft.labels = newLabels);
    }

    /** Return a copy of these options with the given time limits. */
    public LeaderElectionOptions withTiming(LeaseTiming newTiming) {
        return change(draft -> draft.timing = newTiming);
    }

    /** Return a copy of these options with the given reaction to a lost lease. */
    public LeaderElectionOptions withOnLost(OnLost reaction) {
        return change(draft -> draft.onLost = reaction);
    }

    /** Return a copy of these options that releases the lease at stop, or does not. */
    public LeaderElectionOptions withReleaseOnStop(boolean release) {
        return change(draft -> draft.releaseOnStop = release);
    }

    private LeaderElectionOptions change(Consumer<Draft> change) {
        Draft draft = new Draft(leaseName);
        draft.leaseNamespace = leaseNamespace;
        draft.identity = identity;
        draft.labels = labels;
        draft.timing = timing;
        draft.onLost = onLost;
        draft.releaseOnStop = releaseOnStop;
        change.accept(draft);
        return new LeaderElectionOptions(draft);
    }

    @Override
    public String toString() {
        return "LeaderElectionOptions[leaseName=" + leaseName + ", leaseNamespace=" + leaseNamespace + ", identity="
                + identity + ", labels=" + labels + ", timing=" + timing + ", onLost=" + onLost + ", releaseOnStop="
                + releaseOnStop + "]";
    }

    private static final class Draft {
        private String leaseName;
        private String leaseNamespace = "";
        private String identity = "";
        private Map<String, String> labels = Map.of();
        private LeaseTiming timing = LeaseTiming.defaults();
        private OnLost onLost = OnLost.SHUTDOWN;
        private boolean releaseOnStop = true;

        private Draft(String leaseName) {
            this.leaseName = leaseName;
        }
    }
}
