package io.github.reconciler4j.manager;

import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.connection.HttpEngine;
import io.github.reconciler4j.leaderelection.LeaderElectionOptions;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.scheme.Scheme;
import java.util.Optional;

/**
 * Settings of a {@link Manager}. Immutable, except that the scheme and the metrics are the ones the manager uses.
 *
 * @param name names the manager in logs, threads and the user agent (default {@code operator}); not blank
 * @param scheme the kinds known (default a new one)
 * @param client how to write; its write gate and listener are asked besides those of the manager
 * @param cache how to watch; its metrics are those of the manager unless it has its own
 * @param leaderElection how one leader among several replicas is chosen; empty (the default) for a single replica
 * @param lifecycle how to start and stop
 * @param metrics where measurements go (default nowhere)
 * @param engine what speaks HTTP with the API server (default {@link HttpEngine#SOCKETS})
 * @param version the version of the operator, for the user agent (default {@code unknown}); not blank
 * @since 0.1.0
 */
public record ManagerOptions(
        String name,
        Scheme scheme,
        ClientOptions client,
        CacheOptions cache,
        Optional<LeaderElectionOptions> leaderElection,
        LifecycleOptions lifecycle,
        OperatorMetrics metrics,
        HttpEngine engine,
        String version) {

    private static final String UNKNOWN = "unknown";

    /** Checks the name and the version. */
    public ManagerOptions {
        if (name.isBlank()) {
            throw new IllegalArgumentException("'name' must not be blank");
        }
        if (version.isBlank()) {
            throw new IllegalArgumentException("'version' must not be blank");
        }
    }

    /** The defaults, with a new scheme. */
    public static ManagerOptions defaults() {
        return new ManagerOptions(
                "operator",
                Scheme.create(),
                ClientOptions.defaults(),
                CacheOptions.defaults(),
                Optional.empty(),
                LifecycleOptions.defaults(),
                OperatorMetrics.NONE,
                HttpEngine.SOCKETS,
                UNKNOWN);
    }

    /** The same with another name. */
    public ManagerOptions withName(String newName) {
        return new ManagerOptions(newName, scheme, client, cache, leaderElection, lifecycle, metrics, engine, version);
    }

    /** The same with another scheme. */
    public ManagerOptions withScheme(Scheme newScheme) {
        return new ManagerOptions(name, newScheme, client, cache, leaderElection, lifecycle, metrics, engine, version);
    }

    /** The same with another way to write. */
    public ManagerOptions withClient(ClientOptions options) {
        return new ManagerOptions(name, scheme, options, cache, leaderElection, lifecycle, metrics, engine, version);
    }

    /** The same with another way to watch. */
    public ManagerOptions withCache(CacheOptions options) {
        return new ManagerOptions(name, scheme, client, options, leaderElection, lifecycle, metrics, engine, version);
    }

    /** The same with leader election. */
    public ManagerOptions withLeaderElection(LeaderElectionOptions options) {
        return new ManagerOptions(
                name, scheme, client, cache, Optional.of(options), lifecycle, metrics, engine, version);
    }

    /** The same without leader election. */
    public ManagerOptions withoutLeaderElection() {
        return new ManagerOptions(name, scheme, client, cache, Optional.empty(), lifecycle, metrics, engine, version);
    }

    /** The same, starting and stopping in another way. */
    public ManagerOptions withLifecycle(LifecycleOptions options) {
        return new ManagerOptions(name, scheme, client, cache, leaderElection, options, metrics, engine, version);
    }

    /** The same, reporting measurements to another place. */
    public ManagerOptions withMetrics(OperatorMetrics newMetrics) {
        return new ManagerOptions(name, scheme, client, cache, leaderElection, lifecycle, newMetrics, engine, version);
    }

    /** The same, speaking HTTP by other means. */
    public ManagerOptions withEngine(HttpEngine newEngine) {
        return new ManagerOptions(name, scheme, client, cache, leaderElection, lifecycle, metrics, newEngine, version);
    }

    /** The same with another version of the operator. */
    public ManagerOptions withVersion(String newVersion) {
        return new ManagerOptions(name, scheme, client, cache, leaderElection, lifecycle, metrics, engine, newVersion);
    }

    /**
     * The same with the version that the manifest of an application's jar has as {@code Implementation-Version};
     * {@code unknown} if there is none, as in tests.
     *
     * @param application a class of the jar
     */
    public ManagerOptions withVersionOf(Class<?> application) {
        String found = application.getPackage().getImplementationVersion();
        return withVersion(found == null || found.isBlank() ? UNKNOWN : found);
    }
}
