package io.github.reconciler4j.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import ch.qos.logback.classic.Level;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.Watch;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.handler.EventHandlers;
import io.github.reconciler4j.health.HealthCheck.Health;
import io.github.reconciler4j.manager.Cluster;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.metrics.MicrometerMetrics;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.source.KindSource;
import io.github.reconciler4j.test.KubernetesServer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.MDC;

/** A request carries its cluster: to the reconciler, its client, its events, the log, metrics and health. */
@Timeout(180)
class ClusterRequestsTests {

    private final KubernetesServer home = KubernetesServer.start();
    private final KubernetesServer away = KubernetesServer.start();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final Manager manager =
            Manager.create(home.clientConfig(), ManagerOptions.defaults().withMetrics(new MicrometerMetrics(registry)));
    private final Set<String> calls = ConcurrentHashMap.newKeySet();

    @AfterEach
    void stop() {
        manager.close();
        home.close();
        away.close();
    }

    private static ConfigMap configMap(String name, String text) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .withData(Map.of("text", text))
                .build();
    }

    private static Secret secret(String name) {
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .build();
    }

    private static void await(String what, Callable<Boolean> condition) {
        Awaitility.await(what).atMost(Duration.ofSeconds(60)).until(condition);
    }

    private static boolean hasEvent(Client client, String note) {
        return client.live().list(Kind.of(Event.class), Selection.inNamespace("default")).stream()
                .anyMatch(event -> event.getNote().equals(note));
    }

    private Result record(ReconcileContext context) {
        ConfigMap regarding = configMap(context.request().name(), "");
        manager.recorder().normal(regarding, "Seen", "Look", "at " + context.cluster());
        context.client().apply(secret(context.request().name()));
        calls.add(context.request() + ", log of '" + MDC.get("cluster") + "'");
        return Result.done();
    }

    /** Lets a controller watch the config maps of each cluster that joins. */
    private void watchEach(Controller<Request> controller) {
        Clusters.of(manager).addListener(new ClusterListener() {
            @Override
            public void joined(Cluster cluster) {
                controller.watch(new KindSource<>(
                        cluster.cache().informer(ConfigMap.class), EventHandlers.forObject(), event -> true));
            }
        });
    }

    private double reconciled(String cluster) {
        return registry.find("controller_runtime_reconcile_total").tag("result", "success").counters().stream()
                .filter(counter -> cluster.equals(
                        counter.getId().getTag("cluster") == null
                                ? ""
                                : counter.getId().getTag("cluster")))
                .mapToDouble(counter -> counter.count())
                .sum();
    }

    @Test
    void requestWhenOneControllerHasSourcesInSeveralClustersCarriesItsCluster() {
        Controller<Request> hub = ControllerBuilder.forRequests("hub", Request.class)
                .watches(Watch.kind(ConfigMap.class).handler(EventHandlers.forObject()))
                .reconciler((request, context) -> record(context))
                .addTo(manager);
        watchEach(hub);
        Client atEast = Clusters.of(manager).add("east", away.clientConfig()).client();
        manager.start();

        manager.client().create(configMap("same", ""));
        atEast.create(configMap("same", ""));

        await("both are reconciled", () -> calls.size() == 2);
        assertThat(calls)
                .containsExactlyInAnyOrder("default/same, log of 'null'", "default/same in east, log of 'east'");
        await("the event at home", () -> hasEvent(manager.client(), "at "));
        await("the event in the other cluster", () -> hasEvent(atEast, "at east"));
        assertThat(hasEvent(manager.client(), "at east")).isFalse();
        assertThat(atEast.live().list(Secret.class)).hasSize(1);
        assertThat(manager.client().live().list(Secret.class)).hasSize(1);
        await("metrics by cluster", () -> reconciled("") == 1 && reconciled("east") == 1);
        Clusters.of(manager).remove("east");
        assertThat(registry.find("controller_runtime_reconcile_total")
                        .tag("cluster", "east")
                        .counters())
                .isEmpty();
    }

    @Test
    void objectWhenARequestIsForAnotherClusterIsReadAndReportedThere() {
        Controller<Request> hub = ControllerBuilder.of(ConfigMap.class)
                .reconciler((map, context) -> {
                    calls.add(context.request() + " " + map.getData().get("text"));
                    return Result.done();
                })
                .addTo(manager);
        watchEach(hub);
        Client atEast = Clusters.of(manager).add("east", away.clientConfig()).client();
        manager.start();
        manager.client().create(configMap("same", "of home"));
        atEast.create(configMap("same", "of east"));
        await("both are reconciled", () -> calls.size() == 2);
        assertThat(calls).containsExactlyInAnyOrder("default/same of home", "default/same in east of east");
    }

    @Test
    void requestWhenAMapperNamesAnotherClusterReachesTheControllerThere() {
        try (CapturedLog log = CapturedLog.of("io.github.reconciler4j.controller.Controller");
                KubernetesServer third = KubernetesServer.start()) {
            Clusters.of(manager)
                    .addControllers(
                            ControllerBuilder.forRequests("copy", Request.class)
                                    .watches(
                                            ConfigMap.class,
                                            map -> List.of(
                                                    Request.of(map),
                                                    Request.of(map).in("west"),
                                                    Request.of(map).in("nowhere")))
                                    .reconciler((request, context) -> record(context)),
                            cluster -> true);
            Client atEast =
                    Clusters.of(manager).add("east", away.clientConfig()).client();
            Clusters.of(manager).add("west", third.clientConfig());
            manager.start();
            await(
                    "the controllers run",
                    () -> manager.healthChecks().stream()
                            .filter(check -> check.name().startsWith("controller/"))
                            .allMatch(check ->
                                    "RUNNING".equals(check.check().details().get("state"))));

            atEast.create(configMap("a", ""));

            await("both are reconciled", () -> calls.size() == 2);
            assertThat(calls)
                    .containsExactlyInAnyOrder("default/a in east, log of 'east'", "default/a in west, log of 'west'");
            await(
                    "the third is dropped",
                    () -> log.lines(Level.INFO).stream()
                            .anyMatch(line -> line.contains(
                                    "Controller copy drops the request default/a in nowhere: it has no")));
        }
    }

    @Test
    void requestWhenItsClusterHasLeftIsDropped() {
        try (CapturedLog log = CapturedLog.of("io.github.reconciler4j.controller.Controller")) {
            Controller<Request> hub = ControllerBuilder.forRequests("hub", Request.class)
                    .watches(ConfigMap.class, map -> List.of())
                    .reconciler((request, context) -> record(context))
                    .addTo(manager);
            manager.start();
            await("it is enqueued", () -> hub.operations().requeue(new Request("default", "a", "east")));
            await(
                    "it is dropped",
                    () -> log.lines(Level.INFO).stream()
                            .anyMatch(line ->
                                    line.contains("Controller hub drops the request default/a in east: the manager")));
            assertThat(calls).isEmpty();
        }
    }

    @Test
    void reconciliationWhenItIsStuckInAnotherClusterFailsNoLiveness() {
        CountDownLatch stuck = new CountDownLatch(1);
        Clusters.of(manager)
                .addControllers(
                        ControllerBuilder.of(ConfigMap.class)
                                .options(ControllerOptions.defaults().withStuckAfter(Duration.ofMillis(50)))
                                .reconciler((map, context) -> {
                                    if (context.cluster().equals("east")) {
                                        stuck.await();
                                    }
                                    calls.add(context.request().toString());
                                    return Result.done();
                                }),
                        cluster -> true);
        Client atEast = Clusters.of(manager).add("east", away.clientConfig()).client();
        manager.start();
        atEast.create(configMap("slow", ""));
        try {
            await(
                    "it is stuck",
                    () -> health("controller/configmap@east")
                            .details()
                            .getOrDefault("stuck", "")
                            .equals(List.of("default/slow in east")));

            assertThat(health("controller/configmap@east").details()).containsEntry("available", false);
            assertThat(manager.healthChecks())
                    .allMatch(check -> check.check().alive() && check.check().ready());
            manager.client().create(configMap("fast", ""));
            await("others are reconciled", () -> calls.contains("default/fast"));
        } finally {
            stuck.countDown();
        }
        await(
                "it is available again",
                () -> Boolean.TRUE.equals(
                        health("controller/configmap@east").details().get("available")));
    }

    private Health health(String name) {
        return manager.healthChecks().stream()
                .filter(check -> check.name().equals(name))
                .findFirst()
                .orElseThrow()
                .check();
    }

    @Test
    void clusterWhenItIsNamedLikeTheWordForThatOfTheManagerIsRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Clusters.of(manager).add("home", away.clientConfig()))
                .withMessage("'name' of a cluster must not be 'home', which stands for the cluster of the manager");
        assertThat(Clusters.of(manager).joined()).isEmpty();
    }
}
