package io.github.reconciler4j.sharding.internal;

import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.WriteRefusedException;
import io.github.reconciler4j.leaderelection.LeaderElectionOptions;
import io.github.reconciler4j.leaderelection.WriteScope;
import io.github.reconciler4j.leaderelection.internal.Election;
import io.github.reconciler4j.leaderelection.internal.Election.Step.Change;
import io.github.reconciler4j.leaderelection.internal.LeaseFence;
import io.github.reconciler4j.leaderelection.internal.LeaseRecord;
import io.github.reconciler4j.sharding.ShardHandler;
import io.github.reconciler4j.sharding.internal.ShardCoordinator.Environment;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * One replica: its process may stop at any request, for longer than any lease, crash or leave. Its clock is not as fast as those of
 * others. What it works on writes to the API server all the time, and no write is on its way for longer than {@link #LATEST}.
 */
final class SimulatedReplica implements ShardHandler, ShardCoordinator.Listener {

    /** Less than what a fence is closed for before the lease duration of the fastest clock is over. */
    private static final Duration LATEST = Duration.ofMillis(500);

    final String identity;
    final int borders;
    final ShardRing ring;
    boolean alive = true;
    boolean leaving;
    long cutOffUntil;

    /** Whether the next request is lost. */
    boolean losesNext;

    /** How many of the next calls of the handler fail. */
    int failures;

    private final SimulatedRing world;
    private final RingNames names;
    private final Random chance;
    private final LeaseFence fence;
    private final Election election;
    private final Map<Integer, WriteScope> scopes = new HashMap<>();

    /** How many writes to each shard have no response yet. */
    private final Map<Integer, Integer> underway = new HashMap<>();

    private final SimulatedClock clock;

    /** Until when the process is stopped, as by SIGSTOP. */
    private long pausedUntil;

    private boolean campaigning = true;

    /** Whether this replica ends because the borders have changed, and starts again with others. */
    private boolean again;

    private boolean empty;
    private final Requests requests = new Requests();

    SimulatedReplica(SimulatedRing world, String identity, Random chance) {
        this.world = world;
        this.identity = identity;
        this.borders = world.borders;
        this.names = world.names(borders);
        this.chance = chance;
        clock = new SimulatedClock(world.simulation, world.faults, chance);
        fence = new LeaseFence(clock, world.options.timing().renewDeadline());
        election = new Election(
                new SimulatedLease(world.store, names.replica(identity), names.layout(), requests),
                LeaderElectionOptions.named("lease"),
                identity,
                clock,
                chance::nextDouble,
                fence,
                new NoListener());
        ring = new ShardRing(new Environment(requests, fence, this, chance::nextDouble, this), names, identity, clock);
    }

    /** Renews the Lease of this replica. */
    void campaign() {
        while (alive && !empty) {
            Duration pause = world.options.timing().retryPeriod();
            if (campaigning) {
                Election.Step step = election.step();
                pause = step.pause();
                if (step.change() == Change.ACQUIRED && alive) {
                    fence.grant();
                    ring.elected();
                } else if (step.change() == Change.LOST) {
                    campaigning = false;
                    ring.lost();
                }
                world.check(this);
            }
            sleep(pause);
        }
        end();
    }

    private void end() {
        if (alive) {
            election.release();
        }
        try {
            requests.request(world.options.timing().requestTimeout(), () -> {
                world.store.removeReleased(names.replica(identity), identity);
                return true;
            });
        } catch (ApiException e) {
            // The others delete the Lease.
        }
        boolean joins = alive && again;
        crash();
        if (joins) {
            world.join(identity, Duration.ofMillis(1 + chance.nextInt(100))).cutOffUntil = cutOffUntil;
        }
    }

    /** Looks at the borders, which take effect when this replica has given its shards away and starts again. */
    void watchBorders() {
        while (alive && !leaving) {
            try {
                int present = requests.request(world.options.timing().requestTimeout(), () -> world.borders);
                if (present != borders && !leaving) {
                    again = true;
                    leave();
                }
            } catch (ApiException e) {
                // The next attempt may succeed.
            }
            sleep(world.options.timing().retryPeriod());
        }
    }

    /** Divides the shards with the other replicas. */
    void coordinate() {
        while (alive) {
            boolean last = leaving;
            Duration pause = ring.step();
            world.check(this);
            if (last && ring.isEmpty()) {
                empty = true;
                return;
            }
            sleep(pause);
        }
    }

    void leave() {
        leaving = true;
        ring.leave(again);
    }

    void crash() {
        alive = false;
        fence.close();
        scopes.clear();
    }

    void pause(Duration length) {
        pausedUntil = Math.max(clock.awakeFrom(), world.simulation.now() + length.toNanos());
    }

    /** Something happens to the clock: it jumps, or the machine sleeps. */
    void spoilClock() {
        clock.spoil().ifPresent(this::pause);
    }

    private void sleep(Duration pause) {
        world.simulation.sleep(Math.max(1_000_000, clock.real(pause)));
        whilePaused();
    }

    private void whilePaused() {
        while (pausedUntil > world.simulation.now()) {
            world.simulation.sleep(pausedUntil - world.simulation.now());
        }
    }

    @Override
    public void start(int shard, WriteScope scope) {
        fail();
        if (scopes.put(shard, scope) != null) {
            world.violations.add(identity + " starts shard " + shard + " twice");
        }
        if (!mayWrite(shard)) {
            world.violations.add(identity + " starts shard " + shard + ", which it does not hold any more");
        }
        world.started(shard, this);
        write(shard, scope, world.nextTerm());
    }

    @Override
    public void started() {
        world.startedTogether(this);
        fail();
    }

    /** Writes to a shard from time to time, as long as it is worked on. The check and the request are not far from each other. */
    private void write(int shard, WriteScope scope, long term) {
        if (!alive || scopes.get(shard) != scope) {
            return;
        }
        if (isWorking(shard)) {
            underway.merge(shard, 1, Integer::sum);
            world.simulation.at(Duration.ofNanos((long) (chance.nextDouble() * LATEST.toNanos())), () -> {
                underway.merge(shard, -1, Integer::sum);
                world.written(shard, term, this);
            });
        }
        world.simulation.at(Duration.ofMillis(200 + chance.nextInt(1500)), () -> write(shard, scope, term));
    }

    @Override
    public CompletionStage<Void> stop(int shard, Stop how) {
        fail();
        CompletableFuture<Void> end = new CompletableFuture<>();
        boolean hangs = world.faults && chance.nextInt(20) == 0;
        if (!hangs) {
            Duration delay = Duration.ofMillis(chance.nextInt(how == Stop.NOW ? 300 : 2000));
            end(shard, scopes.get(shard), delay, end);
        } else if (how == Stop.NOW) {
            scopes.remove(shard); // abandoned
        }
        return end;
    }

    /** Work ends when its writes have been answered. */
    private void end(int shard, WriteScope scope, Duration delay, CompletableFuture<Void> end) {
        world.simulation.at(delay, () -> {
            scopes.remove(shard, scope);
            if (underway.getOrDefault(shard, 0) > 0) {
                end(shard, scope, Duration.ofMillis(50), end);
            } else {
                end.complete(null);
            }
        });
    }

    private void fail() {
        if (failures > 0) {
            failures--;
            throw new StackOverflowError("on purpose");
        }
    }

    Set<Integer> working() {
        return scopes.keySet();
    }

    boolean mayWrite(int shard) {
        WriteScope scope = scopes.get(shard);
        if (scope == null) {
            return false;
        }
        try {
            scope.check();
            return true;
        } catch (WriteRefusedException e) {
            return false;
        }
    }

    /** Whether the process runs and may write. */
    boolean isWorking(int shard) {
        return alive && pausedUntil <= world.simulation.now() && mayWrite(shard);
    }

    @Override
    public void acquired(int shard, Duration idle) {}

    @Override
    public void released(int shard) {}

    @Override
    public void lost(int shard) {}

    @Override
    public void ended() {
        campaigning = true;
    }

    private static final class NoListener implements Election.Listener {
        @Override
        public void slowPath() {}

        @Override
        public void newHolder(String holder) {}

        @Override
        public int otherLeases() {
            return 0;
        }
    }

    /**
     * Requests that take a while, arrive after their caller has given up, or never; and whose answers get lost. Some callers are
     * patient, because the time limits of HTTP clients count from the last byte.
     */
    private final class Requests implements ShardStore, SimulatedLease.Requests {

        @Override
        public <T> T request(Duration limit, Supplier<T> action) {
            whilePaused();
            boolean patient = world.faults && chance.nextInt(3) == 0;
            long timeout = patient ? Long.MAX_VALUE : clock.real(limit);
            boolean down = world.simulation.now() < world.downUntil;
            boolean cutOff = down || world.simulation.now() < cutOffUntil;
            boolean slow = world.faults && chance.nextInt(20) == 0;
            boolean lost = cutOff || (world.faults && chance.nextInt(30) == 0) || losesNext;
            losesNext = false;
            double most = slow ? 8.0 : world.simulation.now() < world.slowUntil ? 0.5 : 0.02;
            long there = nanos(most);
            long back = nanos(most);
            CompletableFuture<Supplier<T>> answer = new CompletableFuture<>();
            if (!lost) {
                world.simulation.at(Duration.ofNanos(there), () -> answer.complete(resultOf(action)));
            }
            long unanswered = down && world.refuses ? there + back : clock.real(limit);
            world.simulation.sleep(lost ? unanswered : Math.min(there + back, timeout));
            whilePaused();
            boolean late = there + back > timeout && chance.nextInt(3) > 0;
            Supplier<T> result = answer.getNow(null);
            if (!alive || result == null || late || (world.faults && chance.nextInt(60) == 0)) {
                throw FakeShardStore.failure(0);
            }
            return result.get();
        }

        private long nanos(double most) {
            return (long) (chance.nextDouble() * most * 1e9);
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
        public List<Version> replicas(Duration timeout) {
            return request(timeout, () -> world.store.replicas(timeout));
        }

        @Override
        public List<Version> shards(Duration timeout) {
            return request(timeout, () -> world.store.shards(timeout));
        }

        @Override
        public Version create(String name, boolean replica, LeaseRecord record, Duration timeout) {
            return request(timeout, () -> world.store.create(name, replica, record, timeout));
        }

        @Override
        public Version update(Version previous, LeaseRecord record, Duration timeout) {
            return request(timeout, () -> world.store.update(previous, record, timeout));
        }

        @Override
        public void mark(Version previous, boolean leaving, Duration timeout) {
            request(timeout, () -> {
                world.store.mark(previous, leaving, timeout);
                return true;
            });
        }

        @Override
        public void delete(Version previous, Duration timeout) {
            request(timeout, () -> {
                world.store.delete(previous, timeout);
                return true;
            });
        }
    }
}
