package io.github.reconciler4j.sharding.internal;

import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.leaderelection.internal.LeaseFence;
import io.github.reconciler4j.sharding.ShardHandler.Stop;
import io.github.reconciler4j.sharding.ShardingOptions;
import io.github.reconciler4j.sharding.ShardingStatus;
import io.github.reconciler4j.sharding.internal.HeldShard.Session;
import io.github.reconciler4j.sharding.internal.HeldShard.State;
import io.github.reconciler4j.sharding.internal.RingView.ObservedLease;
import io.github.reconciler4j.support.Causes;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The algorithm by which replicas divide shards among themselves, as a state machine without threads: each {@link #step} looks at
 * the Leases and acts once.
 *
 * <h2>Leases</h2>
 *
 * Each replica renews one Lease, with the algorithm of leader election. A shard has a Lease that names its holder and counts its
 * terms; it is written only when the shard moves. So the number of writes depends on the number of replicas alone.
 *
 * <h2>Why no two replicas hold a shard</h2>
 *
 * A replica works on a shard while the fence of its own Lease is open ({@link LeaseFence}). Another one acquires the shard
 *
 * <ul>
 *   <li>after the holder has released it, or its own Lease at the end, which it does when nothing runs any more, or
 *   <li>after the holder was declared dead: after it has not renewed its Lease for the lease duration, another replica releases
 *       that <em>Lease of the replica</em>, with the resourceVersion of the last renewal that it saw. By then the fence of the
 *       holder has closed (see {@link LeaseFence}), and a renewal of it that is still on its way fails with a conflict, so the fence
 *       does not open again in this session. A holder without a Lease is declared dead by creating a released one.
 * </ul>
 *
 * The write that acquires a shard carries the resourceVersion that was seen, so one of several replicas succeeds. A replica that
 * was declared dead and comes back starts a new session, in which it holds nothing: it has to write the Lease of a shard before it
 * works on it again. The Leases of the shards are listed <em>before</em> those of the replicas. So if the list of replicas says that
 * a holder is dead, its term in the list of shards belongs to a session that has ended; a later term fails the write.
 *
 * <p>Confined to one thread, except for {@link #elected}, {@link #lost} and {@link #leave}.
 */
final class ShardRing {

    private static final Logger LOG = LoggerFactory.getLogger(ShardRing.class);

    /** How many shards a replica gives away at the same time: a quarter of all within these bounds. */
    private static final int MIN_MOVES = 4;

    private static final int MAX_MOVES = 64;

    /** How long interrupted runs may take to end before the shard moves without them. */
    private static final Duration ABANDON_AFTER = Duration.ofSeconds(3);

    /** How often to look whether a shard has ended; this takes no request. */
    private static final Duration POLL = Duration.ofMillis(100);

    /** For how long shards are acquired before those start that were; a slow write ends that. */
    private static final Duration START_WITHIN = Duration.ofSeconds(1);

    private static final Duration SLOW_WRITE = Duration.ofMillis(500);

    private static final double JITTER = 0.2;

    private final ShardCoordinator.Environment environment;
    private final ShardingOptions options;
    private final String identity;
    private final TimeSource time;
    private final RingNames names;
    private final RingView view;
    private final Map<Integer, HeldShard> held = new TreeMap<>();
    private final RingLeases leases;

    private volatile @Nullable Session session;
    private volatile boolean returns;
    private volatile boolean leaving;
    private volatile ShardingStatus status;

    private boolean marked;

    /** Whether the release of the Lease of this replica, which leaves, frees the shards that name it. */
    private boolean freed;

    /** The session in which no replica with another layout lived when this one had joined. */
    private @Nullable Session admitted;

    /** The session of the latest look. */
    private @Nullable Session looked;

    private boolean settled;
    private long nextLookNanos;
    private long lastFullLookNanos;

    ShardRing(ShardCoordinator.Environment environment, RingNames names, String identity, TimeSource time) {
        this.environment = environment;
        this.options = names.options();
        this.identity = identity;
        this.time = time;
        this.names = names;
        this.view = new RingView(names, identity, time);
        this.leases = new RingLeases(environment.store(), names, view, identity, time);
        this.nextLookNanos = time.nanoTime();
        this.status = know();
    }

    /** This replica has acquired its Lease. */
    void elected() {
        session = new Session(environment.fence(), time.nanoTime());
    }

    /** This replica has lost its Lease. No shard can be written any more when this method returns. */
    void lost() {
        Session ended = session;
        if (ended != null) {
            ended.end();
        }
    }

    /**
     * Give all shards away and acquire none.
     *
     * @param again whether this replica joins again at once, with the same identity
     */
    void leave(boolean again) {
        returns = again;
        leaving = true;
    }

    /** Return whether this replica holds no shard and nothing runs any more. To be called by the thread of the ring. */
    boolean isEmpty() {
        return held.isEmpty();
    }

    /** Return what this replica knows. */
    ShardingStatus status() {
        return status;
    }

    /** Look at the Leases if it is time to, and act; returns how long to wait before the next step. */
    Duration step() {
        dropLost();
        if (leaving) {
            giveAway(new String[options.shards()]);
        }
        moveOn();
        boolean elected = session != null && looked != session;
        if (time.nanoTime() - nextLookNanos >= 0 || elected || (leaving && !marked)) {
            looked = session;
            long startNanos = time.nanoTime();
            try {
                look();
            } catch (Throwable e) {
                // Of any kind: the next attempt may succeed, and the fence closes if the API server is gone.
                settled = false; // what changed was seen, and not acted on
                leases.report("read or write the Leases", e);
                long waited = time.nanoTime() - startNanos;
                nextLookNanos = time.nanoTime()
                        + Math.max(POLL.toNanos(), jittered(options.timing().retryPeriod()) - waited);
            }
            dropLost();
        }
        status = know();
        long pause = nextLookNanos - time.nanoTime();
        boolean ending = held.values().stream().anyMatch(each -> each.state() != State.RUNNING);
        return Duration.ofNanos(Math.max(0, ending ? Math.min(pause, POLL.toNanos()) : pause));
    }

    /** Ends what belongs to a session that is over. */
    private void dropLost() {
        boolean any = false;
        for (HeldShard each : List.copyOf(held.values())) {
            if (each.session().isOver() && each.state() != State.ENDING) {
                endNow(each);
                environment.listener().lost(each.shard());
            }
            if (each.session().isOver() && (each.hasEnded() || each.isOverdue(time.nanoTime()))) {
                held.remove(each.shard());
            }
            any |= each.session().isOver() && held.containsKey(each.shard());
        }
        Session current = session;
        if (current != null && current.isOver() && !any) {
            session = null;
            environment.listener().ended();
        }
    }

    /** Closes the fence of a shard and interrupts its runs. */
    private void endNow(HeldShard shard) {
        shard.close();
        shard.end(stop(shard.shard(), Stop.NOW), time.nanoTime() + ABANDON_AFTER.toNanos());
    }

    private CompletionStage<Void> stop(int shard, Stop how) {
        try {
            return environment.handler().stop(shard, how);
        } catch (Throwable e) {
            LOG.error("Shard {} could not be stopped", shard, Causes.loggable(e));
            return new CompletableFuture<>();
        }
    }

    /**
     * Continues with the shards that this replica gives away. One that leaves others with many does not write all their Leases, which
     * would take long: when nothing runs any more, the release of its own Lease, which comes next, frees those that are left. That
     * does not hold for this replica itself if it joins again, because a Lease that names it may be that of an older process.
     */
    private void moveOn() {
        List<HeldShard> over = new ArrayList<>();
        for (HeldShard each : List.copyOf(held.values())) {
            if (each.state() == State.RUNNING || each.session().isOver()) {
                continue;
            }
            if (each.state() == State.FINISHING && !each.hasEnded() && each.isOverdue(time.nanoTime())) {
                LOG.warn("Reconciliations of shard {} did not finish in time and are interrupted", each.shard());
                endNow(each);
            }
            if (each.hasEnded() || (each.state() == State.ENDING && each.isOverdue(time.nanoTime()))) {
                over.add(each);
            }
        }
        boolean ends = leaving && !returns && over.size() == held.size();
        if (ends && over.size() > MAX_MOVES && !view.eligible(true).isEmpty()) {
            freed = true;
            over.forEach(this::drop);
            return;
        }
        Iterator<HeldShard> next = over.stream().limit(MAX_MOVES).iterator();
        while (next.hasNext() && release(next.next())) {} // the API server may be gone, and each request would wait
    }

    private void drop(HeldShard shard) {
        shard.close();
        held.remove(shard.shard());
        settled = false;
        environment.listener().released(shard.shard());
    }

    /** Returns whether the API server has responded. */
    private boolean release(HeldShard shard) {
        drop(shard);
        if (!leaving && !leases.mayWrite(shard.shard())) {
            return true; // the next look gives it back
        }
        try {
            leases.release(shard.lease());
            return true;
        } catch (Throwable e) {
            // The next look shows whether the Lease still names this replica, which then gives it back.
            leases.report("release shard " + shard.shard(), e);
            if (leaving || leases.maySend()) { // who leaves looks once again, then it holds nothing and ends
                nextLookNanos = time.nanoTime();
            }
            return e instanceof ApiException failure && failure.code() != 0;
        }
    }

    /** Lists the Leases; those of the shards only if something may have to move. */
    private void look() {
        boolean full = !settled
                || leaving
                || time.nanoTime() - lastFullLookNanos
                        >= options.timing().renewDeadline().toNanos();
        if (full) {
            leases.listShards();
        }
        boolean changed = leases.listReplicas();
        if (changed && !full) {
            leases.listShards();
            leases.listReplicas();
        }
        if (full || changed) {
            lastFullLookNanos = time.nanoTime();
            act();
        }
        leases.looked();
        nextLookNanos = time.nanoTime() + pause();
    }

    private long pause() {
        Duration retry = options.timing().retryPeriod();
        long pause = jittered(settled || !leases.maySend() ? retry : retry.dividedBy(2));
        Session current = session;
        if (current != null && untilJoined(current) > 0) {
            return Math.min(pause, untilJoined(current));
        }
        Duration untilExpiry = view.untilExpiry();
        return untilExpiry == null ? pause : Math.min(pause, Math.max(untilExpiry.toNanos(), POLL.toNanos()));
    }

    private long jittered(Duration length) {
        return (long) (length.toNanos()
                * (1 - JITTER / 2 + JITTER * environment.random().getAsDouble()));
    }

    private void act() {
        Session current = session;
        if (current == null || !current.isOpen()) {
            settled = false;
            return;
        }
        boolean worked = isEstablished(current) ? leases.declareDead() : true;
        checkHeld();
        worked &= leases.mark(leaving);
        marked = leaving;
        admit(current);
        @Nullable String[] holders = view.holders();
        @Nullable String[] assigned = ShardAssignment.assign(holders, view.eligible(leaving));
        giveAway(assigned);
        settled = worked;
        boolean acquires = admitted == current && untilJoined(current) <= 0;
        Map<HeldShard, Optional<ObservedLease>> acquired = new LinkedHashMap<>();
        long fromNanos = time.nanoTime();
        try {
            for (int shard = 0; shard < assigned.length; shard++) {
                long writeNanos = time.nanoTime();
                boolean mine = identity.equals(assigned[shard]);
                settled &= assigned[shard] != null && assigned[shard].equals(holders[shard]) && mine == holds(shard);
                if (mine && !held.containsKey(shard) && acquires) {
                    acquire(shard, current, acquired);
                } else if (!mine && !freed && identity.equals(holders[shard]) && !held.containsKey(shard)) {
                    settled &= leases.giveBack(shard, leaving);
                }
                long now = time.nanoTime();
                if (now - fromNanos >= START_WITHIN.toNanos() || now - writeNanos >= SLOW_WRITE.toNanos()) {
                    start(acquired);
                    fromNanos = time.nanoTime();
                }
            }
        } finally {
            start(acquired);
        }
    }

    /** A replica waits a moment for others that start at the same time, instead of giving them half of what it has just listed. */
    private long untilJoined(Session current) {
        long wait = options.timing().retryPeriod().toNanos() / 2;
        return view.eligible(leaving).size() > 1 ? 0 : current.startNanos() + wait - time.nanoTime();
    }

    private boolean holds(int shard) {
        HeldShard known = held.get(shard);
        return known != null && known.state() == State.RUNNING;
    }

    /** After an outage of the API server, the others need a moment to renew their Leases. */
    private boolean isEstablished(Session current) {
        return time.nanoTime() - current.startNanos()
                >= 2 * options.timing().retryPeriod().toNanos();
    }

    /** Ends the shards whose Leases another client has changed. */
    private void checkHeld() {
        for (HeldShard each : List.copyOf(held.values())) {
            boolean kept = view.has(names.shard(each.shard()), each.lease().record());
            if (!kept && each.isOpen() && !each.session().isOver()) {
                LOG.warn("The Lease of shard {} was changed by another client", each.shard());
                endNow(each);
                environment.listener().lost(each.shard());
            }
        }
    }

    /** Replicas that divide the objects in different ways must not work at the same time. */
    private void admit(Session current) {
        if (admitted != current && view.agreeOnLayout()) {
            admitted = current;
        }
    }

    private void giveAway(@Nullable String[] assigned) {
        int most = leaving ? options.shards() : Math.max(MIN_MOVES, Math.min(MAX_MOVES, options.shards() / 4));
        long moving = held.values().stream()
                .filter(each -> each.state() != State.RUNNING)
                .count();
        for (HeldShard each : held.values()) {
            if (each.state() == State.RUNNING && !identity.equals(assigned[each.shard()]) && moving < most) {
                moving++;
                long until = time.nanoTime() + options.drainTimeout().toNanos();
                each.finish(stop(each.shard(), Stop.FINISH), until);
            }
        }
    }

    private void acquire(int shard, Session current, Map<HeldShard, Optional<ObservedLease>> acquired) {
        if (!leases.isFree(shard) || !leases.mayWrite(shard)) {
            return;
        }
        Optional<ObservedLease> found = view.shard(names.shard(shard));
        settled &= leases.attempt("acquire shard " + shard, () -> {
            if (current.isOpen()) {
                acquired.put(new HeldShard(shard, current, leases.acquire(shard)), found);
            }
        });
    }

    /** Starts shards together, so that their objects can be listed together. */
    private void start(Map<HeldShard, Optional<ObservedLease>> acquired) {
        acquired.keySet().removeIf(shard -> !shard.isOpen());
        acquired.forEach((shard, found) -> {
            held.put(shard.shard(), shard);
            environment.listener().acquired(shard.shard(), view.idle(found));
            start(List.of(shard), () -> environment.handler().start(shard.shard(), shard.scope()));
        });
        acquired.keySet().removeIf(shard -> shard.state() != State.RUNNING);
        if (!acquired.isEmpty()) {
            start(acquired.keySet(), () -> environment.handler().started());
        }
        acquired.clear();
    }

    private void start(Collection<HeldShard> shards, Runnable call) {
        try {
            call.run();
        } catch (Throwable e) {
            LOG.error("Shards could not be started and are given away", Causes.loggable(e));
            shards.forEach(this::endNow);
        }
    }

    private ShardingStatus know() {
        Set<Integer> working = new TreeSet<>(held.keySet());
        working.removeIf(shard -> !holds(shard));
        return new ShardingStatus(
                identity, options.shards(), working, view.ring(leaving), ShardingStatus.Moves.NONE, problem());
    }

    private String problem() {
        Session current = session;
        if (current == null || !current.isOpen()) {
            return "this replica does not hold its Lease " + names.replica(identity);
        }
        return admitted == current ? "" : names.otherLayouts();
    }
}
