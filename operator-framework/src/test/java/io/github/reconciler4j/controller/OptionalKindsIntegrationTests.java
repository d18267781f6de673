package io.github.reconciler4j.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.Owned;
import io.github.reconciler4j.builder.Watch;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.OwnerReferences;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.fixtures.Definitions;
import io.github.reconciler4j.fixtures.LiveThreads;
import io.github.reconciler4j.health.HealthReport;
import io.github.reconciler4j.manager.ComponentState;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import io.github.reconciler4j.predicate.EventPredicates;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.test.kubernetes.AnyKubernetes;
import io.github.reconciler4j.test.kubernetes.AnyKubernetesTest;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A controller with an optional kind, whose definition is created and deleted while it runs. */
@AnyKubernetesTest
class OptionalKindsIntegrationTests {

    private static final Duration TIMEOUT = Duration.ofSeconds(90);

    private final AnyKubernetes kubernetes;
    private final String namespace;
    private final Manager manager;
    private final Client client;
    private final KindName gadget;
    private final Kind<GenericKubernetesResource> kind;
    private final AtomicInteger runs = new AtomicInteger();
    private final CapturedLog log = CapturedLog.of("io.github.reconciler4j");
    private final Set<String> names = ConcurrentHashMap.newKeySet();
    private volatile String seen = "";

    OptionalKindsIntegrationTests(AnyKubernetes kubernetes) {
        this.kubernetes = kubernetes;
        namespace = kubernetes.createNamespace("optional");
        gadget = KindName.of(namespace + ".example.com/v1", "Gadget");
        kind = Kind.of(gadget);
        CacheOptions cache = CacheOptions.defaults();
        manager = Manager.create(
                kubernetes.config(),
                ManagerOptions.defaults()
                        .withCache(cache.withWatch(
                                cache.watch().withBackoff(Duration.ofMillis(100), Duration.ofSeconds(1)))));
        manager.options().scheme().register(new KindInfo(gadget, "gadgets", true));
        client = manager.client();
    }

    @AfterEach
    void stop() {
        manager.close();
        log.close();
        kubernetes.with(admin -> admin.resources(CustomResourceDefinition.class)
                .withName("gadgets." + gadget.group())
                .delete());
    }

    private void define() {
        kubernetes.applyDefinitions(Definitions.of(gadget.group(), "Gadget"));
    }

    private void undefine() {
        client.delete(
                Kind.of(CustomResourceDefinition.class),
                ObjectKey.ofName("gadgets." + gadget.group()),
                DeletionOptions.defaults());
    }

    /** Creates a child for each owner as long as its kind is served, and writes down what it sees. */
    private Result reconcile(ConfigMap owner, ReconcileContext context) {
        names.add(owner.getMetadata().getName());
        List<GenericKubernetesResource> children = client.listOwned(owner, kind);
        boolean served = client.serves(kind);
        if (served && children.isEmpty()) {
            GenericKubernetesResource child = new GenericKubernetesResource();
            child.setApiVersion(gadget.apiVersion());
            child.setKind(gadget.kind());
            child.setMetadata(new ObjectMetaBuilder()
                    .withNamespace(namespace)
                    .withName("child")
                    .build());
            OwnerReferences.setController(child, owner);
            client.apply(child);
        }
        seen = served + " "
                + client.list(kind, Selection.inNamespace(namespace)).size();
        runs.incrementAndGet();
        return Result.done();
    }

    private Controller<Request> start() {
        Controller<Request> controller = ControllerBuilder.of(ConfigMap.class)
                .named("owners")
                .inNamespaces(namespace)
                .when(EventPredicates.header(header -> header.key().name().equals("owner")))
                .owns(Owned.of(kind).optional())
                .watches(Watch.kind(kind.metadata()).optional().map(header -> List.of()))
                .reconciler(this::reconcile)
                .addTo(manager);
        for (String name : List.of("owner", "other")) {
            client.create(new ConfigMapBuilder()
                    .withNewMetadata()
                    .withNamespace(namespace)
                    .withName(name)
                    .endMetadata()
                    .build());
        }
        manager.start();
        return controller;
    }

    private boolean isReady() {
        HealthReport health = HealthReport.of(manager.healthChecks());
        return health.isReady() && health.isAlive();
    }

    private static void until(String what, Callable<Boolean> condition) {
        await(what).atMost(TIMEOUT).until(condition);
    }

    private List<String> threads() {
        return LiveThreads.named("reflector-gadgets." + gadget.group());
    }

    private List<String> lines() {
        return log.lines(Level.INFO).stream()
                .filter(line -> line.contains("gadgets." + gadget.group()))
                .filter(line -> !line.contains("Reconciliation of")) // one that meets the deletion of the definition
                .toList();
    }

    @Test
    void controllerFollowsADefinitionThatAppearsAndGoes() {
        Controller<Request> controller = start();
        until("it does not wait", () -> seen.equals("false 0"));
        assertThat(manager.status().components())
                .anyMatch(status -> status.name().equals("owners") && status.state() == ComponentState.State.RUNNING);
        assertThat(controller.requiredPermissions())
                .contains(RequiredPermission.watching(new KindInfo(gadget, "gadgets", true)));
        assertThat(isReady()).isTrue();
        assertThat(threads()).isEmpty();
        assertThat(lines()).hasSize(1).allMatch(line -> line.startsWith("INFO The API server does not serve"));

        define();
        until("the child is created", () -> seen.equals("true 1"));
        client.delete(kind, ObjectKey.of(namespace, "child"), DeletionOptions.defaults());
        int before = runs.get();
        until("the owner follows its child", () -> runs.get() > before && seen.equals("true 1"));

        undefine();
        until("reads are empty again", () -> seen.equals("false 0"));
        until("the watch has ended", () -> threads().isEmpty());
        assertThat(client.list(kind, Selection.inNamespace(namespace))).isEmpty();
        assertThat(controller.state()).isEqualTo(ControllerState.RUNNING);
        assertThat(isReady()).isTrue();

        define();
        until("the child is created again", () -> seen.equals("true 1"));
        assertThat(lines())
                .allMatch(line -> line.startsWith("INFO") || line.contains("storage is (re)initializing"))
                .filteredOn(line -> line.contains("now; it is watched") || line.contains("no longer serves"))
                .hasSize(3);
        assertThat(names).containsExactly("owner"); // the predicate accepts no others
    }

    @Test
    void controllerWhenTheDefinitionExistsWaitsForItsObjects() {
        define();
        start();
        until("the child is created", () -> seen.equals("true 1"));
        assertThat(lines()) // a server can take a moment longer than the definition says
                .filteredOn(line ->
                        !line.contains("storage is (re)initializing") && !line.startsWith("INFO Resumed watching"))
                .isEmpty();
    }
}
