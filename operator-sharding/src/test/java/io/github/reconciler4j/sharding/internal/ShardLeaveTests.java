package io.github.reconciler4j.sharding.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A replica leaves, and another client has edited the Leases that it releases, so each release is a conflict. In virtual time. */
@Timeout(300)
class ShardLeaveTests {

    private static final int CASES = Integer.getInteger("leave.cases", 60);
    private static final int FIRST = Integer.getInteger("leave.seed", 0);
    private static final Duration LEAVES = Duration.ofSeconds(60);

    /**
     * Runs take up to three seconds to end, each Lease two writes of 40 ms at most, and the elector looks every two seconds whether it
     * is over. A Lease that the others have to delete stays for fifteen seconds more.
     */
    private static Duration gone(SimulatedRing ring) {
        return LEAVES.plusSeconds(6).plusMillis(80L * ring.options.shards() / ring.replicas.size());
    }

    private static SimulatedRing ring(int seed, Random random) {
        SimulatedRing ring = new SimulatedRing(seed, 4 + random.nextInt(61), Duration.ofMinutes(3));
        for (int i = 2 + random.nextInt(3); i > 0; i--) {
            ring.join(Duration.ZERO);
        }
        return ring;
    }

    private static void edit(SimulatedRing ring, String name) {
        ShardStore.Version lease = ring.store.read(name);
        if (lease != null) {
            ring.store.put(name, lease.record(), lease.marks());
        }
    }

    @Test
    void leaveWhenTheLeasesWereEditedReleasesThemAndDeletesItsOwn() throws Exception {
        for (int seed = FIRST; seed < FIRST + CASES; seed++) {
            String story = "-Dleave.cases=1 -Dleave.seed=" + seed;
            SimulatedRing ring = ring(seed, new Random(seed));
            Set<String> late = new HashSet<>();
            ring.simulation.at(LEAVES.minusMillis(1), () -> {
                for (int shard : ring.replicas.get(1).working()) {
                    edit(ring, ring.names.shard(shard));
                }
                ring.measureIdle();
            });
            ring.simulation.at(LEAVES, () -> ring.replicas.get(1).leave());
            ring.simulation.at(gone(ring), () -> {
                if (ring.replicas.get(1).alive) {
                    late.add("the replica");
                }
                if (ring.store.read(ring.names.replica("r1")) != null) {
                    late.add("its Lease");
                }
            });
            ring.run();
            assertThat(late).as("still there: " + story).isEmpty();
            assertThat(ring.worstIdle()).as(story).isLessThan(Duration.ofSeconds(6));
            assertThat(ring.loads().stream().mapToInt(load -> load).sum())
                    .as(story)
                    .isEqualTo(ring.options.shards());
        }
    }

    @Test
    void leaveWhileTheLeasesAreEditedAgainAndAgainEnds() throws Exception {
        for (int seed = FIRST; seed < FIRST + CASES; seed++) {
            String story = "-Dleave.cases=1 -Dleave.seed=" + seed;
            Random random = new Random(seed);
            SimulatedRing ring = ring(seed, random);
            for (int i = 20 + random.nextInt(200); i > 0; i--) {
                ring.simulation.at(LEAVES.minusSeconds(2).plusMillis(random.nextInt(10_000)), () -> {
                    int shard = random.nextInt(ring.options.shards());
                    edit(ring, random.nextInt(5) == 0 ? ring.names.replica("r1") : ring.names.shard(shard));
                });
            }
            ring.simulation.at(LEAVES, ring::measureIdle);
            ring.simulation.at(LEAVES, () -> ring.replicas.get(1).leave());
            ring.run();
            assertThat(ring.replicas.get(1).alive).as(story).isFalse();
            assertThat(ring.store.read(ring.names.replica("r1"))).as(story).isNull();
            assertThat(ring.worstIdle()).as(story).isLessThan(Duration.ofSeconds(8));
            assertThat(ring.loads().stream().mapToInt(load -> load).sum())
                    .as(story)
                    .isEqualTo(ring.options.shards());
        }
    }
}
