package io.github.reconciler4j.sharding.internal.member;

import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.health.HealthCheck;
import io.github.reconciler4j.leaderelection.internal.ReplicaNames;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.manager.StartGroup;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import io.github.reconciler4j.sharding.ShardingOptions;
import io.github.reconciler4j.sharding.ShardingStatus;
import io.github.reconciler4j.sharding.internal.ShardCoordinator;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Shares shards with the other replicas. It starts and stops with the components of all replicas.
 */
public final class ShardingComponent implements ManagedComponent {

    private final String namespace;
    private final String identity;
    private final boolean listsNamespaces;
    private final ShardMembership membership;
    private final ShardWork work;

    public ShardingComponent(ApiConnection connection, Cache cache, ShardingOptions sharding, ManagerOptions options) {
        namespace = ReplicaNames.namespace(
                sharding.leaseNamespace(),
                "Sharding needs a namespace for the Leases of '" + sharding.name() + "'",
                ReplicaNames.POD_NAMESPACE);
        identity = ReplicaNames.identity(sharding.identity());
        CacheOptions divided = DividedWork.cache(sharding, options);
        boolean agrees =
                divided.partition().serverNamespaces() && !divided.partition().isUndivided();
        listsNamespaces = agrees && divided.namedNamespaces().isEmpty();
        String keys = DividedWork.keys(sharding, divided);
        Function<String, ShardCoordinator.Settings> settings = text ->
                new ShardCoordinator.Settings(connection, namespace, identity, sharding, text, options.metrics());
        work = new ShardWork(cache);
        membership = new ShardMembership(
                sharding,
                agrees
                        ? new NamespaceBorders(settings.apply(keys), divided.partition(), divided.namedNamespaces())
                        : null,
                borders -> new ShardCoordinator(
                        settings.apply(borders.isEmpty() ? keys : keys + " " + borders), options.timeSource()),
                work::divide,
                options.timeSource());
        if (sharding.shards() > 1) {
            membership.add(work);
        }
    }

    ShardMembership membership() {
        return membership;
    }

    ShardWork work() {
        return work;
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
