package io.github.reconciler4j.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.github.reconciler4j.builder.Watch;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.predicate.EventPredicates;
import io.github.reconciler4j.predicate.ReconcileOn;
import io.github.reconciler4j.reconcile.Cleaner;
import io.github.reconciler4j.reconcile.CleanupResult;
import io.github.reconciler4j.reconcile.Conditions;
import io.github.reconciler4j.reconcile.ErrorStatusHandler;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.reconcile.TerminalException;
import io.github.reconciler4j.scheme.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** How a controller treats the objects of its primary kind on a server. */
interface PrimaryKindPromises extends ControllerOnServer {

    String DEFAULT_FINALIZER = "widgets.controller.test.reconciler4j.io/finalizer";

    /** A reconciler that is also a cleaner and a handler of errors. */
    record Everything(List<String> seen, AtomicReference<CleanupResult> cleanup)
            implements ObjectReconciler<Widget>, Cleaner<Widget>, ErrorStatusHandler<Widget> {

        @Override
        public Result reconcile(Widget widget, ReconcileContext context) {
            seen.add("reconcile " + widget.getMetadata().getFinalizers());
            if (widget.getSpec().size < 0) {
                throw new TerminalException("size is negative");
            }
            return Result.done();
        }

        @Override
        public CleanupResult cleanup(Widget widget, ReconcileContext context) {
            seen.add("cleanup");
            return cleanup.get();
        }

        @Override
        public void updateErrorStatus(Widget widget, Exception error, ReconcileContext context) {
            widget.setStatus(new Widget.Status());
            Conditions.of(widget.getStatus().conditions, widget).setFalse("Ready", "Failed", error.getMessage());
        }
    }

    default void delete(String name) {
        client().delete(Kind.of(Widget.class), key(name), DeletionOptions.defaults());
    }

    default Widget liveWidget(String name) {
        return client().live().get(Widget.class, key(name)).orElseThrow();
    }

    @Test
    default void cleanerAddsItsFinalizerBeforeTheFirstReconciliationAndRunsInsteadOfIt() {
        AtomicReference<CleanupResult> cleanup = new AtomicReference<>(CleanupResult.done());
        widgets().reconciler(new Everything(seen(), cleanup)).addTo(manager());
        start();
        Widget widget = Widget.of(namespace(), "a", 1);
        widget.getMetadata().setFinalizers(List.of("foreign.example.io/other"));
        client().create(widget);
        eventually("reconciled", () -> !seen().isEmpty());
        assertThat(seen()).containsExactly("reconcile [foreign.example.io/other, " + DEFAULT_FINALIZER + "]");
        delete("a");
        eventually(
                "cleaned up",
                () -> liveWidget("a").getMetadata().getFinalizers().size() == 1);
        assertThat(liveWidget("a").getMetadata().getFinalizers()).containsExactly("foreign.example.io/other");
        client().patch(liveWidget("a"), ObjectPatch.merge(Map.of("metadata", Map.of("finalizers", List.of()))));
        eventually("gone", () -> client().live().get(Widget.class, key("a")).isEmpty());
        assertThat(seen()).hasSize(2).endsWith("cleanup");
    }

    @Test
    default void cleanerThatIsNotDoneIsCalledAgainAfterItsDelayAndOnEvents() {
        AtomicReference<CleanupResult> cleanup = new AtomicReference<>(CleanupResult.notYet());
        widgets()
                .owns(ConfigMap.class)
                .finalizer("example.io/cleanup")
                .reconciler(new Everything(seen(), cleanup))
                .addTo(manager());
        start();
        Widget widget = client().create(Widget.of(namespace(), "a", 1));
        eventually("reconciled", () -> seen().contains("reconcile [example.io/cleanup]"));
        ConfigMap owned = configMapOwnedBy(widget);
        client().create(owned);
        delete("a");
        eventually("asked", () -> seen().contains("cleanup"));
        seen().clear();
        cleanup.set(CleanupResult.notYet(Duration.ofMillis(20)));
        client().patch(owned, ObjectPatch.merge(Map.of("data", Map.of("a", "b"))));
        eventually("asked by event and after its delay", () -> seen().size() > 2);
        assertThat(liveWidget("a").getMetadata().getFinalizers()).containsExactly("example.io/cleanup");
        cleanup.set(CleanupResult.done());
        eventually("gone", () -> client().live().get(Widget.class, key("a")).isEmpty());
    }

    private ConfigMap configMapOwnedBy(Widget widget) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace())
                .withName("owned")
                .addNewOwnerReference()
                .withApiVersion(WIDGET.apiVersion())
                .withKind(WIDGET.kind())
                .withName(widget.getMetadata().getName())
                .withUid(widget.getMetadata().getUid())
                .withController(true)
                .endOwnerReference()
                .endMetadata()
                .build();
    }

    @Test
    default void cleanerLeavesWhatItsClassDoesNotKnowInTheObject() {
        widgets()
                .reconciler((widget, context) -> Result.done())
                .cleaner((widget, context) -> CleanupResult.notYet())
                .addTo(manager());
        start();
        GenericKubernetesResource unknown = new GenericKubernetesResource();
        unknown.setApiVersion(WIDGET.apiVersion());
        unknown.setKind(WIDGET.kind());
        unknown.setMetadata(Widget.of(namespace(), "a", 1).getMetadata());
        unknown.setAdditionalProperty("spec", Map.of("size", 1, "unknown", Map.of("deep", List.of(1, 2))));
        client().create(unknown);
        eventually("added", () -> !liveWidget("a").getMetadata().getFinalizers().isEmpty());
        assertThat(client().live().get(Kind.of(WIDGET), key("a")).orElseThrow().<Object>get("spec"))
                .isEqualTo(Map.of("size", 1, "unknown", Map.of("deep", List.of(1, 2))));
        client().patch(liveWidget("a"), ObjectPatch.merge(Map.of("metadata", Map.of("finalizers", List.of()))));
    }

    @Test
    default void errorStatusIsWrittenWithoutTouchingAnythingElse() {
        AtomicReference<CleanupResult> cleanup = new AtomicReference<>(CleanupResult.done());
        widgets().reconciler(new Everything(seen(), cleanup)).addTo(manager());
        start();
        client().create(Widget.of(namespace(), "a", -1));
        eventually("status", () -> liveWidget("a").getStatus() != null);
        Widget live = liveWidget("a");
        assertThat(live.getSpec().size).isEqualTo(-1);
        assertThat(live.getStatus().conditions).singleElement().satisfies(condition -> {
            assertThat(condition.getMessage()).isEqualTo("size is negative");
            assertThat(condition.getObservedGeneration()).isEqualTo(1);
        });
        assertThat(seen()).as("its own status write leads to no reconciliation").hasSize(1);
        client().patch(live, ObjectPatch.merge(Map.of("metadata", Map.of("labels", Map.of("a", "b")))));
        eventually("again", () -> seen().size() == 2);
        delete("a");
    }

    @Test
    default void errorStatusHandlerThatChangesMoreThanTheStatusWritesNothing() {
        Controller<?> controller = widgets()
                .reconciler((widget, context) -> {
                    throw new TerminalException("the original");
                })
                .errorStatusHandler((widget, error, context) -> {
                    widget.setStatus(new Widget.Status());
                    widget.getSpec().size = 1000;
                })
                .addTo(manager());
        start();
        client().create(Widget.of(namespace(), "a", 1));
        eventually("failed", () -> controller.operations().failingCount() == 1);
        assertThat(liveWidget("a").getSpec().size).isEqualTo(1);
        assertThat(liveWidget("a").getStatus()).isNull();
    }

    @Test
    default void errorStatusHandlerThatFailsDoesNotHideTheError() {
        Controller<?> controller = widgets()
                .reconciler((widget, context) -> {
                    throw new TerminalException("the original");
                })
                .errorStatusHandler((widget, error, context) -> {
                    seen().add(error.getMessage());
                    throw new IllegalStateException("the handler");
                })
                .addTo(manager());
        start();
        client().create(Widget.of(namespace(), "a", 1));
        eventually("failed", () -> controller.operations().failingCount() == 1);
        assertThat(controller.operations().failing(1).get(0).error()).isEqualTo("TerminalException: the original");
        assertThat(seen()).containsExactly("the original");
    }

    @Test
    default void ownStatusWriteLeadsToNoReconciliationUnlessAnyChangeIsAskedFor() {
        AtomicInteger quiet = new AtomicInteger();
        AtomicInteger any = new AtomicInteger();
        widgets()
                .named("quiet")
                .reconciler((widget, context) -> {
                    quiet.incrementAndGet();
                    return Result.done();
                })
                .addTo(manager());
        widgets()
                .named("any")
                .reconcileOn(ReconcileOn.ANY_CHANGE)
                .reconciler((widget, context) -> {
                    any.incrementAndGet();
                    client().status()
                            .patch(widget, ObjectPatch.merge(Map.of("status", Map.of("size", widget.getSpec().size))));
                    return Result.done();
                })
                .addTo(manager());
        start();
        Widget created = client().create(Widget.of(namespace(), "a", 1));
        eventually("its own write", () -> any.get() == 2);
        client().patch(created, ObjectPatch.merge(Map.of("spec", Map.of("size", 2))));
        eventually("the change and its own write", () -> any.get() == 4);
        eventually("the change", () -> quiet.get() == 2);
        client().patch(created, ObjectPatch.merge(Map.of("metadata", Map.of("annotations", Map.of("a", "b")))));
        eventually("metadata", () -> quiet.get() == 3);
    }

    @Test
    default void resyncReachesAControllerThatIgnoresStatusUpdates() {
        widgets().resync(Duration.ofMillis(100)).requestReconciler(noting("")).addTo(manager());
        start();
        client().create(Widget.of(namespace(), "a", 1));
        eventually("again and again", () -> seen().size() > 3);
    }

    @Test
    default void labelSelectorAppliesToEventsAndToRequestsOfOtherWatches() {
        widgets()
                .withLabelSelector("tier=front")
                .watches(Watch.kind(ConfigMap.class)
                        .when(EventPredicates.inNamespaces(namespace()))
                        .map(map -> client().list(Kind.of(Widget.class), Selection.inNamespace(namespace())).stream()
                                .map(widget -> new Request(
                                        widget.getMetadata().getNamespace(),
                                        widget.getMetadata().getName()))
                                .toList()))
                .reconciler((widget, context) -> {
                    seen().add(widget.getMetadata().getName() + " "
                            + context.triggers().get(0).source());
                    return Result.done();
                })
                .addTo(manager());
        start();
        Widget front = Widget.of(namespace(), "front", 1);
        front.getMetadata().setLabels(Map.of("tier", "front"));
        client().create(Widget.of(namespace(), "back", 1));
        client().create(front);
        eventually("the selected one", () -> seen().size() == 1);
        client().create(new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace())
                .withName("trigger")
                .endMetadata()
                .build());
        eventually("by the other watch", () -> seen().size() == 2);
        assertThat(seen()).containsExactly("front " + WIDGET, "front ConfigMap.v1");
        client().patch(
                        client().live().get(Widget.class, key("back")).orElseThrow(),
                        ObjectPatch.merge(Map.of("metadata", Map.of("labels", Map.of("tier", "front")))));
        eventually("one that came into the selection", () -> seen().contains("back " + WIDGET));
    }

    @Test
    default void referencesEnqueueThoseThatReferToTheObject() {
        widgets()
                .references(
                        Secret.class,
                        "secret",
                        widget -> widget.getSpec().size == 2
                                ? List.of(namespace() + "/two")
                                : List.of(widget.getSpec().size == 1 ? "one" : "other"))
                .reconciler((widget, context) -> {
                    seen().add(context.triggers().get(0).source() + " "
                            + widget.getMetadata().getName());
                    return Result.done();
                })
                .addTo(manager());
        start();
        for (int size = 1; size <= 3; size++) {
            client().create(Widget.of(namespace(), "of-size-" + size, size));
        }
        eventually("all", () -> seen().size() == 3);
        seen().clear();
        client().create(secret("two"));
        eventually("by key", () -> seen().equals(List.of("Secret.v1 of-size-2")));
        client().create(secret("one"));
        eventually(
                "by name in its namespace", () -> seen().equals(List.of("Secret.v1 of-size-2", "Secret.v1 of-size-1")));
        client().delete(Kind.of(Secret.class), key("two"), DeletionOptions.defaults());
        eventually(
                "deletion",
                () -> seen().equals(List.of("Secret.v1 of-size-2", "Secret.v1 of-size-1", "Secret.v1 of-size-2")));
    }

    private Secret secret(String name) {
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace(namespace())
                .withName(name)
                .endMetadata()
                .build();
    }
}
