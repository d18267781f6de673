package io.github.reconciler4j.sharding.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.cache.Partition;
import io.github.reconciler4j.leaderelection.internal.LeaseRecord;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a ring of replicas does in virtual time without random faults. */
@Timeout(300)
class ShardRingTests {

    private static final Duration BOUND = Duration.ofSeconds(20);

    private final SimulatedRing ring = new SimulatedRing(1, 16, Duration.ofMinutes(3));

    private void join(int replicas) {
        for (int i = 0; i < replicas; i++) {
            ring.join(Duration.ZERO);
        }
    }

    private void at(int seconds, Runnable action) {
        ring.simulation.at(Duration.ofSeconds(seconds), action);
    }

    private void run() throws InterruptedException {
        ring.run();
    }

    @Test
    void stepWhenReplicasStartTogetherSharesTheShardsEvenly() throws Exception {
        join(5);
        at(30, () -> assertThat(ring.loads()).containsExactlyInAnyOrder(4, 3, 3, 3, 3));
        run();
        assertThat(ring.loads().stream().mapToInt(load -> load).sum()).isEqualTo(16);
    }

    /** So that each replica lists its objects once. */
    @Test
    void stepWhenReplicasStartTogetherStartsAllShardsOfAReplicaAtOnce() throws Exception {
        ring.join(Duration.ZERO);
        ring.join(Duration.ofMillis(500));
        run();
        assertThat(ring.starts).containsOnly(Map.entry("r0", List.of(8)), Map.entry("r1", List.of(8)));
        assertThat(ring.moves).isEqualTo(16);
    }

    @Test
    void stepWhenAReplicaIsAloneAcquiresAllShardsAfterTheWaitForOthers() throws Exception {
        join(1);
        at(3, () -> assertThat(ring.starts.get("r0")).containsExactly(16));
        run();
    }

    @Test
    void stepWhenAReplicaJoinsOneThatHoldsAllMovesAtMostAQuarterAtATime() throws Exception {
        SimulatedRing large = new SimulatedRing(1, 64, Duration.ofMinutes(1));
        large.join(Duration.ZERO);
        large.join(Duration.ofSeconds(20));
        large.run();
        assertThat(large.moves).isEqualTo(64 + 32);
        assertThat(large.starts.get("r1"))
                .hasSizeBetween(2, 6)
                .allMatch(some -> some <= 16)
                .anyMatch(some -> some > 4);
    }

    @Test
    void stepWhenNothingMovesWritesNoLeaseOfAShard() throws Exception {
        join(4);
        int[] writes = new int[2];
        at(60, () -> writes[0] = ring.store.shardWrites);
        at(179, () -> writes[1] = ring.store.shardWrites);
        run();
        assertThat(writes[0]).isGreaterThanOrEqualTo(16);
        assertThat(writes[1]).isEqualTo(writes[0]);
    }

    @Test
    void stepWhenAReplicaJoinsMovesItsPartOnly() throws Exception {
        join(3);
        int[] moves = new int[1];
        at(60, () -> moves[0] = ring.moves);
        ring.join(Duration.ofSeconds(61));
        run();
        assertThat(ring.moves - moves[0]).isEqualTo(4);
        assertThat(ring.loads()).containsOnly(4);
    }

    @Test
    void stepWhenAReplicaCrashesItsShardsMoveWithinTheBound() throws Exception {
        for (int seed = 1; seed <= 20; seed++) {
            SimulatedRing each = new SimulatedRing(seed, 16, Duration.ofMinutes(3));
            for (int i = 0; i < 4; i++) {
                each.join(Duration.ZERO);
            }
            each.simulation.at(Duration.ofSeconds(59), each::measureIdle);
            each.simulation.at(
                    Duration.ofSeconds(60), () -> each.replicas.get(1).crash());
            each.run();
            assertThat(each.loads()).containsExactlyInAnyOrder(6, 5, 5);
            assertThat(each.worstIdle()).as("seed %d", seed).isBetween(Duration.ofSeconds(10), BOUND);
            assertThat(each.store.read(each.names.replica("r1")))
                    .as("the Lease of the crashed replica")
                    .isNull();
        }
    }

    @Test
    void stepWhenADeadReplicaStatesDecadesAndTransitionsAreAtTheirMaximumItsShardsMove() throws Exception {
        join(4);
        at(59, ring::measureIdle);
        at(60, () -> {
            ring.replicas.get(1).crash();
            String lease = ring.names.replica("r1");
            ring.store.put(
                    lease,
                    atLimits(ring.store.read(lease).record()),
                    ring.store.read(lease).marks());
            for (int shard = 0; shard < 16; shard++) {
                String name = ring.names.shard(shard);
                if (ring.store.read(name).record().holder().equals("r1")) {
                    ring.store.put(
                            name,
                            atLimits(ring.store.read(name).record()),
                            ring.store.read(name).marks());
                }
            }
        });
        run();
        assertThat(ring.loads()).containsExactlyInAnyOrder(6, 5, 5);
        assertThat(ring.worstIdle()).isLessThan(Duration.ofSeconds(35));
    }

    private static LeaseRecord atLimits(LeaseRecord record) {
        return new LeaseRecord(
                record.holder(),
                new LeaseRecord.Term(Integer.MAX_VALUE, Integer.MAX_VALUE),
                record.acquireTime(),
                record.renewTime());
    }

    @Test
    void stepWhenAReplicaLeavesItsShardsMoveSoon() throws Exception {
        join(4);
        at(59, ring::measureIdle);
        at(60, () -> ring.replicas.get(1).leave());
        run();
        assertThat(ring.worstIdle()).isLessThan(Duration.ofSeconds(6));
        assertThat(ring.loads()).containsExactlyInAnyOrder(6, 5, 5);
    }

    @Test
    void stepWhenTheApiServerIsGoneForAMinuteStopsWritingAndContinuesAfterwards() throws Exception {
        join(4);
        at(60, () -> ring.downUntil = Duration.ofSeconds(120).toNanos());
        at(
                75,
                () -> assertThat(ring.replicas)
                        .allMatch(replica -> replica.working().stream().noneMatch(replica::mayWrite)));
        at(140, () -> assertThat(ring.loads()).containsOnly(4));
        run();
    }

    @Test
    void stepWhenAReplicaHasAnotherLayoutWaits() throws Exception {
        ShardStore.Marks other = new ShardStore.Marks("32-by_namespace", false);
        String name = ring.names.replica("other");
        ring.store.put(name, LeaseRecord.first("other", 15, ring.instant()), other);
        join(2);
        at(5, () -> ring.store.put(name, ring.record(name).acquired("other", 15, ring.instant()), other));
        at(18, () -> {
            assertThat(ring.moves).isZero();
            assertThat(ring.replicas.get(0).ring.status().problem()).contains("16-by_namespace");
        });
        at(40, () -> assertThat(ring.loads()).containsOnly(8));
        run();
    }

    /** All 8 starts fail, then the stops that follow, and a start of the next attempt; or not all starts fail. */
    @ParameterizedTest
    @ValueSource(ints = {5, 17})
    void stepWhenTheHandlerFailsToStartOffersTheShardsAgain(int failures) throws Exception {
        join(2);
        ring.replicas.get(0).failures = failures;
        run();
        assertThat(ring.replicas.get(0).failures).isZero();
        assertThat(ring.replicas).allMatch(replica -> replica.working().size() == 8);
    }

    @Test
    void stepWhenTheHandlerFailsToStopTakesTheShardsAway() throws Exception {
        join(2);
        at(60, () -> {
            ring.replicas.get(0).failures = 100;
            ring.replicas.get(0).leave();
        });
        run();
        assertThat(ring.replicas.get(0).failures).isLessThan(100);
        assertThat(ring.loads()).containsExactly(16);
    }

    @Test
    void stepWhenAnotherClientTakesTheLeaseOfAShardStopsTheShard() throws Exception {
        join(1);
        String name = ring.names.shard(3);
        at(
                60,
                () -> ring.store.put(
                        name,
                        ring.record(name).acquired("another", 15, ring.instant()),
                        new ShardStore.Marks("", false)));
        at(75, () -> assertThat(ring.replicas.get(0).mayWrite(3)).isFalse());
        run();
        assertThat(ring.replicas.get(0).mayWrite(3))
                .as("after the unknown holder was declared dead")
                .isTrue();
    }

    @Test
    void stepWhenAnotherClientPutsTheNameOfAReplicaIntoLeasesOfShardsWaitsForTheirHolder() throws Exception {
        for (int seed = 1; seed <= 10; seed++) { // in some, the replica looks at the Leases before the holder does
            SimulatedRing each = new SimulatedRing(seed, 16, Duration.ofMinutes(3));
            each.join(Duration.ZERO);
            each.join(Duration.ZERO);
            each.simulation.at(Duration.ofSeconds(60), () -> {
                for (int shard : Set.copyOf(each.replicas.get(1).working())) {
                    String name = each.names.shard(shard);
                    LeaseRecord edited = each.record(name).acquired("r0", 15, each.instant());
                    each.store.put(name, edited, new ShardStore.Marks("", false));
                }
            });
            each.run();
            assertThat(each.replicas).allMatch(replica -> replica.working().size() == 8);
        }
    }

    @Test
    void stepWhenAThousandClustersAreDividedWritesFewerThanTwentyLeasesASecond() throws Exception {
        SimulatedRing large = new SimulatedRing(1, 256, Duration.ofMinutes(3));
        for (int i = 0; i < 30; i++) {
            large.join(Duration.ofMillis(100 * i));
        }
        int[] writes = new int[1];
        large.simulation.at(Duration.ofSeconds(100), () -> writes[0] = large.store.writes);
        large.simulation.at(Duration.ofSeconds(160), () -> {
            assertThat((large.store.writes - writes[0]) / 60.0)
                    .as("writes of Leases per second")
                    .isBetween(14.0, 16.0);
            assertThat(clusters(large)).hasSize(30).allMatch(held -> held > 0 && held < 100);
            assertThat(clusters(large).stream().mapToInt(held -> held).sum()).isEqualTo(1000);
        });
        large.run();
    }

    /** How many of 1,000 clusters each replica works on. */
    private static List<Integer> clusters(SimulatedRing ring) {
        Partition shards = Partition.of(ring.options.shards(), Set.of());
        return ring.replicas.stream()
                .map(replica -> (int) IntStream.range(0, 1000)
                        .filter(i -> replica.working().contains(shards.ofNamespace("cluster-" + i)))
                        .count())
                .toList();
    }

    @Test
    void stepWhenADeadHolderComesBackBetweenTheListsDoesNotTakeItsNewTerm() throws Exception {
        ShardStore.Marks replica = new ShardStore.Marks(ring.names.layout(), false);
        String lease = ring.names.replica("other");
        String shard = ring.names.shard(3);
        LeaseRecord former = LeaseRecord.first("other", 15, ring.instant());
        ring.store.put(lease, former.released(ring.instant()), replica);
        ring.store.put(shard, former, new ShardStore.Marks("", false));
        join(1);
        ring.simulation.at(
                Duration.ofMillis(600),
                () -> ring.store.afterList = () -> {
                    ring.store.put(lease, former.acquired("other", 15, ring.instant()), replica);
                    ring.store.put(
                            shard, former.acquired("other", 15, ring.instant()), new ShardStore.Marks("", false));
                });
        at(8, () -> {
            assertThat(ring.record(shard).holder()).isEqualTo("other");
            assertThat(ring.replicas.get(0).ring.status().shards())
                    .doesNotContain(3)
                    .isNotEmpty();
        });
        run();
    }
}
