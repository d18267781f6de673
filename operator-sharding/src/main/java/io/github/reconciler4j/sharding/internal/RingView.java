package io.github.reconciler4j.sharding.internal;

import io.github.reconciler4j.leaderelection.internal.LeaseRecord;
import io.github.reconciler4j.sharding.ShardingOptions;
import io.github.reconciler4j.sharding.ShardingStatus;
import io.github.reconciler4j.sharding.internal.ShardStore.Version;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What this replica has seen of the Leases, and when on its own clock. The times in the Leases are those of other clocks, so they
 * are not used. Confined to one thread.
 */
final class RingView {

    private final ShardingOptions options;
    private final String identity;
    private final RingNames names;
    private final TimeSource time;
    private final Duration leaseDuration;
    private final Map<String, ObservedLease> replicas = new TreeMap<>();
    private final Map<String, ObservedLease> shards = new HashMap<>();

    /** The replicas that lived when they were listed last, see {@link #live}. */
    private Set<String> seenLive = Set.of();

    /** Replicas that hold a shard and have no Lease, and since when. */
    private final Map<String, Long> strangers = new HashMap<>();

    /** A Lease, and since when its content is as it is. */
    record ObservedLease(Version version, long sinceNanos, boolean missing) {
        LeaseRecord record() {
            return version.record();
        }
    }

    RingView(RingNames names, String identity, TimeSource time) {
        this.options = names.options();
        this.identity = identity;
        this.names = names;
        this.time = time;
        this.leaseDuration = options.timing().leaseDuration();
    }

    /** Takes note of the Leases of all replicas; returns whether other replicas live than at the last call: one may have expired. */
    boolean seeReplicas(List<Version> found) {
        Set<String> names = new HashSet<>();
        for (Version version : found) {
            names.add(version.name());
            see(replicas, version);
        }
        replicas.keySet().retainAll(names);
        Set<String> before = seenLive;
        seenLive = live();
        return !before.equals(seenLive);
    }

    /** Takes note of the Leases of all shards. One that has been seen before is not forgotten. */
    void seeShards(List<Version> found) {
        Set<String> names = new HashSet<>();
        for (Version version : found) {
            names.add(version.name());
            see(shards, version);
        }
        shards.replaceAll((name, seen) -> names.contains(name) || seen.missing()
                ? seen
                : new ObservedLease(seen.version(), time.nanoTime(), true));
    }

    void seeReplica(Version version) {
        see(replicas, version);
    }

    void seeShard(Version version) {
        see(shards, version);
    }

    private void see(Map<String, ObservedLease> known, Version found) {
        ObservedLease before = known.get(found.name());
        long since = time.nanoTime();
        if (before != null && !before.missing() && before.record().equals(found.record())) {
            since = before.sinceNanos();
        }
        known.put(found.name(), new ObservedLease(found, since, false));
    }

    Optional<ObservedLease> shard(String name) {
        return Optional.ofNullable(shards.get(name));
    }

    /** The Lease of this replica. */
    Optional<ObservedLease> own() {
        return replica(identity);
    }

    boolean isOwn(ObservedLease replica) {
        return replica.version().name().equals(names.replica(identity));
    }

    private Optional<ObservedLease> replica(String holder) {
        return Optional.ofNullable(replicas.get(names.replica(holder)));
    }

    Collection<ObservedLease> replicas() {
        return replicas.values();
    }

    /** Whether the content is as it is for the duration of a lease, so that nothing may rely on what was before. */
    private boolean isOld(ObservedLease seen) {
        return time.nanoTime() - seen.sinceNanos() >= leaseDuration.toNanos();
    }

    /** Whether a replica has a Lease that is neither released nor expired. */
    boolean isLive(ObservedLease replica) {
        return !replica.record().holder().isEmpty() && !isExpired(replica);
    }

    /** Whether a replica has not renewed its Lease for its duration, so that it cannot write any more. */
    boolean isExpired(ObservedLease replica) {
        Duration lasts = replica.record().lasts(leaseDuration);
        return !replica.record().isReleased()
                && time.nanoTime() - replica.sinceNanos() >= Math.max(lasts.toNanos(), leaseDuration.toNanos());
    }

    /** The names of the Leases of the replicas that live. */
    private Set<String> live() {
        Set<String> live = new HashSet<>();
        replicas.forEach((name, seen) -> {
            if (isLive(seen)) {
                live.add(name + (seen.version().marks().leaving() ? "-" : ""));
            }
        });
        return live;
    }

    /** Returns the replicas that hold a shard and have had no Lease for the lease duration. To be called with each look. */
    Set<String> lastingStrangers() {
        Set<String> without = new HashSet<>(shardHolders());
        without.removeIf(holder -> replica(holder).isPresent());
        strangers.keySet().retainAll(without);
        without.forEach(holder -> strangers.putIfAbsent(holder, time.nanoTime()));
        without.removeIf(
                holder -> time.nanoTime() - strangers.getOrDefault(holder, time.nanoTime()) < leaseDuration.toNanos());
        return without;
    }

    /** Whether the Lease of a former replica can be deleted: it is old, and no shard names the replica. */
    boolean isForgotten(ObservedLease replica) {
        return replica.record().isReleased()
                && isOld(replica)
                && shardHolders().stream()
                        .noneMatch(holder ->
                                names.replica(holder).equals(replica.version().name()));
    }

    private Set<String> shardHolders() {
        Set<String> holders = new HashSet<>();
        for (int shard = 0; shard < options.shards(); shard++) {
            shard(names.shard(shard))
                    .filter(seen -> !seen.missing())
                    .map(seen -> seen.record().holder())
                    .ifPresent(holders::add);
        }
        holders.remove("");
        return holders;
    }

    /**
     * Whether no replica can work that divides the objects in another way than this one, whose Lease says how it does. One that
     * has not renewed its Lease counts until it was declared dead, because a renewal may be on its way.
     */
    boolean agreeOnLayout() {
        boolean stated =
                own().filter(seen -> isLive(seen) && hasSameLayout(seen)).isPresent();
        return stated
                && replicas.values().stream()
                        .filter(seen -> !seen.record().isReleased())
                        .allMatch(this::hasSameLayout);
    }

    private boolean hasSameLayout(ObservedLease replica) {
        return replica.version().marks().layout().equals(names.layout());
    }

    /**
     * The replicas that can hold shards.
     *
     * @param leaving whether this replica gives its shards away
     */
    Set<String> eligible(boolean leaving) {
        Set<String> eligible = new TreeSet<>();
        for (ObservedLease replica : replicas.values()) {
            boolean leaves =
                    isOwn(replica) ? leaving : replica.version().marks().leaving();
            if (isLive(replica) && !leaves && hasSameLayout(replica)) {
                eligible.add(replica.record().holder());
            }
        }
        return eligible;
    }

    /** The live holder of each shard. */
    @Nullable
    String[] holders() {
        @Nullable String[] holders = new String[options.shards()];
        for (int shard = 0; shard < holders.length; shard++) {
            holders[shard] = shard(names.shard(shard))
                    .filter(seen -> !seen.missing())
                    .map(seen -> seen.record().holder())
                    .filter(holder -> replica(holder).filter(this::isLive).isPresent())
                    .orElse(null);
        }
        return holders;
    }

    /**
     * The loads of all replicas.
     *
     * @param leaving whether this replica gives its shards away
     */
    ShardingStatus.Ring ring(boolean leaving) {
        Map<String, Integer> loads = new HashMap<>();
        eligible(leaving).forEach(replica -> loads.put(replica, 0));
        int unheld = 0;
        for (String holder : holders()) {
            if (holder == null) {
                unheld++;
            } else {
                loads.computeIfPresent(holder, (replica, load) -> load + 1);
            }
        }
        int imbalance = loads.isEmpty() ? 0 : Collections.max(loads.values()) - Collections.min(loads.values());
        return new ShardingStatus.Ring(loads.size(), unheld, imbalance);
    }

    /**
     * Whether no replica can work on a shard that this replica does not hold.
     *
     * @param sent what this replica has sent for the shard, null if it has sent nothing
     */
    boolean isFree(ObservedLease seen, @Nullable LeaseRecord sent) {
        LeaseRecord record = seen.record();
        if (seen.missing()) {
            return isOld(seen);
        }
        if (record.isReleased() || record.equals(sent)) {
            return true;
        }
        if (record.holder().isEmpty() || record.holder().equals(identity)) {
            // Another client has emptied it, or put this name into it: its former holder may not know yet.
            return isOld(seen);
        }
        return replica(record.holder())
                .filter(replica -> replica.record().isReleased())
                .isPresent();
    }

    /** How long no replica has worked on a shard: at most since its dead holder has renewed its Lease for the last time. */
    Duration idle(Optional<ObservedLease> shard) {
        return shard.map(seen -> Duration.ofNanos(time.nanoTime() - seen.sinceNanos()))
                .orElse(Duration.ZERO);
    }

    /** Return the content of a Lease when it was seen last, null if it is missing. */
    @Nullable
    LeaseRecord record(String name) {
        ObservedLease seen = shards.getOrDefault(name, replicas.get(name));
        return seen == null || seen.missing() ? null : seen.record();
    }

    /** Return whether the Lease of a shard was seen last with this record. */
    boolean has(String name, LeaseRecord record) {
        return shard(name)
                .filter(seen -> !seen.missing() && seen.record().equals(record))
                .isPresent();
    }

    /** How long until the next replica expires if none renews its Lease; null if no replica is left. */
    @Nullable
    Duration untilExpiry() {
        long least = Long.MAX_VALUE;
        for (ObservedLease replica : replicas.values()) {
            if (isLive(replica)) {
                long lasts = replica.record().lasts(leaseDuration).toNanos();
                least = Math.min(least, replica.sinceNanos() + lasts - time.nanoTime());
            }
        }
        return least == Long.MAX_VALUE ? null : Duration.ofNanos(Math.max(0, least));
    }
}
