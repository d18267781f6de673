package io.github.reconciler4j.leaderelection;

import java.util.Map;

/**
 * How one leader among several replicas is chosen. Immutable.
 *
 * @param leaseName the name of the Lease; must not be blank
 * @param leaseNamespace its namespace; {@code ""} (the default) is the namespace of the pod, and an error outside of one
 * @param identity who this replica is; {@code ""} (the default) is the host name, {@code _} and a random UUID
 * @param labels labels put on the Lease (default none)
 * @param timing how long everything takes
 * @param onLost what the manager does after losing the lease (default {@link OnLost#SHUTDOWN})
 * @param releaseOnStop whether the lease is given back at stop, after everything under it has ended (default true); a
 *     lease whose work has not ended is never given back but runs out
 * @since 0.1.0
 */
public record LeaderElectionOptions(
        String leaseName,
        String leaseNamespace,
        String identity,
        Map<String, String> labels,
        LeaseTiming timing,
        OnLost onLost,
        boolean releaseOnStop) {

    /** Checks the name and copies the labels. */
    public LeaderElectionOptions {
        if (leaseName.isBlank()) {
            throw new IllegalArgumentException("'leaseName' must not be blank");
        }
        labels = Map.copyOf(labels);
    }

    /**
     * What a manager does after losing the lease.
     *
     * @since 0.1.0
     */
    public enum OnLost {
        /** It stops all components, and {@code await} throws; the application then ends the process. */
        SHUTDOWN,
        /** It interrupts and stops what runs under the lease, and stands for election again. */
        REJOIN
    }

    /** Leader election with a Lease of this name and defaults otherwise. */
    public static LeaderElectionOptions named(String leaseName) {
        return new LeaderElectionOptions(leaseName, "", "", Map.of(), LeaseTiming.defaults(), OnLost.SHUTDOWN, true);
    }

    /** The same with another Lease name. */
    public LeaderElectionOptions withLeaseName(String name) {
        return new LeaderElectionOptions(name, leaseNamespace, identity, labels, timing, onLost, releaseOnStop);
    }

    /** The same with the Lease in this namespace. */
    public LeaderElectionOptions withLeaseNamespace(String namespace) {
        return new LeaderElectionOptions(leaseName, namespace, identity, labels, timing, onLost, releaseOnStop);
    }

    /** The same with another identity. */
    public LeaderElectionOptions withIdentity(String newIdentity) {
        return new LeaderElectionOptions(leaseName, leaseNamespace, newIdentity, labels, timing, onLost, releaseOnStop);
    }

    /** The same with these labels on the Lease. */
    public LeaderElectionOptions withLabels(Map<String, String> newLabels) {
        return new LeaderElectionOptions(leaseName, leaseNamespace, identity, newLabels, timing, onLost, releaseOnStop);
    }

    /** The same with other times. */
    public LeaderElectionOptions withTiming(LeaseTiming newTiming) {
        return new LeaderElectionOptions(leaseName, leaseNamespace, identity, labels, newTiming, onLost, releaseOnStop);
    }

    /** The same with another consequence of losing the lease. */
    public LeaderElectionOptions withOnLost(OnLost consequence) {
        return new LeaderElectionOptions(
                leaseName, leaseNamespace, identity, labels, timing, consequence, releaseOnStop);
    }

    /** The same, giving the lease back at stop or not. */
    public LeaderElectionOptions withReleaseOnStop(boolean release) {
        return new LeaderElectionOptions(leaseName, leaseNamespace, identity, labels, timing, onLost, release);
    }
}
