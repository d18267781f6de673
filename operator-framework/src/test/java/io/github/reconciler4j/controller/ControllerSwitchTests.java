package io.github.reconciler4j.controller;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.handler.EventHandlers;
import io.github.reconciler4j.manager.ComponentState;
import io.github.reconciler4j.predicate.EventPredicates;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.source.KindSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Controllers and watches that are paused, stopped, added or late while others continue. */
class ControllerSwitchTests extends ControllerTestServerFixture {

    @Test
    void controllerWhenPausedKeepsOneRequestPerObjectAndOthersContinue() {
        Controller<Request> paused =
                widgets().requestReconciler(noting("paused ")).addTo(manager);
        ControllerBuilder.of(Widget.class)
                .named("other")
                .requestReconciler(noting("other "))
                .addTo(manager);
        start();
        paused.operations().pause();
        for (int size = 0; size < 5; size++) {
            Widget widget = Widget.of(namespace, "a", size);
            if (size == 0) {
                client().create(widget);
            } else {
                client().patch(widget, ObjectPatch.merge(Map.of("spec", Map.of("size", size))));
            }
        }
        eventually("the other runs", () -> seen.contains("other a"));
        eventually(
                "queued",
                () -> paused.operations().queue().orElseThrow().depth().equals(Map.of(0, 1)));
        assertThat(seen).doesNotContain("paused a");
        paused.operations().resume();
        eventually("runs", () -> seen.contains("paused a"));
    }

    @Test
    void logWhenAControllerIsPausedAndResumedAgainAndAgainHasOneLineOfEach() {
        Controller<Request> flapping =
                widgets().requestReconciler(noting("flapping ")).addTo(manager);
        try (CapturedLog log = CapturedLog.of(Controller.class.getName())) {
            for (int i = 0; i < 400; i++) {
                flapping.operations().pause();
                flapping.operations().resume();
            }
            assertThat(log.lines(Level.INFO))
                    .containsExactly(
                            "INFO Controller widget has been paused", "INFO Controller widget has been resumed");
        }
    }

    @Test
    void controllerWhenStoppedAloneUnsubscribesAndSeesEverythingWhenStartedAgain() throws Exception {
        Controller<Request> stopped =
                widgets().requestReconciler(noting("stopped ")).addTo(manager);
        ControllerBuilder.of(Widget.class)
                .named("other")
                .requestReconciler(noting("other "))
                .addTo(manager);
        start();
        client().create(Widget.of(namespace, "a", 1));
        eventually("both run", () -> seen.containsAll(List.of("stopped a", "other a")));
        stopped.stop(Duration.ofSeconds(30));
        assertThat(ControllerFixture.threads("widget")).isEmpty();
        seen.clear();
        client().delete(Kind.of(Widget.class), key("a"), DeletionOptions.defaults());
        client().create(Widget.of(namespace, "b", 1));
        eventually("the other runs", () -> seen.contains("other b"));
        assertThat(seen).allMatch(run -> run.startsWith("other"));
        stopped.start();
        eventually("the stopped one sees what there is", () -> seen.contains("stopped b"));
        assertThat(seen).doesNotContain("stopped a");
    }

    @Test
    void watchWhenAddedAndRemovedAtRuntimeDeliversOnlyInBetween() throws Exception {
        Controller<Request> controller = widgets().requestReconciler(noting("")).addTo(manager);
        start();
        for (int round = 0; round < 3; round++) {
            KindSource<io.fabric8.kubernetes.api.model.Namespace, Request> source = new KindSource<>(
                    manager.cache().informer(io.fabric8.kubernetes.api.model.Namespace.class),
                    EventHandlers.mappingHeader(header -> List.of(
                            new Request(namespace, "namespace-" + header.key().name()))),
                    EventPredicates.allOf());
            controller.watch(source);
            eventually("what there is", () -> seen.contains("namespace-promises"));
            assertThat(controller.sources()).hasSize(2);
            controller.unwatch(source);
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
    void controllerWhenAKindIsMissingReportsItAndStartsOnceItIsServed() {
        try (ApiConnection connection = ApiConnection.open(config())) {
            Client admin = Client.create(connection, Scheme.create(), ClientOptions.defaults());
            admin.delete(
                    Kind.of(CustomResourceDefinition.class),
                    io.github.reconciler4j.scheme.ObjectKey.of("", "widgets.controller.test.reconciler4j.io"),
                    DeletionOptions.defaults());
            Controller<Request> controller =
                    widgets().requestReconciler(noting("")).addTo(manager);
            manager.start();
            eventually("waiting", () -> controller.state() == ControllerState.WAITING);
            assertThat(controller.healthChecks().get(0).check().details().get("waitingFor"))
                    .asString()
                    .contains("Widget.v1.controller.test.reconciler4j.io: ");
            ComponentState status = manager.status().components().stream()
                    .filter(component -> component.name().equals("widget"))
                    .findFirst()
                    .orElseThrow();
            assertThat(status.state()).isEqualTo(ComponentState.State.WAITING);
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
