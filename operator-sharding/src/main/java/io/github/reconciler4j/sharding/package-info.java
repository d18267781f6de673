/**
 * Sharding: the replicas of an operator divide the objects among themselves. All objects belong to a fixed number of shards, each
 * replica holds some of the shards, and each shard is held by at most one replica at any time. Replicas that start, end or fail
 * change who holds a shard; the number of shards never changes while the operator runs.
 *
 * <p>{@link io.github.reconciler4j.sharding.ShardingOptions} are the settings, and
 * {@link io.github.reconciler4j.sharding.ShardHandler} is what works on the shards of this replica. The replicas coordinate through Leases
 * ({@code coordination.k8s.io/v1}) alone. Nothing is written to the objects themselves.
 */
@Incubating
@NullMarked
package io.github.reconciler4j.sharding;

import io.github.reconciler4j.support.Incubating;
import org.jspecify.annotations.NullMarked;
