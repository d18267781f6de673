package io.github.reconciler4j.sharding.internal;

import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.leaderelection.LeaseTiming;
import io.github.reconciler4j.leaderelection.internal.LeaseRecord;
import io.github.reconciler4j.sharding.internal.RingView.ObservedLease;
import io.github.reconciler4j.sharding.internal.ShardStore.Version;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.Texts;
import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.support.internal.RequestBound;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the requests of a {@link ShardRing} for Leases, and notes in its {@link RingView} what they show.
 *
 * <p>A lost request must not delay a failover for long. So a request waits for a retry period, and for the request timeout only after
 * one that was not answered within that time, until all responses to a look at the Leases arrive fast again.
 *
 * <p>A Lease is written at once. While the lists show it as before, whatever the API server answered, each further write of it costs:
 * {@code BURST} of them are sent at once, and one in {@code INTERVAL} after that, over all Leases. When the list shows one that was
 * written again, the API server works again, and all others are written at once.
 *
 * <p>Confined to one thread.
 */
final class RingLeases {

    private static final Logger LOG = LoggerFactory.getLogger(RingLeases.class);
    private static final Duration SHORTEST_TIMEOUT = Duration.ofSeconds(1);
    private static final int BURST = 4;
    private static final Duration INTERVAL = Duration.ofSeconds(2);

    private final ShardStore store;
    private final RingNames names;
    private final RingView view;
    private final String identity;
    private final TimeSource time;
    private final LeaseTiming timing;
    private final LogLimiter warnings;

    /** What was sent last for a shard. Kept because it may have been applied although no response arrived. */
    private final Map<Integer, LeaseRecord> sent = new HashMap<>();

    /** What was written and not seen in a list, by the name of the Lease. */
    private final Map<String, Written> unseen = new HashMap<>();

    private final RequestBound repetitions;

    /** Whether the Lease of this replica was marked, or its mark was removed, and no list has shown that. */
    private boolean marking;

    /** Whether a request was not answered in a retry period, and how long the slowest took since the last look. */
    private boolean patient;

    private long slowestNanos;

    /** A Lease before and after a write, and whether it was a repetition. */
    private record Written(@Nullable LeaseRecord before, LeaseRecord after, boolean again) {}

    RingLeases(ShardStore store, RingNames names, RingView view, String identity, TimeSource time) {
        this.store = store;
        this.names = names;
        this.view = view;
        this.identity = identity;
        this.time = time;
        this.timing = names.options().timing();
        this.warnings = new LogLimiter(Duration.ofMinutes(1), time);
        this.repetitions = new RequestBound(BURST, INTERVAL.toNanos(), time.nanoTime());
    }

    /** Returns whether one more request than usual may be sent, and counts it. */
    boolean maySend() {
        long now = time.nanoTime();
        boolean may = repetitions.nanosUntilNext(now) == 0;
        if (may) {
            repetitions.sent(now, 1);
        }
        return may;
    }

    /** Returns whether a Lease may be written, and counts it if it is a repetition. */
    private boolean mayWrite(String name) {
        return !unseen.containsKey(name) || maySend();
    }

    /** Returns whether the Lease of a shard may be written, and counts it if it is a repetition. */
    boolean mayWrite(int shard) {
        return mayWrite(names.shard(shard));
    }

    /** Notes a write. What the view has since an earlier one is what the API server has acknowledged, which need not be so. */
    private void writing(String name, LeaseRecord after) {
        Written earlier = unseen.get(name);
        unseen.put(
                name,
                earlier == null
                        ? new Written(view.record(name), after, false)
                        : new Written(earlier.before(), after, true));
    }

    /** Forgets the writes of Leases that have changed since. To be called after a list, because the view has acknowledged writes too. */
    private void forgetSeen(boolean replicas) {
        boolean works = false;
        for (Map.Entry<String, Written> entry : List.copyOf(unseen.entrySet())) {
            Written write = entry.getValue();
            LeaseRecord now = view.record(entry.getKey());
            if (names.isName(entry.getKey(), replicas) && !Objects.equals(now, write.before())) {
                works |= write.again() && write.after().equals(now);
                unseen.remove(entry.getKey());
            }
        }
        if (works) {
            unseen.clear();
        }
    }

    private Duration quick() {
        Duration retry = timing.retryPeriod();
        Duration least = retry.compareTo(SHORTEST_TIMEOUT) < 0 ? SHORTEST_TIMEOUT : retry;
        return least.compareTo(timing.requestTimeout()) < 0 ? least : timing.requestTimeout();
    }

    private <T> T send(Function<Duration, T> request) {
        Duration timeout = patient ? timing.requestTimeout() : quick();
        long startNanos = time.nanoTime();
        try {
            T response = request.apply(timeout);
            slowestNanos = Math.max(slowestNanos, time.nanoTime() - startNanos);
            return response;
        } catch (ApiException e) {
            patient |= e.code() == 0 && time.nanoTime() - startNanos >= timeout.toNanos() / 2;
            throw e;
        }
    }

    void listShards() {
        view.seeShards(send(store::shards));
        forgetSeen(false);
    }

    /** Returns whether other replicas live than at the last call. */
    boolean listReplicas() {
        boolean changed = view.seeReplicas(send(store::replicas));
        forgetSeen(true);
        return changed;
    }

    /** All requests of a look were answered. */
    void looked() {
        patient &= slowestNanos >= quick().toNanos() / 2;
        slowestNanos = 0;
    }

    /** Releases the Leases of replicas that have not renewed them, so that they cannot renew them any more; returns whether that worked. */
    boolean declareDead() {
        boolean worked = true;
        for (ObservedLease replica : List.copyOf(view.replicas())) {
            boolean expired = view.isExpired(replica) && !view.isOwn(replica);
            if (!expired && !view.isForgotten(replica)) {
                continue;
            }
            if (!mayWrite(replica.version().name())) {
                worked = false;
            } else if (expired) {
                worked &= attempt("declare a replica dead", () -> {
                    view.seeReplica(update(replica.version(), replica.record().released(time.instant())));
                    LOG.info(
                            "Replica {} has not renewed its Lease",
                            replica.record().holder());
                });
            } else {
                writing(replica.version().name(), replica.record());
                worked &= attempt(
                        "delete a Lease",
                        () -> send(timeout -> {
                            store.delete(replica.version(), timeout);
                            return true;
                        }));
            }
        }
        for (String stranger : view.lastingStrangers()) {
            String name = names.replica(stranger);
            worked &= mayWrite(name)
                    && attempt("declare a replica dead", () -> {
                        LeaseRecord released =
                                LeaseRecord.first(stranger, 1, time.instant()).released(time.instant());
                        writing(name, released);
                        view.seeReplica(send(timeout -> store.create(name, true, released, timeout)));
                    });
        }
        return worked;
    }

    /** Marks the Lease of this replica if it exists; returns whether that worked. */
    boolean mark(boolean leaving) {
        Optional<ObservedLease> own = view.own();
        if (own.isEmpty() || own.get().version().marks().leaving() == leaving) {
            marking = false;
            return true;
        }
        if (marking && !maySend()) {
            return false;
        }
        marking = true;
        return attempt(
                "mark the Lease of this replica",
                () -> send(timeout -> {
                    store.mark(own.get().version(), leaving, timeout);
                    return true;
                }));
    }

    /** Whether no replica can work on a shard that this replica does not hold. */
    boolean isFree(int shard) {
        return view.shard(names.shard(shard))
                .map(seen -> view.isFree(seen, sent.get(shard)))
                .orElse(true);
    }

    /** Writes the Lease of a free shard. */
    Version acquire(int shard) {
        Version lease = write(shard, view.shard(names.shard(shard)).orElse(null));
        view.seeShard(lease);
        return lease;
    }

    private Version write(int shard, @Nullable ObservedLease found) {
        int seconds = (int) timing.leaseDuration().toSeconds();
        if (found == null || found.missing()) {
            LeaseRecord first = LeaseRecord.first(identity, seconds, time.instant());
            sent.put(shard, first);
            writing(names.shard(shard), first);
            return send(timeout -> store.create(names.shard(shard), false, first, timeout));
        }
        LeaseRecord record = found.record().acquired(identity, seconds, time.instant());
        sent.put(shard, record);
        return update(found.version(), record);
    }

    /** Releases the Lease of a shard. */
    void release(Version lease) {
        view.seeShard(update(lease, lease.record().released(time.instant())));
    }

    /**
     * Releases a free shard that names this replica: a former write was applied without a response. Returns whether that worked.
     *
     * @param last whether this replica leaves and does not repeat it
     */
    boolean giveBack(int shard, boolean last) {
        ObservedLease seen = view.shard(names.shard(shard)).orElse(null);
        return seen == null
                || !view.isFree(seen, sent.get(shard))
                || (last || mayWrite(shard)) && attempt("release shard " + shard, () -> release(seen.version()));
    }

    private Version update(Version previous, LeaseRecord record) {
        writing(previous.name(), record);
        return send(timeout -> store.update(previous, record, timeout));
    }

    /** Returns whether a write has worked. Throws an exception if the API server does not respond, as others would only wait as well. */
    boolean attempt(String what, Runnable write) {
        try {
            write.run();
            return true;
        } catch (ApiException e) {
            if (e.code() == 0) {
                throw e;
            }
            if (e.code() != 409 && e.code() != 404) {
                report(what, e);
            }
            return false;
        }
    }

    void report(String what, Throwable e) {
        String message = e instanceof ApiException ? String.valueOf(e.getMessage()) : Texts.of(e);
        warnings.log(
                what + message,
                occurrence -> LOG.warn(
                        "Sharding {}: could not {} (R4J-215): {}{}", names.ring(), what, message, occurrence.suffix()));
    }
}
