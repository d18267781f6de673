package io.github.reconciler4j.spring;

import io.github.reconciler4j.manager.Manager;

/**
 * Published in the application when this replica wins or loses a lease; without leader election once, when the operator
 * has started. Listeners are called by the thread that renews the lease and must return soon: make those that work
 * {@code @Async}.
 *
 * @param manager the operator
 * @param lease the lease as controllers name it, empty for that of the operator
 * @param leading whether this replica leads now; if not, its writes under the lease are refused already
 * @param reason why the lease was lost, empty if it was not
 * @since 0.1.0
 */
public record LeadershipEvent(Manager manager, String lease, boolean leading, String reason) {}
