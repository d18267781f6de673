package io.github.reconciler4j.sharding.internal;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/**
 * Replicas that divide shards in virtual time, with slow, late and lost requests, clocks of different speed that jump, paused and crashed
 * processes, some of which start again with the same identity, partitions, an API server that is gone for a while, and replicas that
 * join and leave. At no moment may two replicas write to one shard. More seeds: {@code -Dsharding.seeds=1000}.
 */
@Timeout(3600)
class ShardRingSimulationTests {

    private static final int SEEDS = Integer.getInteger("sharding.seeds", 8);
    private static final Duration FAULTS = Duration.ofMinutes(4);

    /** The lease duration and 5 seconds. */
    private static final Duration BOUND = Duration.ofSeconds(20);

    private final Logger log = (Logger) LoggerFactory.getLogger("io.github.reconciler4j");

    @BeforeEach
    void silenceTheLog() {
        log.setLevel(Level.OFF);
    }

    @AfterEach
    void restoreTheLog() {
        log.setLevel(null);
    }

    @Test
    void stepWhenFaultsAreRandomNeverLetsTwoReplicasWriteToOneShard() throws Exception {
        for (int seed = 0; seed < SEEDS; seed++) {
            runWithFaults(seed, 3 + seed % 8, 16);
        }
    }

    @Test
    void stepWhenManyReplicasFailNeverLetsTwoReplicasWriteToOneShard() throws Exception {
        for (int seed = 0; seed < Math.max(1, SEEDS / 100); seed++) {
            runWithFaults(seed, SEEDS < 100 ? 40 : 200, SEEDS < 100 ? 64 : 256);
        }
    }

    /** Replicas that have seen the new borders wait until those that have not seen them yet give their shards away, or are dead. */
    @Test
    void stepWhenBordersChangeNeverLetsReplicasWithDifferentBordersWrite() throws Exception {
        for (int seed = 0; seed < SEEDS; seed++) {
            SimulatedRing ring = ring(seed, 16);
            ring.changingBorders = true;
            runWithFaults(ring, seed, 3 + seed % 5);
        }
    }

    /** Wall clocks are set to anything, and machines sleep. */
    @Test
    void stepWhenClocksJumpWhileBordersChangeNeverLetsTwoReplicasWriteToOneShard() throws Exception {
        for (int seed = 0; seed < SEEDS; seed++) {
            SimulatedRing ring = ring(seed, 16);
            ring.changingBorders = seed % 4 > 0;
            ring.spoilingClocks = true;
            runWithFaults(ring, seed, 3 + seed % 5);
        }
    }

    private static SimulatedRing ring(int seed, int shards) {
        SimulatedRing ring = new SimulatedRing(seed, shards, FAULTS.plusSeconds(150));
        ring.faults = true;
        return ring;
    }

    private static void runWithFaults(int seed, int replicas, int shards) throws Exception {
        runWithFaults(ring(seed, shards), seed, replicas);
    }

    private static void runWithFaults(SimulatedRing ring, int seed, int replicas) throws Exception {
        for (int i = 0; i < replicas; i++) {
            ring.join(Duration.ofMillis(ring.random.nextInt(3000)));
        }
        ring.simulation.spawn(Duration.ofSeconds(10), () -> spoil(ring, replicas));
        ring.simulation.at(FAULTS.plus(BOUND).plusSeconds(10), ring::measureIdle);
        int[] movesWhenQuiet = new int[1];
        ring.simulation.at(FAULTS.plusSeconds(110), () -> movesWhenQuiet[0] = ring.moves);
        ring.simulation.at(FAULTS.plusSeconds(149), () -> checkBalance(ring, seed, movesWhenQuiet[0]));
        try {
            ring.run();
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError("seed " + seed + " with " + replicas + " replicas", e);
        }
    }

    private static void checkBalance(SimulatedRing ring, int seed, int movesWhenQuiet) {
        List<Integer> loads = ring.loads();
        assertThat(loads.stream().mapToInt(load -> load).sum())
                .as("shards that are held, seed %d", seed)
                .isEqualTo(ring.options.shards());
        assertThat(Collections.max(loads) - Collections.min(loads))
                .as("imbalance, seed %d", seed)
                .isLessThanOrEqualTo(1);
        assertThat(ring.moves).as("moves, seed %d", seed).isEqualTo(movesWhenQuiet);
        assertThat(ring.worstIdle()).as("idle after the faults, seed %d", seed).isLessThan(BOUND);
    }

    /** Crashes, pauses, partitions, joins, leaves, and an API server that restarts; then peace. */
    private static void spoil(SimulatedRing ring, int replicas) {
        Random random = ring.random;
        while (ring.simulation.now() < FAULTS.toNanos()) {
            ring.simulation.sleep((long) (random.nextDouble() * 20e9 * 8 / Math.max(8, replicas)));
            List<SimulatedReplica> alive = ring.replicas.stream()
                    .filter(each -> each.alive && !each.leaving)
                    .toList();
            if (ring.changingBorders && random.nextInt(4) == 0) {
                ring.borders++;
            }
            if (ring.spoilingClocks && !alive.isEmpty()) {
                alive.get(random.nextInt(alive.size())).spoilClock();
            }
            if (alive.isEmpty()) {
                continue; // all are starting again with other borders
            }
            disturb(ring, replicas, alive);
        }
        ring.faults = false;
        ring.downUntil = 0;
        ring.replicas.forEach(replica -> replica.cutOffUntil = 0);
        ring.replicas.forEach(replica -> replica.pause(Duration.ZERO));
    }

    private static void disturb(SimulatedRing ring, int replicas, List<SimulatedReplica> alive) {
        Random random = ring.random;
        SimulatedReplica one = alive.get(random.nextInt(alive.size()));
        switch (random.nextInt(6)) {
            case 0 -> one.pause(Duration.ofMillis(random.nextInt(40_000)));
            case 1 -> one.cutOffUntil = ring.simulation.now() + (long) (random.nextDouble() * 40e9);
            case 2 -> {
                one.crash();
                Duration later = Duration.ofMillis(random.nextInt(10_000));
                if (random.nextBoolean()) {
                    ring.join(one.identity, later);
                } else {
                    ring.join(later);
                }
            }
            case 3 -> {
                one.leave();
                ring.join(Duration.ofMillis(random.nextInt(10_000)));
            }
            case 4 -> ring.join(Duration.ZERO);
            default -> {
                if (random.nextInt(Math.max(1, replicas / 8)) == 0) {
                    ring.downUntil = ring.simulation.now() + (long) (random.nextDouble() * 20e9);
                } else if (alive.size() > replicas / 2) {
                    one.crash();
                }
            }
        }
    }
}
