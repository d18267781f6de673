package io.github.reconciler4j.manager.internal.sharding;

import io.fabric8.kubernetes.api.model.Namespace;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.CachedShards;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.cache.ShardKey;
import io.github.reconciler4j.client.WriteMode;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.health.HealthCheck;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.manager.StartGroup;
import io.github.reconciler4j.manager.internal.leadership.LeaseLeadership;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.sharding.ShardHandler;
import io.github.reconciler4j.sharding.ShardingOptions;
import io.github.reconciler4j.sharding.ShardingStatus;
import io.github.reconciler4j.sharding.internal.ShardCoordinator;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Shares shards with the other replicas. The cache and the controllers work on those that this replica holds, and the components
 * that implement {@link ShardHandler} are notified of them. It starts and stops with the components of all replicas.
 */
public final class ShardingComponent implements ManagedComponent {

    private final String namespace;
    private final String identity;
    private final boolean listsNamespaces;
    private final ShardMembership membership;
    private final ShardWork work;
    private final boolean elects;

    public ShardingComponent(ApiConnection connection, Cache cache, ShardingOptions sharding, ManagerOptions options) {
        namespace = LeaseLeadership.namespace(sharding);
        identity = LeaseLeadership.identity(sharding.identity());
        CacheOptions divided = divided(options);
        boolean agrees =
                divided.shards().serverNamespaces() && !divided.shards().isUndivided();
        listsNamespaces = agrees && divided.namedNamespaces().isEmpty();
        String keys = keys(sharding, divided);
        Function<String, ShardCoordinator.Settings> settings = text ->
                new ShardCoordinator.Settings(connection, namespace, identity, sharding, text, options.metrics());
        work = new ShardWork(cache);
        membership = new ShardMembership(
                sharding,
                agrees ? new NamespaceBorders(settings.apply(keys), divided.shards(), divided.namedNamespaces()) : null,
                borders -> new ShardCoordinator(
                        settings.apply(borders.isEmpty() ? keys : keys + " " + borders), options.timeSource()),
                work::divide,
                options.timeSource());
        elects = options.leaderElection().isPresent();
        if (sharding.shards() > 1) {
            membership.add(work);
        }
    }

    /** Returns what the cache of the manager starts with: no shard, if the replicas divide the objects. */
    public static CacheOptions divided(ManagerOptions options) {
        CacheOptions cache = options.cache();
        if (options.sharding().isPresent() && !cache.shards().isUndivided()) {
            throw new IllegalArgumentException("'cache' must not have " + cache.shards()
                    + ", because the replicas share the shards: remove CacheOptions.withShards or"
                    + " ManagerOptions.withSharding");
        }
        if (!dividesObjects(options)) {
            return cache;
        }
        ShardingOptions sharding = options.sharding().orElseThrow();
        boolean owned = sharding.families() == ShardingOptions.Families.BY_OWNER;
        CachedShards none = CachedShards.of(sharding.shards(), Set.of())
                .withServerNamespaces(cache.shards().serverNamespaces());
        return (owned ? byOwner(cache) : cache).withShards(none);
    }

    /** Returns whether the replicas divide the objects of the home cluster. */
    private static boolean dividesObjects(ManagerOptions options) {
        boolean several = options.sharding().filter(its -> its.shards() > 1).isPresent();
        return several && options.client().mode() == WriteMode.NORMAL; // an observer takes no part and sees everything
    }

    /** Returns the shard of a cluster, empty if clusters are not divided. The hash does not depend on the options of the cache. */
    public static OptionalInt clusterShard(ManagerOptions options, String cluster) {
        return options.sharding()
                .filter(its -> dividesObjects(options) && its.dividedClusters())
                .map(its -> CachedShards.of(its.shards(), Set.of()).ofNamespace(cluster))
                .map(OptionalInt::of)
                .orElse(OptionalInt.empty());
    }

    /** Describes what decides to which shard an object belongs, besides the number of shards and the families. */
    public static String keys(ShardingOptions sharding, CacheOptions cache) {
        Map<String, String> keys = new TreeMap<>();
        cache.kinds()
                .forEach((kind, its) -> its.shardKey().ifPresent(key -> keys.put(kind.toString(), key.toString())));
        String others = cache.kindDefaults().shardKey().map(ShardKey::toString).orElse("");
        return keys + " " + others + " " + cache.shards().serverNamespaces() + " " + sharding.dividedClusters();
    }

    /** Kinds with a key keep it, and namespaces have no owners. */
    private static CacheOptions byOwner(CacheOptions cache) {
        KindCacheOptions defaults = cache.kindDefaults();
        if (defaults.shardKey().isPresent()) {
            return cache;
        }
        Kind<Namespace> namespaces = Kind.of(Namespace.class);
        KindCacheOptions own = cache.kinds().getOrDefault(namespaces, KindCacheOptions.defaults());
        return cache.withKindDefaults(defaults.withShardKey(ShardKey.owner()))
                .withKind(namespaces, own.withShardKey(own.shardKey().orElse(ShardKey.whole())));
    }

    /** Adds components that have not started. */
    public void add(List<ManagedComponent> added) {
        for (ManagedComponent component : added) {
            if (component.group() == StartGroup.LEADER_ELECTED && !elects) {
                throw new IllegalStateException("'" + component.name()
                        + "' must run on one replica, but with sharding several replicas work and there is no leader"
                        + " election: call ManagerOptions.withLeaderElection");
            }
        }
        added.forEach(work::add);
    }

    /** Removes components that have ended. */
    public void remove(List<ManagedComponent> removed) {
        removed.forEach(work::remove);
    }

    public void notify(List<ManagedComponent> added) {
        added.stream()
                .filter(ShardHandler.class::isInstance)
                .map(ShardHandler.class::cast)
                .forEach(membership::add);
    }

    public void notifyNoMore(List<ManagedComponent> removed) {
        removed.stream()
                .filter(ShardHandler.class::isInstance)
                .map(ShardHandler.class::cast)
                .forEach(membership::remove);
    }

    @Override
    public String name() {
        return "sharding";
    }

    @Override
    public StartGroup group() {
        return StartGroup.ALL_REPLICAS;
    }

    @Override
    public List<RequiredPermission> requiredPermissions() {
        RequiredPermission leases = RequiredPermission.on(
                        "coordination.k8s.io", "leases", "get", "list", "create", "update", "patch", "delete")
                .inNamespace(namespace);
        return listsNamespaces ? List.of(leases, RequiredPermission.on("", "namespaces", "list")) : List.of(leases);
    }

    public ShardingStatus status() {
        return membership.status(identity);
    }

    @Override
    public List<HealthCheck> healthChecks() {
        return List.of(new Check());
    }

    @Override
    public void start() {
        membership.start();
    }

    /** The coordination has time limits of its own, so that other replicas learn what they can acquire. */
    @Override
    public void stop(Duration grace) {
        membership.stop();
        work.close();
    }

    /** A replica without shards is ready. */
    private final class Check implements HealthCheck {
        @Override
        public String name() {
            return "sharding";
        }

        @Override
        public Health check() {
            ShardingStatus status = membership.status(identity);
            Map<String, Object> details = new LinkedHashMap<>();
            details.put("identity", status.identity());
            details.put("shards", new TreeSet<>(status.shards()));
            details.put("count", status.count());
            details.put("replicas", status.ring().replicas());
            details.put("unheld", status.ring().unheld());
            details.put("imbalance", status.ring().imbalance());
            details.put("acquired", status.moves().acquired());
            details.put("released", status.moves().released());
            details.put("lost", status.moves().lost());
            if (!status.problem().isEmpty()) {
                details.put("problem", status.problem());
            }
            return new Health(membership.isAlive(), true, details);
        }
    }
}
