/**
 * Leader election with a Lease ({@code coordination.k8s.io/v1}). It is enabled with
 * {@code ManagerOptions.withLeaderElection(LeaderElectionOptions.named("my-operator"))}. The replica that holds the lease runs
 * the components of the group {@code LEADER_ELECTED}; the others keep their caches in sync and wait.
 *
 * <p>{@link io.github.reconciler4j.leaderelection.LeaderElectionOptions} and
 * {@link io.github.reconciler4j.leaderelection.LeaseTiming} are the settings.
 * {@link io.github.reconciler4j.leaderelection.LeadershipListener} is notified of changes.
 * {@link io.github.reconciler4j.leaderelection.WriteScope} ties the writes of a thread to a lease: a component that starts
 * threads itself passes its scope on with {@code WriteScope.inherit}, and a write is refused when the lease is lost.
 */
@NullMarked
package io.github.reconciler4j.leaderelection;

import org.jspecify.annotations.NullMarked;
