package io.github.reconciler4j.sharding.internal.member;

import io.fabric8.kubernetes.api.model.Namespace;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.cache.Partition;
import io.github.reconciler4j.cache.PartitionKey;
import io.github.reconciler4j.client.WriteMode;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.manager.WorkDivision;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.sharding.ShardingOptions;
import io.github.reconciler4j.workqueue.RequestGate;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * The shards as the parts into which replicas divide their work.
 *
 * @param options the settings; with one shard, all replicas work, but nothing is divided
 */
public record DividedWork(ShardingOptions options) implements WorkDivision {

    /** Returns how a manager divides its work; empty if its client does not write, so that it sees everything. */
    public static Optional<WorkDivision> of(ShardingOptions sharding, ManagerOptions manager) {
        return manager.client().mode() == WriteMode.NORMAL ? Optional.of(new DividedWork(sharding)) : Optional.empty();
    }

    /** Returns what the cache of the manager starts with: no shard, if the replicas divide the objects. */
    public static CacheOptions cache(ShardingOptions sharding, ManagerOptions manager) {
        CacheOptions cache = manager.cache();
        if (!cache.partition().isUndivided()) {
            throw new IllegalArgumentException("'cache' must not have " + cache.partition()
                    + ", because the replicas share the shards: remove CacheOptions.withPartition or"
                    + " ManagerOptions.withExtension");
        }
        if (sharding.shards() == 1 || of(sharding, manager).isEmpty()) {
            return cache;
        }
        boolean owned = sharding.families() == ShardingOptions.Families.BY_OWNER;
        Partition none = Partition.of(sharding.shards(), Set.of())
                .withServerNamespaces(cache.partition().serverNamespaces());
        return (owned ? byOwner(cache) : cache).withPartition(none);
    }

    /** Kinds with a key keep it, and namespaces have no owners. */
    private static CacheOptions byOwner(CacheOptions cache) {
        KindCacheOptions defaults = cache.kindDefaults();
        if (defaults.partitionKey().isPresent()) {
            return cache;
        }
        Kind<Namespace> namespaces = Kind.of(Namespace.class);
        KindCacheOptions own = cache.kinds().getOrDefault(namespaces, KindCacheOptions.defaults());
        return cache.withKindDefaults(defaults.withPartitionKey(PartitionKey.owner()))
                .withKind(namespaces, own.withPartitionKey(own.partitionKey().orElse(PartitionKey.whole())));
    }

    /** Describes what decides to which shard an object belongs, besides the number of shards and the families. */
    public static String keys(ShardingOptions sharding, CacheOptions cache) {
        Map<String, String> keys = new TreeMap<>();
        cache.kinds()
                .forEach((kind, its) -> its.partitionKey().ifPresent(key -> keys.put(kind.toString(), key.toString())));
        String others =
                cache.kindDefaults().partitionKey().map(PartitionKey::toString).orElse("");
        return keys + " " + others + " " + cache.partition().serverNamespaces() + " " + sharding.dividedClusters();
    }

    @Override
    public int parts() {
        return options.shards();
    }

    /** The hash does not depend on the options of the cache. */
    @Override
    public OptionalInt partOf(String cluster) {
        return options.dividedClusters() && options.shards() > 1
                ? OptionalInt.of(Partition.of(options.shards(), Set.of()).ofNamespace(cluster))
                : OptionalInt.empty();
    }

    @Override
    public <R> RequestGate<R> gate(String controller, Function<? super R, OptionalInt> partOf, BooleanSupplier ready) {
        return new ShardGate<>(controller, partOf, ready);
    }
}
