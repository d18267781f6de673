package io.github.reconciler4j.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.client.ApiConnection;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.DeleteOptions;
import io.github.reconciler4j.client.Patch;
import io.github.reconciler4j.handler.EventHandlers;
import io.github.reconciler4j.manager.ComponentStatus;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.predicate.EventPredicates;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.source.KindSource;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.Fault.WatchEnd;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.request.RequestMatch;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The promises of controllers, and what they do when reconcilers and the server misbehave, in one JVM. */
class ControllerOnTestServerTests extends ControllerPromises {

    private KubernetesServer server;

    /** Whether the reconcilers that misbehave go on doing so. */
    private final CountDownLatch mended = new CountDownLatch(1);

    @Override
    @BeforeEach
    void open() {
        server = KubernetesServer.start();
        namespace = prepare();
        CacheOptions cache = CacheOptions.defaults();
        manager = Manager.create(
                config(),
                ManagerOptions.defaults()
                        .withCache(cache.withWatch(
                                cache.watch().withBackoff(Duration.ofMillis(10), Duration.ofMillis(100)))));
    }

    @Override
    @AfterEach
    void close() {
        mended.countDown();
        super.close();
        server.close();
    }

    @Override
    Config config() {
        return server.clientConfig();
    }

    @Override
    String prepare() {
        try (ApiConnection connection = ApiConnection.open(config())) {
            Client client = Client.create(connection, Scheme.create(), ClientOptions.defaults());
            client.create(Serialization.unmarshal(Widget.CRD, CustomResourceDefinition.class));
            client.create(new NamespaceBuilder()
                    .withNewMetadata()
                    .withName("promises")
                    .endMetadata()
                    .build());
        }
        return "promises";
    }

    private void misbehave(String name) throws InterruptedException {
        switch (name) {
            case "throws" -> throw new IllegalStateException("the reconciler throws");
            case "hangs" -> mended.await();
            case "ignores" -> {
                while (mended.getCount() > 0) {
                    LockSupport.parkNanos(1_000_000); // ignores interrupts
                }
            }
            case "overflows" -> overflow(0);
            default -> {}
        }
    }

    private static int overflow(int depth) {
        return overflow(depth + 1) + 1;
    }

    @Test
    void reconcilersThatMisbehaveHarmNobodyElseAndRunAgainOnceTheyBehave() {
        List<String> bad = List.of("throws", "hangs", "ignores", "overflows", "null");
        Set<String> done = ConcurrentHashMap.newKeySet();
        Map<String, AtomicInteger> atOnce = new ConcurrentHashMap<>();
        Controller<Request> controller = widgets()
                .customizeOptions(options -> options.withMaxConcurrentReconciles(3)
                        .withReconcileTimeout(Duration.ofMillis(100))
                        .withStuckAfter(Duration.ofMillis(100)))
                .reconciler((widget, context) -> {
                    String name = widget.getMetadata().getName();
                    AtomicInteger running = atOnce.computeIfAbsent(name, key -> new AtomicInteger());
                    try {
                        if (running.incrementAndGet() > 1) {
                            seen.add(name + " ran twice at once");
                        }
                        if (mended.getCount() > 0) {
                            misbehave(name);
                        }
                        if (name.equals("null") && mended.getCount() > 0) {
                            return null;
                        }
                        done.add(name);
                        return Result.done();
                    } finally {
                        running.decrementAndGet();
                    }
                })
                .addTo(manager);
        start();
        bad.forEach(name -> client().create(Widget.of(namespace, name, 1)));
        eventually("all but the stuck one fail", () -> controller.failingCount() == 4);
        eventually(
                "the stuck one is reported",
                () -> controller.healthCheck().check().details().get("stuck") instanceof List<?> stuck
                        && stuck.contains(namespace + "/ignores"));
        for (int i = 0; i < 20; i++) {
            client().create(Widget.of(namespace, "good-" + i, 1));
        }
        eventually("others are not held up", () -> done.size() == 20);
        assertThat(controller.failing(10))
                .extracting(failing -> failing.request().name())
                .containsExactlyInAnyOrder("throws", "hangs", "overflows", "null");
        mended.countDown();
        bad.forEach(name -> controller.requeue(new Request(namespace, name)));
        eventually("all are done in the end", () -> done.containsAll(bad));
        eventually("nobody fails any more", () -> controller.failingCount() == 0);
        assertThat(seen).isEmpty();
    }

    @Test
    void watchesThatBreakWhileReconcilingLoseNoChange() {
        Map<String, Integer> latest = new ConcurrentHashMap<>();
        widgets()
                .customizeOptions(options -> options.withMaxConcurrentReconciles(2))
                .reconciler((widget, context) -> {
                    latest.put(widget.getMetadata().getName(), widget.getSpec().size);
                    return Result.done();
                })
                .addTo(manager);
        start();
        RequestMatch watches = RequestMatch.watches().kind("widgets");
        server.faults().add(FaultRule.of(watches, Fault.endWatch(WatchEnd.CUT)).everyNth(5));
        server.faults()
                .add(FaultRule.of(watches, Fault.endWatch(WatchEnd.INSIDE_EVENT))
                        .everyNth(7));
        server.faults()
                .add(FaultRule.of(watches, Fault.endWatch(WatchEnd.EXPIRED)).everyNth(11));
        server.faults().add(FaultRule.of(watches, Fault.duplicateEvents()).everyNth(3));
        for (int i = 0; i < 10; i++) {
            client().create(Widget.of(namespace, "w" + i, 0));
        }
        for (int size = 1; size <= 5; size++) {
            for (int i = 0; i < 10; i++) {
                Widget widget = Widget.of(namespace, "w" + i, size);
                client().patch(widget, Patch.merge(Map.of("spec", Map.of("size", size))));
            }
            if (size == 3) {
                server.compactHistory();
                server.endWatches(watches, WatchEnd.CUT);
            }
        }
        eventually(
                "every object was seen as it is",
                () -> latest.size() == 10 && latest.values().stream().allMatch(size -> size == 5));
    }

    @Test
    void failedWritesAreTriedAgainUntilTheyGoThrough() {
        server.faults()
                .add(FaultRule.of(RequestMatch.writes().kind("widgets").subresource("status"), Fault.conflict())
                        .times(3));
        server.faults()
                .add(FaultRule.of(RequestMatch.writes().kind("widgets").subresource("status"), Fault.internalError())
                        .times(1));
        Controller<Request> controller = widgets()
                .reconciler((widget, context) -> {
                    seen.add("attempt " + context.attempt());
                    widget.setStatus(new Widget.Status());
                    widget.getStatus().size = widget.getSpec().size;
                    client().status().update(widget);
                    return Result.done();
                })
                .withPredicates(EventPredicates.generationChanged())
                .addTo(manager);
        start();
        client().create(Widget.of(namespace, "a", 5));
        eventually(
                "written",
                () -> client().live()
                        .get(Widget.class, key("a"))
                        .map(Widget::getStatus)
                        .filter(status -> status.size == 5)
                        .isPresent());
        eventually("not failing any more", () -> controller.failingCount() == 0);
        assertThat(seen).hasSizeGreaterThanOrEqualTo(4).startsWith("attempt 1", "attempt 2", "attempt 3", "attempt 4");
    }

    @Test
    void controllerWhenPausedKeepsOneRequestPerObjectAndOthersGoOn() {
        Controller<Request> paused = widgets()
                .requestReconciler((request, context) -> {
                    seen.add("paused " + request.name());
                    return Result.done();
                })
                .addTo(manager);
        ControllerBuilder.forType(Widget.class)
                .named("other")
                .requestReconciler((request, context) -> {
                    seen.add("other " + request.name());
                    return Result.done();
                })
                .addTo(manager);
        start();
        paused.pause();
        for (int size = 0; size < 5; size++) {
            Widget widget = Widget.of(namespace, "a", size);
            if (size == 0) {
                client().create(widget);
            } else {
                client().patch(widget, Patch.merge(Map.of("spec", Map.of("size", size))));
            }
        }
        eventually("the other runs", () -> seen.contains("other a"));
        eventually("queued", () -> paused.queue().orElseThrow().depth().equals(Map.of(0, 1)));
        assertThat(seen).doesNotContain("paused a");
        paused.resume();
        eventually("runs", () -> seen.contains("paused a"));
    }

    @Test
    void controllerWhenStoppedAloneUnsubscribesAndSeesEverythingWhenStartedAgain() throws Exception {
        Controller<Request> stopped = widgets()
                .requestReconciler((request, context) -> {
                    seen.add("stopped " + request.name());
                    return Result.done();
                })
                .addTo(manager);
        ControllerBuilder.forType(Widget.class)
                .named("other")
                .requestReconciler((request, context) -> {
                    seen.add("other " + request.name());
                    return Result.done();
                })
                .addTo(manager);
        start();
        client().create(Widget.of(namespace, "a", 1));
        eventually("both run", () -> seen.containsAll(List.of("stopped a", "other a")));
        stopped.stop(Duration.ofSeconds(30));
        assertThat(ControllerFixture.threads("widget")).isEmpty();
        seen.clear();
        client().delete(Widget.class, key("a"), DeleteOptions.defaults());
        client().create(Widget.of(namespace, "b", 1));
        eventually("the other runs", () -> seen.contains("other b"));
        assertThat(seen).allMatch(run -> run.startsWith("other"));
        stopped.start();
        eventually("the stopped one sees what there is", () -> seen.contains("stopped b"));
        assertThat(seen).doesNotContain("stopped a");
    }

    @Test
    void watchWhenAddedAndRemovedAtRuntimeTellsOnlyMeanwhile() throws Exception {
        Controller<Request> controller = widgets()
                .requestReconciler((request, context) -> {
                    seen.add(request.name());
                    return Result.done();
                })
                .addTo(manager);
        start();
        for (int round = 0; round < 3; round++) {
            Watch<Request> watch = controller.watch(new KindSource<>(
                    manager.cache().informer(io.fabric8.kubernetes.api.model.Namespace.class),
                    EventHandlers.mappingHeader(header -> List.of(
                            new Request(namespace, "namespace-" + header.key().name()))),
                    EventPredicates.allOf()));
            eventually("what there is", () -> seen.contains("namespace-promises"));
            assertThat(controller.sources()).hasSize(2);
            watch.close();
            assertThat(controller.sources()).hasSize(1);
            seen.clear();
        }
        client().create(new NamespaceBuilder()
                .withNewMetadata()
                .withName("later")
                .endMetadata()
                .build());
        client().create(Widget.of(namespace, "marker", 1));
        eventually("the marker", () -> seen.contains("marker"));
        assertThat(seen).doesNotContain("namespace-later");
    }

    @Test
    void controllerOfAMissingKindSaysSoAtOnceAndStartsWhenItComes() {
        try (ApiConnection connection = ApiConnection.open(config())) {
            Client admin = Client.create(connection, Scheme.create(), ClientOptions.defaults());
            admin.delete(
                    CustomResourceDefinition.class,
                    io.github.reconciler4j.scheme.ObjectKey.of("", "widgets.controller.test.reconciler4j.io"),
                    DeleteOptions.defaults());
            Controller<Request> controller = widgets()
                    .requestReconciler((request, context) -> {
                        seen.add(request.name());
                        return Result.done();
                    })
                    .addTo(manager);
            manager.start();
            eventually("waiting", () -> controller.state() == ControllerState.WAITING);
            assertThat(controller.healthCheck().check().details().get("waitingFor"))
                    .asString()
                    .contains("Widget.v1.controller.test.reconciler4j.io: ");
            ComponentStatus status = manager.statuses().stream()
                    .filter(component -> component.name().equals("widget"))
                    .findFirst()
                    .orElseThrow();
            assertThat(status.state()).isEqualTo(ComponentStatus.State.WAITING);
            assertThat(status.detail()).startsWith("Widget.v1.controller.test.reconciler4j.io: ");
            admin.create(Serialization.unmarshal(Widget.CRD, CustomResourceDefinition.class));
            eventually("runs", () -> controller.state() == ControllerState.RUNNING);
            client().create(Widget.of(namespace, "a", 1));
            eventually("ran", () -> seen.contains("a"));
        }
    }

    @Test
    void controllerWhenStartedAndStoppedAgainAndAgainNeverHangs() throws Exception {
        Controller<Request> controller =
                widgets().requestReconciler((request, context) -> Result.done()).build(manager);
        manager.start();
        for (int i = 0; i < 200; i++) {
            controller.start();
            controller.stop(Duration.ofSeconds(30));
        }
        assertThat(controller.state()).isEqualTo(ControllerState.STOPPED);
    }
}
