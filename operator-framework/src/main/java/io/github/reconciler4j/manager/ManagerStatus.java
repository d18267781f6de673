package io.github.reconciler4j.manager;

import io.github.reconciler4j.leaderelection.LeaseStatus;
import java.util.List;

/**
 * The state of a {@link Manager} at one moment. Immutable.
 *
 * @param running whether the start has completed and the stop has not been requested
 * @param components the components, in the order in which they were added
 * @param leases the leases that this replica campaigns for, empty without leader election
 * @since 0.1.0
 */
public record ManagerStatus(boolean running, List<ComponentStatus> components, List<LeaseStatus> leases) {

    /** Copy the lists. */
    public ManagerStatus {
        components = List.copyOf(components);
        leases = List.copyOf(leases);
    }
}
