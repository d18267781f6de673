package io.github.reconciler4j.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.predicate.ReconcileOn;
import io.github.reconciler4j.reconcile.CleanupResult;
import io.github.reconciler4j.reconcile.Conditions;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What limits and pauses the reconciliations of one object, on a server. */
interface ObjectControlPromises extends ControllerOnServer {

    String PAUSED = ControllerOptions.DEFAULT_PAUSE_ANNOTATION;

    default Widget live(String name) {
        return client().live().get(Widget.class, key(name)).orElseThrow();
    }

    default boolean isGone(String name) {
        return client().live().get(Widget.class, key(name)).isEmpty();
    }

    default void annotate(String name, String annotation, @Nullable String value) {
        Map<String, Object> annotations = new HashMap<>();
        annotations.put(annotation, value);
        client().patch(live(name), ObjectPatch.merge(Map.of("metadata", Map.of("annotations", annotations))));
    }

    default void resize(String name, int size) {
        client().patch(live(name), ObjectPatch.merge(Map.of("spec", Map.of("size", size))));
    }

    default Optional<Condition> stalled(String name) {
        Widget.Status status = live(name).getStatus();
        return status == null
                ? Optional.empty()
                : Conditions.of(status.conditions, live(name)).find("Stalled");
    }

    default boolean hasEvent(String name, String reason) {
        return client().live().list(Kind.of(Event.class), Selection.inNamespace(namespace())).stream()
                .anyMatch(event -> reason.equals(event.getReason())
                        && name.equals(event.getRegarding().getName()));
    }

    /** A reconciler that notes name and size, and fails for negative sizes. */
    default ControllerBuilder<Widget> sized() {
        return widgets().reconciler((widget, context) -> {
            String text = widget.getMetadata().getName() + widget.getSpec().size;
            seen().add(context.isLastAttempt() ? text + "!" : text);
            if (widget.getSpec().size < 0) {
                throw new IllegalStateException("The size is negative: " + seen().size());
            }
            return Result.done();
        });
    }

    private static ControllerOptions quick(ControllerOptions options) {
        return options.withBackoff(Duration.ofMillis(1), Duration.ofMillis(5));
    }

    @Test
    default void minIntervalLetsOneReconciliationSeeTheLastOfManyChanges() {
        AtomicInteger other = new AtomicInteger();
        Duration interval = Duration.ofSeconds(2);
        List<Long> starts = Collections.synchronizedList(new ArrayList<>());
        widgets()
                .customizeOptions(options -> options.withMinInterval(interval))
                .reconciler((widget, context) -> {
                    if (widget.getMetadata().getName().equals("noisy")) {
                        starts.add(System.nanoTime());
                        seen().add("noisy" + widget.getSpec().size);
                    } else {
                        other.set(widget.getSpec().size);
                    }
                    return Result.done();
                })
                .addTo(manager());
        start();
        long before = System.nanoTime();
        client().create(Widget.of(namespace(), "noisy", 0));
        eventually("first", () -> seen().contains("noisy0"));
        for (int size = 1; size <= 20; size++) {
            resize("noisy", size);
        }
        client().create(Widget.of(namespace(), "other", 7));
        eventually("another object does not wait for it", () -> other.get() == 7);
        eventually("the last state", () -> seen().contains("noisy20"));
        // The interval counts from a start that the reconciler sees a moment later, so only the time from before the
        // first is exact.
        for (int i = 0; i < starts.size(); i++) {
            assertThat(starts.get(i) - before).isGreaterThanOrEqualTo(i * interval.toNanos());
        }
        assertThat(seen()).hasSizeLessThan(10);
    }

    @Test
    default void exhaustedAttemptsAreACondition() {
        Controller<?> controller = sized().customizeOptions(
                        options -> quick(options).withMaxAttempts(3))
                .addTo(manager());
        start();
        client().create(Widget.of(namespace(), "a", -1));
        eventually("condition", () -> stalled("a").isPresent());
        eventually("waits", () -> controller.operations().stalledCount() == 1);
        assertThat(seen()).containsExactly("a-1", "a-1", "a-1!");
        assertThat(stalled("a")).hasValueSatisfying(condition -> {
            assertThat(condition.getStatus()).isEqualTo("True");
            assertThat(condition.getReason()).isEqualTo("AttemptsExhausted");
            assertThat(condition.getMessage()).contains("3 times", "The size is negative");
            assertThat(condition.getObservedGeneration()).isEqualTo(1);
        });
        eventually("event", () -> hasEvent("a", "AttemptsExhausted"));
        resize("a", 5);
        eventually("recovered", () -> stalled("a").isEmpty());
        assertThat(controller.operations().stalledCount()).isZero();
        assertThat(seen()).endsWith("a5");
    }

    @Test
    default void conditionOfExhaustedAttemptsLeavesTheOtherConditions() {
        sized().customizeOptions(options -> quick(options).withMaxAttempts(2))
                .errorStatusHandler((widget, error, context) -> {
                    if (widget.getStatus() == null) {
                        widget.setStatus(new Widget.Status());
                    }
                    widget.getStatus().size = 42;
                    Conditions.of(widget.getStatus().conditions, widget)
                            .setFalse("Ready", context.isLastAttempt() ? "Last" : "Failed", "no");
                })
                .addTo(manager());
        start();
        client().create(Widget.of(namespace(), "a", -1));
        eventually("condition", () -> stalled("a").isPresent());
        assertThat(live("a").getStatus().size).isEqualTo(42);
        assertThat(live("a").getStatus().conditions)
                .extracting(Condition::getType)
                .containsExactlyInAnyOrder("Ready", "Stalled");
        assertThat(Conditions.of(live("a").getStatus().conditions, live("a"))
                        .find("Ready")
                        .orElseThrow()
                        .getReason())
                .isEqualTo("Last");
        resize("a", 5);
        eventually("recovered", () -> stalled("a").isEmpty());
        assertThat(live("a").getStatus().conditions)
                .extracting(Condition::getType)
                .containsExactly("Ready");
    }

    @Test
    default void exhaustedAttemptsOfAControllerThatSeesItsOwnStatusEnd() {
        Controller<?> controller = sized().reconcileOn(ReconcileOn.ANY_CHANGE)
                .customizeOptions(options -> quick(options).withMaxAttempts(2))
                .addTo(manager());
        start();
        client().create(Widget.of(namespace(), "a", -1));
        eventually("condition", () -> stalled("a").isPresent());
        eventually("its own write leads to attempts", () -> seen().size() == 4);
        eventually("waits", () -> controller.operations().stalledCount() == 1);
        client().create(Widget.of(namespace(), "b", 1));
        eventually("the other", () -> seen().contains("b1"));
        assertThat(seen()).as("the second failure writes nothing").hasSize(5);
    }

    @Test
    default void exhaustedAttemptsOfAGenericKindAreAConditionIfTheObjectHasConditions() {
        manager().options().scheme().register(Widget.class);
        ControllerBuilder.of(Kind.of(WIDGET))
                .inNamespaces(namespace())
                .customizeOptions(options -> quick(options).withMaxAttempts(1))
                .reconciler((GenericKubernetesResource widget, ReconcileContext context) -> {
                    seen().add(widget.getMetadata().getName());
                    throw new IllegalStateException("no");
                })
                .addTo(manager());
        start();
        client().create(Widget.of(namespace(), "without", 1));
        eventually("event", () -> hasEvent("without", "AttemptsExhausted"));
        assertThat(live("without").getStatus()).isNull();
        Widget with = Widget.of(namespace(), "with", 1);
        client().create(paused(with));
        client().status()
                .patch(
                        live("with"),
                        ObjectPatch.merge(Map.of(
                                "status",
                                Map.of(
                                        "size",
                                        3,
                                        "conditions",
                                        List.of(Map.of(
                                                "type", "Ready",
                                                "status", "True",
                                                "reason", "Fine",
                                                "message", "",
                                                "lastTransitionTime", "2026-01-01T00:00:00Z"))))));
        annotate("with", PAUSED, null);
        eventually("condition", () -> stalled("with").isPresent());
        assertThat(live("with").getStatus().size).isEqualTo(3);
        assertThat(live("with").getStatus().conditions).hasSize(2);
    }

    private static Widget paused(Widget widget) {
        widget.getMetadata().setAnnotations(new HashMap<>(Map.of(PAUSED, "true")));
        return widget;
    }

    @Test
    default void pausedObjectIsReconciledWhenItsPauseEndsWhateverThePredicatesSay() {
        Controller<?> controller = sized().reconcileOn(ReconcileOn.GENERATION)
                .when(event -> !event.snapshot().header().key().name().equals("a"))
                .addTo(manager());
        start();
        client().create(paused(Widget.of(namespace(), "a", 1)));
        client().create(Widget.of(namespace(), "b", 1));
        eventually("the other", () -> seen().contains("b1"));
        controller.operations().requeue(cast(Request.of(key("a"))));
        eventually("counted", () -> controller.operations().pausedObjects() == 1);
        resize("a", 2);
        annotate("a", PAUSED, null);
        eventually("reconciled", () -> seen().contains("a2"));
        assertThat(seen()).containsExactly("b1", "a2");
        assertThat(controller.operations().pausedObjects()).isZero();
        annotate("a", PAUSED, "true");
        eventually("again", () -> controller.operations().pausedObjects() == 1);
        client().delete(Kind.of(Widget.class), key("a"), DeletionOptions.defaults());
        eventually("gone without a cleaner", () -> isGone("a"));
    }

    @SuppressWarnings("unchecked")
    private static <R> R cast(Request request) {
        return (R) request;
    }

    @Test
    default void pauseUntilATimeEndsByItself() {
        sized().addTo(manager());
        start();
        Widget widget = paused(Widget.of(namespace(), "a", 1));
        Instant end = Instant.now().plusSeconds(3);
        widget.getMetadata().getAnnotations().put(PAUSED, end.toString());
        client().create(widget);
        eventually("reconciled", () -> seen().contains("a1"));
        assertThat(Instant.now()).isAfterOrEqualTo(end);
        assertThat(seen()).hasSize(1);
    }

    @Test
    default void pausedObjectThatIsDeletedWaitsAndAnEventSaysSo() {
        sized().cleaner((widget, context) -> {
                    seen().add("cleanup " + widget.getMetadata().getName());
                    return CleanupResult.done();
                })
                .addTo(manager());
        start();
        client().create(Widget.of(namespace(), "a", 1));
        eventually("reconciled", () -> seen().contains("a1"));
        annotate("a", PAUSED, "true");
        eventually("paused", () -> hasEvent("a", "Paused"));
        client().delete(Kind.of(Widget.class), key("a"), DeletionOptions.defaults());
        eventually("said", () -> hasEvent("a", "DeletionPaused"));
        assertThat(live("a").getMetadata().getDeletionTimestamp()).isNotNull();
        assertThat(seen()).containsExactly("a1");
        annotate("a", PAUSED, "false");
        eventually("gone", () -> isGone("a"));
        assertThat(seen()).containsExactly("a1", "cleanup a");
    }

    @Test
    default void valueThatIsNotUnderstoodPausesAndAnEventSaysSo() {
        sized().cleaner((widget, context) -> CleanupResult.done()).addTo(manager());
        start();
        Widget widget = paused(Widget.of(namespace(), "a", 1));
        widget.getMetadata().getAnnotations().put(PAUSED, "yes");
        client().create(widget);
        eventually("said", () -> hasEvent("a", "PauseNotUnderstood"));
        assertThat(seen()).isEmpty();
        assertThat(live("a").getMetadata().getFinalizers()).isEmpty();
        client().delete(Kind.of(Widget.class), key("a"), DeletionOptions.defaults());
        eventually("gone", () -> isGone("a"));
    }

    @Test
    default void controllerCanHaveAnAnnotationOfItsOwn() {
        sized().customizeOptions(options -> options.withPauseAnnotation("example.com/hold"))
                .addTo(manager());
        start();
        client().create(paused(Widget.of(namespace(), "a", 1)));
        eventually("not paused", () -> seen().contains("a1"));
        annotate("a", "example.com/hold", "true");
        resize("a", 2);
        client().create(Widget.of(namespace(), "b", 1));
        eventually("the other", () -> seen().contains("b1"));
        assertThat(seen()).containsExactly("a1", "b1");
    }

    @Test
    default void reconcilerOfRequestsIsNotCalledForAPausedObject() {
        widgets().requestReconciler(noting("")).addTo(manager());
        start();
        client().create(paused(Widget.of(namespace(), "a", 1)));
        client().create(Widget.of(namespace(), "b", 1));
        eventually("the other", () -> seen().contains("b"));
        client().delete(Kind.of(Widget.class), key("a"), DeletionOptions.defaults());
        eventually("an object that is gone is not paused", () -> seen().contains("a"));
        assertThat(seen()).containsExactly("b", "a");
    }
}
