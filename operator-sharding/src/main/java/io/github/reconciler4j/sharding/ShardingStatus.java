package io.github.reconciler4j.sharding;

import java.util.Set;

/**
 * The shards as this replica sees them. Immutable.
 *
 * @param identity the identity of this replica
 * @param count the number of shards
 * @param shards the shards that this replica holds, from 0
 * @param ring what this replica knows of all replicas
 * @param moves how many shards have moved since this replica started
 * @param problem why this replica holds no shards, or does not use the borders of namespaces that the others use; {@code ""} if
 *     neither applies
 * @since 0.1.0
 */
public record ShardingStatus(String identity, int count, Set<Integer> shards, Ring ring, Moves moves, String problem) {

    /**
     * What a replica knows of all replicas. Immutable.
     *
     * @param replicas how many replicas share the shards
     * @param unheld how many shards no live replica holds
     * @param imbalance how many shards the replica with most has more than the one with fewest
     * @since 0.1.0
     */
    public record Ring(int replicas, int unheld, int imbalance) {}

    /**
     * How many shards have moved since this replica started. Immutable.
     *
     * @param acquired how many it has acquired
     * @param released how many it has given away
     * @param lost how many it has lost with its Lease
     * @since 0.1.0
     */
    public record Moves(long acquired, long released, long lost) {

        /** No moves. */
        public static final Moves NONE = new Moves(0, 0, 0);
    }

    /** Create a status. */
    public ShardingStatus {
        shards = Set.copyOf(shards);
    }
}
