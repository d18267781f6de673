package io.github.reconciler4j.sharding.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ShardAssignmentTests {

    @Test
    void assignWhenThereIsNoReplicaAssignsNothing() {
        assertThat(ShardAssignment.assign(new String[] {"gone", null}, List.of()))
                .containsExactly(null, null);
    }

    @Test
    void assignWhenReplicasComeAndGoIsEvenAndMovesAsFewShardsAsPossible() {
        Random random = new Random(1);
        for (int shards : new int[] {1, 2, 16, 17, 256}) {
            List<String> replicas = new ArrayList<>(List.of("r0"));
            @Nullable String[] holders = ShardAssignment.assign(new String[shards], replicas);
            for (int i = 1; i < 60; i++) {
                if (replicas.size() == 1 || random.nextInt(3) > 0) {
                    replicas.add("r" + i);
                } else {
                    replicas.remove(random.nextInt(replicas.size()));
                }
                @Nullable String[] before = holders;
                holders = ShardAssignment.assign(before, replicas);
                List<Integer> loads = loads(holders, replicas);
                assertThat(Collections.max(loads) - Collections.min(loads)).isLessThanOrEqualTo(1);
                assertThat(loads.stream().mapToInt(load -> load).sum()).isEqualTo(shards);
                assertThat(moves(before, holders)).isEqualTo(fewestMoves(before, replicas));
            }
        }
    }

    @Test
    void assignWhenReplicasAreInAnotherOrderIsTheSame() {
        String[] holders = {"a", null, "b", "b", "b", "b", null, null};
        assertThat(ShardAssignment.assign(holders, List.of("c", "b", "a")))
                .isEqualTo(ShardAssignment.assign(holders, List.of("a", "b", "c")));
    }

    @Test
    void assignWhenAReplicaEndsSpreadsItsShards() {
        List<String> replicas = List.of("a", "b", "c", "d", "e");
        @Nullable String[] holders = ShardAssignment.assign(new String[100], replicas);
        @Nullable String[] after = ShardAssignment.assign(holders, replicas.subList(1, 5));
        assertThat(loads(after, replicas)).containsExactly(0, 25, 25, 25, 25);
    }

    private static List<Integer> loads(@Nullable String[] holders, List<String> replicas) {
        return replicas.stream()
                .map(replica -> Collections.frequency(Arrays.asList(holders), replica))
                .toList();
    }

    private static int moves(@Nullable String[] before, @Nullable String[] after) {
        int moves = 0;
        for (int shard = 0; shard < before.length; shard++) {
            moves += after[shard].equals(before[shard]) ? 0 : 1;
        }
        return moves;
    }

    /** Each replica keeps what it has up to its quota; the largest have the larger quotas. */
    private static int fewestMoves(@Nullable String[] before, List<String> replicas) {
        List<Integer> loads = new ArrayList<>(loads(before, replicas));
        loads.sort(Collections.reverseOrder());
        int kept = 0;
        for (int i = 0; i < loads.size(); i++) {
            int quota = before.length / loads.size() + (i < before.length % loads.size() ? 1 : 0);
            kept += Math.min(loads.get(i), quota);
        }
        return before.length - kept;
    }
}
