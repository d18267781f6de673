package io.github.reconciler4j.manager.internal;

import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.WriteMode;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.internal.ClientWiring;
import io.github.reconciler4j.client.internal.spi.WriteGate;
import io.github.reconciler4j.leaderelection.ApiLeaseStore;
import io.github.reconciler4j.leaderelection.Identities;
import io.github.reconciler4j.leaderelection.LeaderElectionOptions;
import io.github.reconciler4j.leaderelection.WriteScope;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.recorder.EventBroadcaster;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.Optional;

/**
 * What the components of one manager share.
 *
 * @param connection the way to the server
 * @param cache the watched kinds
 * @param client reads the cache and writes to the server
 * @param events where recorded events go
 */
record SharedParts(ApiConnection connection, Cache cache, Client client, EventBroadcaster events) {

    static SharedParts create(
            ApiConnection connection, ManagerOptions options, String identity, WriteGate unscopedGate) {
        Cache cache = Cache.create(connection, options.scheme(), cacheOptions(options));
        Client client = client(connection, cache, options, unscopedGate);
        EventBroadcaster events = isObserver(options)
                ? EventBroadcaster.toLog(options.events(), options.metrics())
                : new EventBroadcaster(connection, identity, options.events(), options.metrics());
        return new SharedParts(connection, cache, client, events);
    }

    /** A client whose writes are asked of the lease they are made under, and show in a cache at once. */
    static Client client(ApiConnection connection, Cache cache, ManagerOptions options, WriteGate unscopedGate) {
        WriteGate gate = () -> {
            Optional<WriteScope> scope = WriteScope.current();
            if (scope.isPresent()) {
                scope.get().check();
            } else {
                unscopedGate.check();
            }
        };
        return ClientWiring.of(connection, options.scheme())
                .withCache(cache)
                .withWriteGate(gate)
                .withDefaultFieldManager(options.name())
                .create(options.client());
    }

    private static CacheOptions cacheOptions(ManagerOptions options) {
        CacheOptions cache = options.cache();
        return cache.metrics() == OperatorMetrics.NONE ? cache.withMetrics(options.metrics()) : cache;
    }

    /** Whether nothing may be written: then it neither takes a lease nor needs one, and its events go to the log. */
    private static boolean isObserver(ManagerOptions options) {
        return options.client().mode() != WriteMode.NORMAL;
    }

    static String identity(ManagerOptions options) {
        String chosen =
                options.leaderElection().map(LeaderElectionOptions::identity).orElse("");
        return chosen.isEmpty() ? Identities.random() : chosen;
    }

    static Leadership leadership(
            ApiConnection connection, ManagerOptions options, String identity, Lifecycle lifecycle) {
        if (options.leaderElection().isEmpty() || isObserver(options)) {
            return new SoleLeadership(lifecycle);
        }
        LeaderElectionOptions election = options.leaderElection().get();
        String namespace = Identities.namespace(election);
        return new LeaseLeadership(new LeaseLeadership.Settings(
                election,
                identity,
                name -> new ApiLeaseStore(connection, ObjectKey.of(namespace, name), election.labels()),
                options.metrics(),
                lifecycle));
    }

    void close() {
        events.close();
        cache.close();
        connection.close();
    }
}
