package io.github.reconciler4j.manager;

import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.KindStatus;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ConnectionOptions;
import io.github.reconciler4j.client.internal.ClientWiring;
import io.github.reconciler4j.client.internal.spi.WriteGate;
import io.github.reconciler4j.health.HealthCheck;
import io.github.reconciler4j.leaderelection.WriteScope;
import io.github.reconciler4j.metrics.OperatorMetrics;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One API server with the connection, the cache and the client for it: the manager's own, whose parts start at different
 * stages, or another one, which is a component.
 */
final class ClusterComponent implements Cluster, ManagedComponent {

    private static final Logger LOG = LoggerFactory.getLogger(ClusterComponent.class);

    private final String name;
    private final ApiConnection connection;
    private final Cache cache;
    private final Client client;
    private final ManagerOptions options;

    private ClusterComponent(
            String name,
            ApiConnection connection,
            CacheOptions cacheOptions,
            ManagerOptions options,
            WriteGate unscopedGate) {
        this.name = name;
        this.connection = connection;
        this.options = options;
        this.cache = Cache.create(connection, options.scheme(), cacheOptions);
        this.client = ClientWiring.of(connection, options.scheme())
                .withCache(cache)
                .withWriteGate(() -> checkWrite(unscopedGate))
                .withDefaultFieldManager(options.name())
                .create(options.client());
    }

    static ApiConnection connect(Config config, ManagerOptions options) {
        ConnectionOptions connectionOptions = ConnectionOptions.defaults()
                .withUserAgent(userAgent(options.name(), options.version()))
                .withMetrics(options.metrics());
        return ApiConnection.open(config, connectionOptions);
    }

    /** The operator with its version, then this framework with its own. A header cannot contain all characters. */
    private static String userAgent(String operator, String version) {
        String framework = ClusterComponent.class.getPackage().getImplementationVersion();
        String suffix = framework == null ? "" : "/" + token(framework);
        return token(operator) + "/" + token(version) + " reconciler4j" + suffix;
    }

    private static String token(String text) {
        return text.replaceAll("[^!#$%&'*+.^_`|~0-9A-Za-z-]", "-");
    }

    /**
     * Creates the manager's own cluster.
     *
     * @param unscopedGate checks the writes of threads without a write scope
     */
    static ClusterComponent own(ApiConnection connection, ManagerOptions options, WriteGate unscopedGate) {
        CacheOptions cache = options.cache();
        CacheOptions measured = cache.metrics() == OperatorMetrics.NONE ? cache.withMetrics(options.metrics()) : cache;
        return new ClusterComponent("", connection, measured, options, unscopedGate);
    }

    /** Creates another cluster, whose cache reports no metrics: they would have the names of those of the manager. */
    static ClusterComponent other(String name, Config config, ManagerOptions options, WriteGate unscopedGate) {
        CacheOptions cache = options.cache().withMetrics(OperatorMetrics.NONE);
        return new ClusterComponent(name, connect(config, options), cache, options, unscopedGate);
    }

    /** Writes must pass the lease of their scope. */
    private static void checkWrite(WriteGate unscopedGate) {
        Optional<WriteScope> scope = WriteScope.current();
        if (scope.isPresent()) {
            scope.get().check();
        } else {
            unscopedGate.check();
        }
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
        return List.of(HealthRegistry.ofCache("cache/" + name, cache));
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

    void awaitServer() throws InterruptedException {
        LifecycleOptions lifecycle = options.lifecycle();
        connection.awaitServer(lifecycle.apiServerTimeout(), lifecycle.progressInterval());
    }

    /**
     * Starts the cache and waits until it has synced, except for kinds whose definition or permission is missing: what needs
     * them waits alone.
     */
    void startCache() throws InterruptedException {
        cache.start();
        List<KindStatus> missing = cache.awaitSettled(options.cache().syncTimeout());
        if (!missing.isEmpty()) { // the reason was logged when it occurred
            LOG.warn(
                    "Continuing without {}: not synced yet; components that need them will wait",
                    missing.stream().map(kind -> kind.kind().resource()).collect(Collectors.joining(", ")));
        }
    }

    @Override
    public void start() throws InterruptedException {
        awaitServer();
        startCache();
    }

    @Override
    public void stop(Duration grace) {
        cache.close();
        connection.close();
    }
}
