package io.github.reconciler4j.manager;

import io.github.reconciler4j.leaderelection.LeaseStatus;
import java.util.List;
import java.util.Optional;

/**
 * The state of a {@link Manager} at one moment. Immutable.
 *
 * <!-- snippet: ManagerUse -->
 * <pre>{@code
 * ManagerStatus status = manager.status();
 * return status.components().stream().allMatch(component -> component.state() == ComponentState.State.RUNNING);
 * }</pre>
 *
 * @param running whether the start has completed and the stop has not been requested
 * @param leader whether this replica holds the lease of the manager; without leader election, whether the manager is running
 * @param components the components, in the order in which they were added
 * @param leases the leases that this replica campaigns for, empty without leader election
 * @param extensions what the extensions of the manager add, see {@link ManagerExtension#status}
 * @since 0.1.0
 */
public record ManagerStatus(
        boolean running,
        boolean leader,
        List<ComponentState> components,
        List<LeaseStatus> leases,
        List<Object> extensions) {

    /** Copy the lists. */
    public ManagerStatus {
        components = List.copyOf(components);
        leases = List.copyOf(leases);
        extensions = List.copyOf(extensions);
    }

    /** Return what an extension adds, empty if none of this type is there. */
    public <S> Optional<S> extension(Class<S> type) {
        return extensions.stream().filter(type::isInstance).map(type::cast).findFirst();
    }
}
