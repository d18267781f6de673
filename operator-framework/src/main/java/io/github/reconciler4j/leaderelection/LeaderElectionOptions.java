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
 * @param whenLost what the manager does after losing the lease (default {@link WhenLost#END})
 * @param releaseOnStop whether the lease is given back at stop, after everything under it has ended (default true); a
 *     lease whose work has not ended is never given back but runs out
 */
public record LeaderElectionOptions(
        String leaseName,
        String leaseNamespace,
        String identity,
        Map<String, String> labels,
        LeaseTiming timing,
        WhenLost whenLost,
        boolean releaseOnStop) {

    /** Checks the name and copies the labels. */
    public LeaderElectionOptions {
        if (leaseName.isBlank()) {
            throw new IllegalArgumentException("'leaseName' must not be blank");
        }
        labels = Map.copyOf(labels);
    }

    /** What a manager does after losing the lease. */
    public enum WhenLost {
        /** It stops all components, and {@code await} throws; the application then ends the process. */
        END,
        /** It interrupts and stops what runs under the lease, and stands for election again. */
        STAND_AGAIN
    }

    /** Leader election with a Lease of this name and defaults otherwise. */
    public static LeaderElectionOptions named(String leaseName) {
        return new LeaderElectionOptions(leaseName, "", "", Map.of(), LeaseTiming.defaults(), WhenLost.END, true);
    }

    /** The same with another Lease name. */
    public LeaderElectionOptions withLeaseName(String name) {
        return new LeaderElectionOptions(name, leaseNamespace, identity, labels, timing, whenLost, releaseOnStop);
    }

    /** The same with the Lease in this namespace. */
    public LeaderElectionOptions withLeaseNamespace(String namespace) {
        return new LeaderElectionOptions(leaseName, namespace, identity, labels, timing, whenLost, releaseOnStop);
    }

    /** The same with another identity. */
    public LeaderElectionOptions withIdentity(String newIdentity) {
        return new LeaderElectionOptions(
                leaseName, leaseNamespace, newIdentity, labels, timing, whenLost, releaseOnStop);
    }

    /** The same with these labels on the Lease. */
    public LeaderElectionOptions withLabels(Map<String, String> newLabels) {
        return new LeaderElectionOptions(
                leaseName, leaseNamespace, identity, newLabels, timing, whenLost, releaseOnStop);
    }

    /** The same with other times. */
    public LeaderElectionOptions withTiming(LeaseTiming newTiming) {
        return new LeaderElectionOptions(
                leaseName, leaseNamespace, identity, labels, newTiming, whenLost, releaseOnStop);
    }

    /** The same with another consequence of losing the lease. */
    public LeaderElectionOptions withWhenLost(WhenLost consequence) {
        return new LeaderElectionOptions(
                leaseName, leaseNamespace, identity, labels, timing, consequence, releaseOnStop);
    }

    /** The same, giving the lease back at stop or not. */
    public LeaderElectionOptions withReleaseOnStop(boolean release) {
        return new LeaderElectionOptions(leaseName, leaseNamespace, identity, labels, timing, whenLost, release);
    }
}
