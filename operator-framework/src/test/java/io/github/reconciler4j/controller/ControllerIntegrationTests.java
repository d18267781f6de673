package io.github.reconciler4j.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.Watch;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.handler.EventHandlers;
import io.github.reconciler4j.manager.ComponentState;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.predicate.EventPredicates;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.reconcile.Trigger.Change;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.source.KindSource;
import io.github.reconciler4j.test.kubernetes.AnyKubernetes;
import io.github.reconciler4j.test.kubernetes.AnyKubernetesTest;
import io.github.reconciler4j.workqueue.WorkQueueSnapshot;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Controllers on an API server. */
@AnyKubernetesTest
class ControllerIntegrationTests {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final Manager manager;
    private final String namespace;
    private final List<ReconcileContext> runs = new CopyOnWriteArrayList<>();

    ControllerIntegrationTests(AnyKubernetes kubernetes) {
        manager = Manager.create(kubernetes.config());
        namespace = kubernetes.createNamespace("controllers");
    }

    @AfterEach
    void stopManager() {
        manager.close();
    }

    /** A controller for the ConfigMaps of the test's namespace; those of Kubernetes itself are left out. */
    private ControllerBuilder<ConfigMap> configMaps() {
        return ControllerBuilder.of(ConfigMap.class)
                .withGlobalPredicate(EventPredicates.allOf(
                        EventPredicates.inNamespaces(namespace),
                        EventPredicates.header(header -> !header.key().name().startsWith("kube-"))))
                .requestReconciler((request, context) -> {
                    runs.add(context);
                    return Result.done();
                });
    }

    private void start() {
        manager.start();
        await("the controller runs")
                .atMost(TIMEOUT)
                .until(() -> manager.status().components().stream()
                        .anyMatch(status ->
                                status.name().equals("configmap") && status.state() == ComponentState.State.RUNNING));
    }

    private Client client() {
        return manager.client();
    }

    private ConfigMap map(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .endMetadata()
                .build();
    }

    private Secret secret(String isFor) {
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("secret")
                .addToAnnotations("for", isFor)
                .endMetadata()
                .build();
    }

    private Request request(String name) {
        return new Request(namespace, name);
    }

    private List<Request> requests() {
        return runs.stream().map(ReconcileContext::request).toList();
    }

    private List<Request> namedBySecret(ObjectHeader header) {
        return List.of(request(header.annotations().get("for")));
    }

    private void awaitRuns(Request... expected) {
        await("runs for " + List.of(expected))
                .atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(requests()).contains(expected));
    }

    /** What is queued by priority; nothing before the start. */
    private static Map<Integer, Integer> depth(Controller<Request> controller) {
        return controller
                .operations()
                .queue()
                .<Map<Integer, Integer>>map(WorkQueueSnapshot::depth)
                .orElse(Map.of());
    }

    @Test
    void freshChangeOvertakesTheInitialList() {
        for (int i = 0; i < 30; i++) {
            client().create(map("old-" + i));
        }
        Controller<Request> controller = configMaps().addTo(manager);
        controller.operations().pause();
        start();
        await("the initial list is enqueued")
                .atMost(TIMEOUT)
                .until(() -> depth(controller).equals(Map.of(-100, 30)));
        client().create(map("new"));
        await("the new one is enqueued")
                .atMost(TIMEOUT)
                .until(() -> depth(controller).containsKey(0));
        controller.operations().resume();
        await("all runs").atMost(TIMEOUT).until(() -> runs.size() == 31);
        assertThat(runs.get(0).request()).isEqualTo(request("new"));
        assertThat(runs.get(0).triggers()).singleElement().satisfies(trigger -> {
            assertThat(trigger.change()).isEqualTo(Change.CREATED);
            assertThat(trigger.source()).isEqualTo("ConfigMap.v1");
        });
        assertThat(runs.get(1).triggers())
                .singleElement()
                .satisfies(trigger -> assertThat(trigger.change()).isEqualTo(Change.INITIAL));
    }

    @Test
    void changeOfAnotherKindConcernsWhatItNamedBeforeAndAfter() {
        configMaps()
                .watches(Watch.kind(Kind.of(Secret.class).metadata())
                        .when(EventPredicates.annotationsChanged())
                        .map(this::namedBySecret))
                .addTo(manager);
        start();
        client().create(secret("a"));
        awaitRuns(request("a"));
        runs.clear();
        client().apply(secret("b"));
        awaitRuns(request("a"), request("b"));
        assertThat(runs)
                .allSatisfy(run -> assertThat(run.triggers()).singleElement().satisfies(trigger -> {
                    assertThat(trigger.source()).isEqualTo("Secret.v1");
                    assertThat(trigger.object()).contains(ObjectKey.of(namespace, "secret"));
                    assertThat(trigger.change()).isEqualTo(Change.UPDATED);
                }));
        runs.clear();
        client().delete(Kind.of(Secret.class), ObjectKey.of(namespace, "secret"), DeletionOptions.defaults());
        awaitRuns(request("b"));
    }

    @Test
    void watchCanBeAddedAndRemovedWhileRunning() {
        Controller<Request> controller = configMaps().addTo(manager);
        start();
        client().create(secret("a"));
        KindSource<Secret, Request> secrets = new KindSource<>(
                manager.cache().informer(Secret.class),
                EventHandlers.mappingHeader(this::namedBySecret),
                EventPredicates.inNamespaces(namespace));
        controller.watch(secrets);
        awaitRuns(request("a"));
        controller.unwatch(secrets);
        runs.clear();
        client().apply(secret("b"));
        client().create(map("marker"));
        awaitRuns(request("marker"));
        assertThat(requests()).doesNotContain(request("b"));
    }

    @Test
    void controllerWhenStoppedStartsAgainAndSeesMissedChanges() throws Exception {
        Controller<Request> controller = configMaps().addTo(manager);
        start();
        client().create(map("first"));
        awaitRuns(request("first"));
        controller.stop(Duration.ofSeconds(30));
        runs.clear();
        client().create(map("meanwhile"));
        await("the cache has it")
                .atMost(TIMEOUT)
                .until(() -> client().get(ConfigMap.class, ObjectKey.of(namespace, "meanwhile"))
                        .isPresent());
        assertThat(runs).isEmpty();
        controller.start();
        awaitRuns(request("first"), request("meanwhile"));
    }
}
