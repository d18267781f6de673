package io.github.reconciler4j.spring;

import io.github.reconciler4j.manager.Manager;

/**
 * Published when this replica acquires or loses a lease. Without leader election, it is published once the operator has
 * started. Listeners run on the thread that renews the lease and must return soon; annotate those that take longer with
 * {@code @Async}.
 *
 * @param manager the manager
 * @param lease the name that controllers use for the lease, empty for the lease of the operator
 * @param leading whether this replica leads now; if not, its writes under the lease are already refused
 * @param reason why the lease was lost, empty if it was not lost
 * @since 0.1.0
 */
public record LeadershipEvent(Manager manager, String lease, boolean leading, String reason) {}
