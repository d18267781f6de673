package io.github.reconciler4j.leaderelection.internal;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.github.reconciler4j.leaderelection.LeaderElectionOptions;
import io.github.reconciler4j.leaderelection.internal.Election.Step;
import io.github.reconciler4j.leaderelection.internal.Election.Step.Change;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/**
 * Three replicas and one lease for ten minutes of virtual time, with slow, late and lost requests, paused processes,
 * partitions, crashes, releases, and people who delete or overwrite the lease. At no moment may two fences be open.
 */
@Timeout(600)
class ElectionSimulationTests {

    private static final int SEEDS = Integer.getInteger("election.seeds", 100);
    private static final Duration LENGTH = Duration.ofMinutes(10);

    private final Logger log = (Logger) LoggerFactory.getLogger(Election.class.getPackageName());

    @BeforeEach
    void silenceTheLog() {
        log.setLevel(Level.OFF);
    }

    @AfterEach
    void restoreTheLog() {
        log.setLevel(null);
    }

    @Test
    void stepWhenFaultsAreRandomNeverLetsTwoLead() throws Exception {
        int elections = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            elections += new World(seed, true).run();
        }
        assertThat(elections).as("elections in all runs").isGreaterThan(SEEDS * 3);
    }

    @Test
    void stepWhenThereAreNoFaultsKeepsOneLeader() throws Exception {
        for (int seed = 0; seed < 20; seed++) {
            World world = new World(seed, false);
            assertThat(world.run()).as("elections of seed " + seed).isEqualTo(1);
            assertThat(world.leaderless).isLessThan(Duration.ofSeconds(3).toNanos());
        }
    }

    private static final class World {
        private final int seed;
        private final Random random;
        private final boolean faults;
        private final Simulation simulation = new Simulation(LENGTH);
        private final FakeStore store = new FakeStore();
        private final List<Replica> replicas = new ArrayList<>();
        private int elections;
        private long leaderless;
        private long lastCheck;
        private long lastDeletion;

        World(int seed, boolean faults) {
            this.seed = seed;
            this.random = new Random(seed);
            this.faults = faults;
        }

        int run() throws InterruptedException {
            for (int i = 0; i < 3; i++) {
                Replica replica = new Replica("r" + i, new Random(random.nextLong()));
                replicas.add(replica);
                simulation.spawn(Duration.ofMillis(random.nextInt(1000)), replica);
            }
            if (faults) {
                simulation.spawn(Duration.ofSeconds(10), this::meddle);
            }
            simulation.run(this::check);
            return elections;
        }

        private void check() {
            List<String> open = replicas.stream()
                    .filter(replica -> replica.fence.isOpen())
                    .map(replica -> replica.identity)
                    .toList();
            assertThat(open)
                    .as("leaders at %s of seed %d", Duration.ofNanos(simulation.now()), seed)
                    .hasSizeLessThanOrEqualTo(1);
            if (open.isEmpty()) {
                leaderless += simulation.now() - lastCheck;
            }
            lastCheck = simulation.now();
        }

        /** People and machines that spoil things. */
        private void meddle() {
            while (true) {
                simulation.sleep(seconds(random, 40));
                switch (random.nextInt(4)) {
                    case 0 -> deleteSettled();
                    case 1 ->
                        store.overwrite(new LeaseRecord(
                                "r" + random.nextInt(4), new LeaseRecord.Term(15, 9), instant(), instant()));
                    case 2 -> replicas.get(random.nextInt(3)).cutOffUntil = simulation.now() + seconds(random, 40);
                    default -> replicas.forEach(replica -> replica.cutOffUntil = simulation.now() + 12_000_000_000L);
                }
            }
        }

        /** Deleting a lease again within seconds of its new creation leaves observers who have never seen the new one. */
        private void deleteSettled() {
            boolean settled = store.record()
                    .filter(record -> record.acquireTime().isBefore(instant().minusSeconds(10)))
                    .isPresent();
            if (settled
                    && simulation.now() - lastDeletion > Duration.ofSeconds(60).toNanos()) {
                lastDeletion = simulation.now();
                store.delete();
            }
        }

        private Instant instant() {
            return Instant.EPOCH.plusNanos(simulation.now());
        }

        private static long seconds(Random random, int most) {
            return (long) (random.nextDouble() * most * 1e9);
        }

        /** One replica: its process may stop at any request, for longer than any lease. */
        private final class Replica implements Runnable, LeaseStore, TimeSource, Election.Listener {
            private final String identity;
            private final Random chance;
            private final LeaseFence fence = new LeaseFence(this, Duration.ofSeconds(10));
            private final Election election;
            private long cutOffUntil;

            Replica(String identity, Random chance) {
                this.identity = identity;
                this.chance = chance;
                election = new Election(
                        this, LeaderElectionOptions.named("lease"), identity, this, chance::nextDouble, fence, this);
            }

            @Override
            public void run() {
                while (true) {
                    Step step = election.step();
                    if (step.change() == Change.ACQUIRED) {
                        elections++;
                        fence.grant();
                    }
                    if (faults && chance.nextInt(40) == 0) {
                        election.release();
                    }
                    simulation.sleep(step.pause().toNanos());
                    maybePause();
                }
            }

            private void maybePause() {
                if (faults && chance.nextInt(30) == 0) {
                    simulation.sleep(seconds(chance, 40));
                }
            }

            /** The request arrives after a while, perhaps after its caller has given up, or never. */
            private <T> T request(Duration timeout, Supplier<T> action) {
                maybePause();
                boolean lost = simulation.now() < cutOffUntil || (faults && chance.nextInt(30) == 0);
                boolean slow = faults && chance.nextInt(20) == 0;
                long there = slow ? seconds(chance, 8) : seconds(chance, 1) / 20;
                long back = slow ? seconds(chance, 8) : seconds(chance, 1) / 20;
                AtomicReference<Supplier<T>> answer = new AtomicReference<>();
                if (!lost) {
                    simulation.at(Duration.ofNanos(there), () -> answer.set(resultOf(action)));
                }
                simulation.sleep(Math.min(there + back, timeout.toNanos()));
                maybePause();
                Supplier<T> result = answer.get();
                if (result == null || there + back > timeout.toNanos()) {
                    throw FakeStore.failure(0, "no answer within " + timeout);
                }
                return result.get();
            }

            private static <T> Supplier<T> resultOf(Supplier<T> action) {
                try {
                    T value = action.get();
                    return () -> value;
                } catch (RuntimeException e) {
                    return () -> {
                        throw e;
                    };
                }
            }

            @Override
            public ObjectKey key() {
                return ObjectKey.of("test", "lease");
            }

            @Override
            public Optional<StoredLease> read(Duration timeout) {
                return request(timeout, () -> store.read(timeout));
            }

            @Override
            public StoredLease create(LeaseRecord record, Duration timeout) {
                return request(timeout, () -> store.create(record, timeout));
            }

            @Override
            public StoredLease update(StoredLease previous, LeaseRecord record, Duration timeout) {
                return request(timeout, () -> store.update(previous, record, timeout));
            }

            @Override
            public long nanoTime() {
                return simulation.now();
            }

            @Override
            public Instant instant() {
                return World.this.instant();
            }

            @Override
            public void slowPath() {}

            @Override
            public void newHolder(String holder) {}

            @Override
            public int otherLeases() {
                return 0;
            }
        }
    }
}
