package io.github.reconciler4j.sharding.internal;

import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.leaderelection.LeaseTiming;
import io.github.reconciler4j.leaderelection.internal.LeaseRecord;
import io.github.reconciler4j.sharding.internal.RingView.ObservedLease;
import io.github.reconciler4j.sharding.internal.ShardStore.Version;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
 * <p>Confined to one thread.
 */
final class RingLeases {

    private static final Logger LOG = LoggerFactory.getLogger(RingLeases.class);
    private static final Duration SHORTEST_TIMEOUT = Duration.ofSeconds(1);

    private final ShardStore store;
    private final RingNames names;
    private final RingView view;
    private final String identity;
    private final TimeSource time;
    private final LeaseTiming timing;
    private final LogLimiter warnings;

    /** What was sent last for a shard. Kept because it may have been applied although no response arrived. */
    private final Map<Integer, LeaseRecord> sent = new HashMap<>();

    /** Whether a request was not answered in a retry period, and how long the slowest took since the last look. */
    private boolean patient;

    private long slowestNanos;

    RingLeases(ShardStore store, RingNames names, RingView view, String identity, TimeSource time) {
        this.store = store;
        this.names = names;
        this.view = view;
        this.identity = identity;
        this.time = time;
        this.timing = names.options().timing();
        this.warnings = new LogLimiter(Duration.ofMinutes(1), time);
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
    }

    /** Returns whether other replicas live than at the last call. */
    boolean listReplicas() {
        return view.seeReplicas(send(store::replicas));
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
            if (view.isExpired(replica) && !view.isOwn(replica)) {
                worked &= attempt("declare a replica dead", () -> {
                    LeaseRecord released = replica.record().released(time.instant());
                    view.seeReplica(update(replica.version(), released));
                    LOG.info(
                            "Replica {} has not renewed its Lease",
                            replica.record().holder());
                });
            } else if (view.isForgotten(replica)) {
                worked &= attempt(
                        "delete a Lease",
                        () -> send(timeout -> {
                            store.delete(replica.version(), timeout);
                            return true;
                        }));
            }
        }
        for (String stranger : view.lastingStrangers()) {
            worked &= attempt("declare a replica dead", () -> {
                LeaseRecord released =
                        LeaseRecord.first(stranger, 1, time.instant()).released(time.instant());
                view.seeReplica(send(timeout -> store.create(names.replica(stranger), true, released, timeout)));
            });
        }
        return worked;
    }

    /** Marks the Lease of this replica if it exists; returns whether that worked. */
    boolean mark(boolean leaving) {
        Optional<ObservedLease> own = view.own();
        if (own.isEmpty() || own.get().version().marks().leaving() == leaving) {
            return true;
        }
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

    /** Releases a free shard that names this replica: a former write was applied without a response. Returns whether that worked. */
    boolean giveBack(int shard) {
        ObservedLease seen = view.shard(names.shard(shard)).orElse(null);
        return seen == null
                || !view.isFree(seen, sent.get(shard))
                || attempt("release shard " + shard, () -> release(seen.version()));
    }

    private Version update(Version previous, LeaseRecord record) {
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
        String message = e instanceof ApiException ? String.valueOf(e.getMessage()) : e.toString();
        warnings.log(
                what + message,
                occurrence ->
                        LOG.warn("Sharding {}: could not {}: {}{}", names.ring(), what, message, occurrence.suffix()));
    }
}
