package io.github.reconciler4j.grid;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.RequestControllerBuilder;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.health.HealthReport;
import io.github.reconciler4j.leaderelection.LeaderElectionOptions;
import io.github.reconciler4j.leaderelection.LeaderElectionOptions.OnLost;
import io.github.reconciler4j.leaderelection.LeaseTiming;
import io.github.reconciler4j.manager.ComponentState.State;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.KubernetesServer;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/**
 * An operator in a namespace of its own. Changes number the ConfigMaps that they write, and the controllers say which number
 * they have seen.
 */
final class GridOperator implements AutoCloseable {

    static final String LABEL = "number";
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private static final AtomicInteger OTHERS = new AtomicInteger();

    final String namespace;
    final Manager manager;
    final Client admin;
    final AtomicInteger runs = new AtomicInteger();
    private final ApiConnection connection;
    private final Map<String, Integer> seen = new ConcurrentHashMap<>();
    private final KubernetesServer server;
    private int number;

    GridOperator(KubernetesServer server, String namespace, UnaryOperator<ManagerOptions> options) {
        this.server = server;
        this.namespace = namespace;
        this.connection = ApiConnection.open(server.clientConfig());
        this.admin = Client.create(connection, Scheme.create(), ClientOptions.defaults());
        admin.create(new NamespaceBuilder()
                .withNewMetadata()
                .withName(namespace)
                .endMetadata()
                .build());
        CacheOptions cache = CacheOptions.defaults()
                .withKindDefaults(KindCacheOptions.defaults().withNamespaces(Set.of(namespace)));
        this.manager = Manager.create(
                server.clientConfig(),
                options.apply(ManagerOptions.defaults().withName(namespace).withCache(cache)));
        manager.options().scheme().register(ConfigMap.class);
    }

    /** A further operator that is not started. */
    GridOperator other() {
        return new GridOperator(server, "other-" + OTHERS.incrementAndGet(), options -> options);
    }

    /** Options under which retries are fast. */
    static ControllerOptions controllerOptions() {
        return ControllerOptions.defaults().withBackoff(Duration.ofMillis(5), Duration.ofMillis(50));
    }

    /** A controller of ConfigMaps. */
    ControllerBuilder<ConfigMap> controller() {
        return ControllerBuilder.of(ConfigMap.class).named(namespace).options(controllerOptions());
    }

    /** A controller of texts. */
    RequestControllerBuilder<String> requests() {
        return ControllerBuilder.forRequests(namespace, String.class).options(controllerOptions());
    }

    /** A controller of texts that takes note of them. */
    RequestControllerBuilder<String> seenRequests() {
        return requests().reconciler((request, context) -> seen(request));
    }

    /** Take note of an object. */
    Result seen(ConfigMap object) {
        return seen(request(object));
    }

    /** Take note of what {@link #request} returned. */
    Result seen(String request) {
        runs.incrementAndGet();
        int at = request.indexOf('=');
        seen.merge(request.substring(0, at), Integer.parseInt(request.substring(at + 1)), Math::max);
        return Result.done();
    }

    static String request(ConfigMap object) {
        return object.getMetadata().getName() + "="
                + object.getMetadata().getLabels().get(LABEL);
    }

    static String request(ObjectHeader header) {
        return header.key().name() + "=" + header.labels().getOrDefault(LABEL, "0");
    }

    ObjectKey key(String name) {
        return ObjectKey.of(namespace, name);
    }

    /** Write an object with the next number, and return the number. */
    int change(String name) {
        number++;
        ConfigMap object = new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .addToLabels(LABEL, String.valueOf(number))
                .endMetadata()
                .addToData("number", String.valueOf(number))
                .build();
        admin.apply(object);
        return number;
    }

    void awaitSeen(String name, int expected) {
        await(name + "=" + expected + " is reconciled", () -> hasSeen(name, expected));
    }

    boolean hasSeen(String name, int expected) {
        return seen.getOrDefault(name, 0) >= expected;
    }

    /** Change an object and wait until a controller has seen it. */
    void changeAndAwait(String name) {
        awaitSeen(name, change(name));
    }

    /** Wait for further runs of controllers. */
    void awaitRuns() {
        int now = runs.get();
        await("more runs", () -> runs.get() > now + 1);
    }

    /** Wait until all components run. */
    void awaitRunning() {
        await(
                "all components run",
                () -> manager.status().components().stream().allMatch(component -> component.state() == State.RUNNING));
    }

    /** Wait, and fail with an {@link IllegalStateException} after a long time. */
    static void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException("Not within " + LIMIT + ": " + what);
            }
            try {
                Thread.sleep(5);
            } catch (InterruptedException e) {
                throw new IllegalStateException("Interrupted while waiting: " + what, e);
            }
        }
    }

    /** Options with a lease that is short, and acquired again after a loss. */
    static ManagerOptions withElection(ManagerOptions options) {
        LeaseTiming timing = LeaseTiming.of(Duration.ofSeconds(2), Duration.ofMillis(1500), Duration.ofMillis(50));
        return options.withLeaderElection(LeaderElectionOptions.named("lease")
                .withLeaseNamespace(options.name())
                .withOnLost(OnLost.REJOIN)
                .withTiming(timing));
    }

    /** Let another replica, which does nothing, take the lease. */
    void takeLease() {
        ZonedDateTime now = ZonedDateTime.now(ZoneOffset.UTC);
        admin.patch(
                Kind.of(Lease.class),
                key("lease"),
                ObjectPatch.merge(Map.of(
                        "spec",
                        Map.of(
                                "holderIdentity",
                                "another",
                                "leaseDurationSeconds",
                                1,
                                "renewTime",
                                DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'")
                                        .format(now)))),
                WriteOptions.defaults());
    }

    HealthReport health() {
        return HealthReport.of(manager.healthChecks());
    }

    @Override
    public void close() {
        try {
            manager.close();
        } finally {
            connection.close();
        }
    }
}
