package io.github.reconciler4j.manager.internal;

import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.health.HealthCheck;
import io.github.reconciler4j.manager.Cluster;
import io.github.reconciler4j.manager.LifecycleOptions;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.StartGroup;
import java.time.Duration;
import java.util.List;

/** Starts and stops what belongs to another API server with the caches. */
final class ClusterComponent implements Cluster, ManagedComponent {

    private final String name;
    private final ApiConnection connection;
    private final Cache cache;
    private final Client client;
    private final LifecycleOptions options;
    private final CacheComponent starter;
    private final HealthCheck health;

    ClusterComponent(
            String name,
            ApiConnection connection,
            Cache cache,
            Client client,
            LifecycleOptions options,
            Duration syncTimeout) {
        this.name = name;
        this.connection = connection;
        this.cache = cache;
        this.client = client;
        this.options = options;
        this.starter = new CacheComponent(cache, syncTimeout);
        this.health = HealthRegistry.ofCache("cache/" + name, cache);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public StartGroup group() {
        return StartGroup.CACHES;
    }

    @Override
    public List<HealthCheck> healthChecks() {
        return List.of(health);
    }

    @Override
    public ApiConnection connection() {
        return connection;
    }

    @Override
    public Cache cache() {
        return cache;
    }

    @Override
    public Client client() {
        return client;
    }

    @Override
    public void start() throws InterruptedException {
        connection.awaitServer(options.apiServerTimeout(), options.progressInterval());
        starter.start();
    }

    @Override
    public void stop(Duration grace) {
        starter.stop(grace);
        connection.close();
    }
}
