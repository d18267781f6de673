package io.github.reconciler4j.sharding.internal;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/**
 * For how long shards are without a holder in virtual time when replicas fail and the API server restarts, with a kill at any
 * moment before, during or after the restart. The time without an API server does not count. More seeds:
 * {@code -Dsharding.idle.seeds=60}.
 */
@Timeout(3600)
class ShardIdleSimulationTests {

    private static final int SEEDS = Integer.getInteger("sharding.idle.seeds", 20);

    /** The lease duration and 5 seconds. */
    private static final Duration BOUND = Duration.ofSeconds(20);

    private static final Duration START = Duration.ofSeconds(30);
    private static final Duration ROUND = Duration.ofSeconds(80);
    private static final int ROUNDS = 6;

    private final Logger log = (Logger) LoggerFactory.getLogger("io.github.reconciler4j");

    @BeforeEach
    void silenceTheLog() {
        log.setLevel(Level.OFF);
    }

    @AfterEach
    void restoreTheLog() {
        log.setLevel(null);
    }

    private static SimulatedRing ring(int seed) {
        SimulatedRing ring = new SimulatedRing(seed, 16, START.plus(ROUND.multipliedBy(ROUNDS + 1)));
        for (int i = 0; i < 2 + seed % 5; i++) {
            ring.join(Duration.ofMillis(ring.random.nextInt(3000)));
        }
        ring.simulation.at(START, ring::measureIdle);
        return ring;
    }

    /** Runs a round of faults every now and then; returns for how long a shard was without a holder at most. */
    private static Duration worst(SimulatedRing ring, Runnable round) throws InterruptedException {
        for (int i = 0; i < ROUNDS; i++) {
            ring.simulation.at(START.plusSeconds(1).plus(ROUND.multipliedBy(i)), round);
        }
        ring.run();
        return ring.worstIdle();
    }

    private static Duration upTo(Random random, double seconds) {
        return Duration.ofNanos((long) (random.nextDouble() * seconds * 1e9));
    }

    /** A replica is killed, and another one starts some seconds later. */
    private static void kill(SimulatedRing ring) {
        List<SimulatedReplica> alive = ring.replicas.stream()
                .filter(each -> each.alive && !each.leaving)
                .toList();
        alive.get(ring.random.nextInt(alive.size())).crash();
        ring.join(upTo(ring.random, 5));
    }

    /** The API server ends, and is slow for a moment when it starts. */
    private static void restart(SimulatedRing ring, Duration length) {
        ring.refuses = ring.random.nextBoolean();
        ring.downUntil = ring.simulation.now() + length.toNanos();
        ring.slowUntil = ring.downUntil + upTo(ring.random, 3).toNanos();
    }

    @Test
    void shardsWhenAReplicaIsKilledAroundARestartOfTheApiServerAreHeldWithinTheBound() throws Exception {
        for (int seed = 0; seed < SEEDS; seed++) {
            SimulatedRing ring = ring(seed);
            Duration idle = worst(ring, () -> {
                Duration length = upTo(ring.random, 25);
                ring.simulation.at(Duration.ofSeconds(20), () -> restart(ring, length));
                ring.simulation.at(upTo(ring.random, 45), () -> kill(ring));
            });
            assertThat(idle).as("seed %d", seed).isLessThan(BOUND);
        }
    }

    /** Each replica loses one request after it. */
    @Test
    void shardsWhenAReplicaIsKilledAndRequestsAreLostAreHeldWithinTheBound() throws Exception {
        for (int seed = 0; seed < SEEDS; seed++) {
            SimulatedRing ring = ring(seed);
            Duration idle = worst(ring, () -> {
                kill(ring);
                ring.replicas.forEach(each -> ring.simulation.at(upTo(ring.random, 20), () -> each.losesNext = true));
            });
            assertThat(idle).as("seed %d", seed).isLessThan(BOUND);
        }
    }

    /** A replica that wrote the Leases of all its shards would need twenty seconds. */
    @Test
    void shardsWhenThousandsAreGivenAwayInARollingUpdateAreHeldWithinTheBound() throws Exception {
        SimulatedRing ring = new SimulatedRing(1, 4096, Duration.ofMinutes(9));
        for (int i = 0; i < 4; i++) {
            ring.join(Duration.ZERO);
        }
        ring.simulation.at(Duration.ofSeconds(119), ring::measureIdle);
        for (int i = 0; i < 2; i++) {
            SimulatedReplica old = ring.replicas.get(i);
            ring.simulation.at(Duration.ofSeconds(120 + 200 * i), old::leave);
            ring.simulation.at(Duration.ofSeconds(160 + 200 * i), () -> ring.join(Duration.ZERO));
        }
        ring.run();
        assertThat(ring.worstIdle()).isLessThan(BOUND);
        assertThat(ring.loads()).containsOnly(1024);
    }
}
