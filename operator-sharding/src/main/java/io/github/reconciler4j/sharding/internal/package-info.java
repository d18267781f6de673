/**
 * The coordination of the replicas that share shards. {@link io.github.reconciler4j.sharding.internal.ShardRing} is the algorithm,
 * one step at a time and without threads; start there. {@link io.github.reconciler4j.sharding.internal.ShardAssignment} computes
 * who shall hold which shard. {@link io.github.reconciler4j.sharding.internal.ShardCoordinator} runs both with real threads.
 *
 * <p>For the {@code member} package only.
 */
@NullMarked
package io.github.reconciler4j.sharding.internal;

import org.jspecify.annotations.NullMarked;
