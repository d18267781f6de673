package io.github.reconciler4j.sharding.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.leaderelection.internal.LeaseRecord;
import io.github.reconciler4j.leaderelection.internal.Simulation;
import io.github.reconciler4j.sharding.ShardingOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Replicas that divide shards, in virtual time. After everything that can open a fence, no other replica may have an open fence
 * for the same shard. No write to a shard may reach the API server after one of a later holder. A replica that starts a shard must
 * hold it.
 */
final class SimulatedRing {

    final ShardingOptions options;
    final Simulation simulation;
    final Random random;
    final FakeShardStore store;
    final RingNames names;
    final List<SimulatedReplica> replicas = new ArrayList<>();

    /** The replicas that have started a shard and not yet ended it, for each shard. */
    private final List<Set<SimulatedReplica>> workers = new ArrayList<>();

    /** When each shard was last worked on, and the longest time that none was. */
    private final long[] lastWork;

    private long idleSince;
    private Duration worstIdle = Duration.ZERO;

    /** Whether requests, processes and the API server fail at random. */
    boolean faults;

    /** Until when the API server does not respond. */
    long downUntil;

    /** Whether it refuses connections meanwhile, so that requests fail at once. */
    boolean refuses;

    /** Until when it takes up to a second for each response, as when it has just started. */
    long slowUntil;

    int moves;

    /** How many shards each replica has started together, each time. */
    final Map<String, List<Integer>> starts = new HashMap<>();

    private int starting;

    /** The number of the present borders of namespaces, which are part of the layout. */
    int borders;

    /** Whether the borders change, so that replicas look at them. */
    boolean changingBorders;

    /** Whether clocks are set, and machines sleep. */
    boolean spoilingClocks;

    /** What must not happen. Collected, because code under test may catch what is thrown. */
    final List<String> violations = new ArrayList<>();

    private int names0;

    /** How often a replica has started a shard, which numbers the terms, and the latest term in which each shard was written. */
    private long terms;

    private final long[] written;

    /** The latest borders with which something was written. */
    private int writtenWith;

    SimulatedRing(long seed, int shards, Duration length) {
        options = ShardingOptions.named("ring").withShards(shards);
        simulation = new Simulation(length);
        random = new Random(seed);
        names = new RingNames(options, "");
        store = new FakeShardStore(names.layout());
        lastWork = new long[shards];
        written = new long[shards];
        for (int shard = 0; shard < shards; shard++) {
            workers.add(new LinkedHashSet<>());
        }
    }

    /** Runs until the end or the first violation. */
    void run() throws InterruptedException {
        simulation.run(() -> {
            if (!violations.isEmpty()) {
                throw new AssertionError(violations);
            }
        });
        assertThat(violations).isEmpty();
    }

    SimulatedReplica join(Duration delay) {
        return join("r" + names0++, delay);
    }

    /** A replica joins with an identity of its own, or with that of one that has crashed. */
    SimulatedReplica join(String identity, Duration delay) {
        SimulatedReplica replica = new SimulatedReplica(this, identity, new Random(random.nextLong()));
        replicas.add(replica);
        if (changingBorders) {
            simulation.spawn(delay, replica::watchBorders);
        }
        simulation.spawn(delay, replica::campaign);
        simulation.spawn(delay, replica::coordinate);
        return replica;
    }

    /** A shard was started or ended. */
    void started(int shard, SimulatedReplica replica) {
        moves++;
        starting++;
        workers.get(shard).add(replica);
        check(replica, shard);
    }

    /** The shards that were started last were started together. */
    void startedTogether(SimulatedReplica replica) {
        starts.computeIfAbsent(replica.identity, identity -> new ArrayList<>()).add(starting);
        starting = 0;
    }

    long nextTerm() {
        return ++terms;
    }

    /** Returns the names with some borders. */
    RingNames names(int number) {
        return number == 0 ? names : new RingNames(options, "borders " + number);
    }

    /** The API server has accepted a write to an object of a shard. */
    void written(int shard, long term, SimulatedReplica replica) {
        if (replica.borders < writtenWith) {
            violations.add(replica.identity + " writes with former borders at " + Duration.ofNanos(simulation.now()));
        }
        writtenWith = Math.max(writtenWith, replica.borders);
        written(shard, term, replica.identity);
    }

    private void written(int shard, long term, String identity) {
        if (term < written[shard]) {
            violations.add(identity + " writes to shard " + shard + " after a later holder at "
                    + Duration.ofNanos(simulation.now()));
        }
        written[shard] = Math.max(written[shard], term);
    }

    /** The fence of a replica may have opened. */
    void check(SimulatedReplica replica) {
        for (int shard : replica.working()) {
            check(replica, shard);
        }
    }

    private void check(SimulatedReplica replica, int shard) {
        if (!replica.mayWrite(shard)) {
            return;
        }
        for (SimulatedReplica other : replicas) {
            if (other.borders != replica.borders && other.working().stream().anyMatch(other::mayWrite)) {
                violations.add(other.identity + " and " + replica.identity + " may write with different borders at "
                        + Duration.ofNanos(simulation.now()));
            }
        }
        Set<SimulatedReplica> others = workers.get(shard);
        others.removeIf(other -> !other.working().contains(shard));
        for (SimulatedReplica other : others) {
            if (other != replica && other.mayWrite(shard)) {
                violations.add(other.identity + " and " + replica.identity + " may write to shard " + shard + " at "
                        + Duration.ofNanos(simulation.now()));
            }
        }
    }

    /** Measures how long shards are without a holder while the API server responds, from now on. */
    void measureIdle() {
        idleSince = simulation.now();
        worstIdle = Duration.ZERO;
        Arrays.fill(lastWork, idleSince);
        simulation.at(Duration.ZERO, this::measure);
    }

    private void measure() {
        long now = simulation.now();
        long worst = worstIdle.toNanos();
        for (int shard = 0; shard < lastWork.length; shard++) {
            if (now < downUntil || isWorkedOn(shard)) {
                lastWork[shard] = now;
            }
            worst = Math.max(worst, now - lastWork[shard]);
        }
        worstIdle = Duration.ofNanos(worst);
        simulation.at(Duration.ofMillis(100), this::measure);
    }

    private boolean isWorkedOn(int shard) {
        for (SimulatedReplica replica : workers.get(shard)) {
            if (replica.isWorking(shard)) {
                return true;
            }
        }
        return false;
    }

    Duration worstIdle() {
        return worstIdle;
    }

    /** The numbers of shards of the replicas that are alive. */
    List<Integer> loads() {
        return replicas.stream()
                .filter(replica -> replica.alive && !replica.leaving)
                .map(replica -> replica.ring.status().shards().size())
                .toList();
    }

    LeaseRecord record(String name) {
        ShardStore.Version version = store.read(name);
        return version == null ? null : version.record();
    }

    Instant instant() {
        return Instant.EPOCH.plusNanos(simulation.now());
    }
}
