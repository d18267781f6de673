package io.github.reconciler4j.sharding.internal;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Computes which replica shall hold which shard. The result depends on nothing but the arguments, so all replicas that see the
 * same Leases agree.
 *
 * <p>The loads differ by at most one. A shard stays where it is unless its holder has too many, so a replica that joins causes
 * exactly as many moves as it receives shards, and one that leaves as many as it had. Where a shard goes is decided by rendezvous
 * hashing among the replicas that have too few.
 */
final class ShardAssignment {

    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    private ShardAssignment() {}

    /**
     * Assign all shards.
     *
     * @param holders the present holder of each shard, null if it has none
     * @param replicas those that can hold shards; a holder that is not among them has to give its shards away
     * @return the replica that shall hold each shard, null for all shards if there is no replica
     */
    static @Nullable String[] assign(@Nullable String[] holders, Collection<String> replicas) {
        @Nullable String[] assigned = new String[holders.length];
        if (replicas.isEmpty()) {
            return assigned;
        }
        Map<String, List<Integer>> loads = new TreeMap<>();
        replicas.forEach(replica -> loads.put(replica, new ArrayList<>()));
        for (int shard = 0; shard < holders.length; shard++) {
            List<Integer> load = holders[shard] == null ? null : loads.get(holders[shard]);
            if (load != null) {
                load.add(shard);
            }
        }
        Map<String, Integer> quotas = quotas(loads, holders.length);
        loads.forEach((replica, load) -> keep(replica, load, quotas.getOrDefault(replica, 0)));
        loads.forEach((replica, load) -> load.forEach(shard -> assigned[shard] = replica));
        for (int shard = 0; shard < assigned.length; shard++) {
            if (assigned[shard] == null) {
                Map.Entry<String, List<Integer>> best = best(shard, loads, quotas);
                best.getValue().add(shard);
                assigned[shard] = best.getKey();
            }
        }
        return assigned;
    }

    /** The quotas add up to the number of shards. Replicas that have more than others now may keep one more. */
    private static Map<String, Integer> quotas(Map<String, List<Integer>> loads, int shards) {
        int least = shards / loads.size();
        int more = shards % loads.size();
        List<Map.Entry<String, List<Integer>>> largestFirst = new ArrayList<>(loads.entrySet());
        largestFirst.sort(Comparator.comparingInt((Map.Entry<String, List<Integer>> load) ->
                        -load.getValue().size())
                .thenComparingLong(load -> score(-1, load.getKey())));
        Map<String, Integer> quotas = new HashMap<>();
        largestFirst.forEach(load -> quotas.put(load.getKey(), quotas.size() < more ? least + 1 : least));
        return quotas;
    }

    /** Keep those shards that rendezvous hashing would rather give to this replica. */
    private static void keep(String replica, List<Integer> load, int quota) {
        if (load.size() > quota) {
            load.sort(Comparator.comparingLong(shard -> -score(shard, replica)));
            load.subList(quota, load.size()).clear();
        }
    }

    private static Map.Entry<String, List<Integer>> best(
            int shard, Map<String, List<Integer>> loads, Map<String, Integer> quotas) {
        return loads.entrySet().stream()
                .filter(load -> load.getValue().size() < quotas.getOrDefault(load.getKey(), 0))
                .max(Comparator.comparingLong(load -> score(shard, load.getKey())))
                .orElseThrow();
    }

    /** A hash that is never negative and never the same for all shards of a replica. */
    private static long score(int shard, String replica) {
        long hash = FNV_OFFSET;
        for (byte next : replica.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ next & 0xff) * FNV_PRIME;
        }
        hash += shard * 0x9e3779b97f4a7c15L;
        hash = (hash ^ hash >>> 30) * 0xbf58476d1ce4e5b9L;
        hash = (hash ^ hash >>> 27) * 0x94d049bb133111ebL;
        return (hash ^ hash >>> 31) >>> 1;
    }
}
