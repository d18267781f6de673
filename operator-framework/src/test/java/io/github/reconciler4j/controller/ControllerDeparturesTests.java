package io.github.reconciler4j.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.ClientInterceptor;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.predicate.ReconcileOn;
import io.github.reconciler4j.reconcile.CleanupResult;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Kind;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Two cleaners of one kind never share a finalizer, and objects that leave the selection lose theirs. */
class ControllerDeparturesTests extends ControllerTestServerFixture {

    private static final String FINALIZER = PrimaryKindPromises.DEFAULT_FINALIZER;

    private final AtomicInteger cleanups = new AtomicInteger();

    private ControllerBuilder<Widget> cleaning(String name) {
        return ControllerBuilder.of(Widget.class)
                .named(name)
                .reconciler((widget, context) -> Result.done())
                .cleaner((widget, context) -> {
                    cleanups.incrementAndGet();
                    return CleanupResult.done();
                });
    }

    private void restart(CacheOptions cache, ClientInterceptor... interceptors) {
        manager.close();
        manager = Manager.create(
                config(),
                ManagerOptions.defaults()
                        .withCache(cache)
                        .withClient(ClientOptions.defaults().withInterceptors(List.of(interceptors))));
    }

    private void create(String name, Map<String, String> labels) {
        Widget widget = Widget.of(namespace(), name, 1);
        widget.getMetadata().setLabels(labels);
        client().create(widget);
    }

    private void label(String name, String value) {
        Map<String, Object> labels = new HashMap<>();
        labels.put("on", value);
        client().patch(live(name), ObjectPatch.merge(Map.of("metadata", Map.of("labels", labels))));
    }

    private Widget live(String name) {
        return client().live().get(Widget.class, key(name)).orElseThrow();
    }

    private List<String> finalizers(String name) {
        return live(name).getMetadata().getFinalizers();
    }

    private void eventuallyHeld(String name) {
        eventually("has the finalizer", () -> finalizers(name).contains(FINALIZER));
    }

    @Test
    void addWhenTwoCleanersHaveTheSameDefaultFinalizerRefuses() {
        cleaning("one").addTo(manager());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> cleaning("two").addTo(manager()))
                .withMessage("Cannot add 'two': 'one' has the finalizer '" + FINALIZER
                        + "' of widgets.controller.test.reconciler4j.io already. Cleaners cannot share a finalizer:"
                        + " set another 'finalizer' for this controller (R4J-111)");
        assertThat(manager().components())
                .extracting(component -> component.name())
                .containsExactly("one");
        cleaning("two").finalizer("example.io/two").addTo(manager());
    }

    @Test
    void addWhenTheOtherFormOfTheKindHasTheSameFinalizerRefuses() {
        manager().options().scheme().register(manager().options().scheme().kindOf(Widget.class));
        cleaning("one").finalizer("example.io/same").addTo(manager());
        ControllerBuilder<GenericKubernetesResource> generic = ControllerBuilder.of(
                        Kind.of(WIDGET.apiVersion(), WIDGET.kind()))
                .named("two")
                .finalizer("example.io/same")
                .reconciler((object, context) -> Result.done())
                .cleaner((object, context) -> CleanupResult.done());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> generic.addTo(manager()))
                .withMessageContaining("example.io/same");
    }

    @Test
    void addWhenTheFirstWasRemovedAcceptsItsFinalizer() {
        Controller<?> one = cleaning("one").addTo(manager());
        manager().remove(one);
        cleaning("two").addTo(manager());
        assertThat(manager().components())
                .extracting(component -> component.name())
                .containsExactly("two");
    }

    @Test
    void objectThatLeavesTheSelectionIsReleasedWithoutCleanup() {
        cleaning("widget")
                .withLabelSelector("on=yes")
                .reconcileOn(ReconcileOn.GENERATION)
                .when(event -> !(event instanceof ObjectEvent.Updated<?>))
                .addTo(manager());
        start();
        create("a", Map.of("on", "yes"));
        eventuallyHeld("a");
        label("a", "no");
        eventually("released", () -> finalizers("a").isEmpty());
        assertThat(cleanups).hasValue(0);
    }

    /** The finalizer that it has the second time is not that of another program. */
    @Test
    void objectThatComesBackAndLeavesAgainIsReleasedAgain() {
        cleaning("widget").withLabelSelector("on=yes").addTo(manager());
        start();
        create("a", Map.of("on", "yes"));
        for (int times = 0; times < 2; times++) {
            eventuallyHeld("a");
            label("a", "no");
            eventually("released", () -> finalizers("a").isEmpty());
            label("a", "yes");
        }
        eventuallyHeld("a");
        assertThat(cleanups).hasValue(0);
    }

    @Test
    void objectThatLeftWhileTheOperatorWasDownIsReleased() {
        cleaning("widget").withLabelSelector("on=yes").addTo(manager());
        start();
        create("a", Map.of("on", "yes"));
        eventuallyHeld("a");
        restart(CacheOptions.defaults());
        label("a", null);
        cleaning("widget").withLabelSelector("on=yes").addTo(manager());
        start();
        eventually("released", () -> finalizers("a").isEmpty());
        assertThat(cleanups).hasValue(0);
    }

    @Test
    void objectThatIsDeletedAfterItLeftIsCleanedUpIfItHasTheFinalizer() {
        cleaning("widget").withLabelSelector("on=yes").addTo(manager());
        start();
        create("a", Map.of("on", "yes"));
        eventuallyHeld("a");
        restart(CacheOptions.defaults());
        label("a", null);
        client().delete(live("a"));
        cleaning("widget").withLabelSelector("on=yes").addTo(manager());
        start();
        eventually("gone", () -> client().live().get(Widget.class, key("a")).isEmpty());
        assertThat(cleanups).hasValue(1);
    }

    @Test
    void objectThatIsDeletedAfterItLeftTheCacheIsCleanedUp() {
        CacheOptions cache = CacheOptions.defaults()
                .withKind(Kind.of(WIDGET), KindCacheOptions.defaults().withLabelSelector("on=yes"));
        restart(cache);
        cleaning("widget").addTo(manager());
        start();
        create("a", Map.of("on", "yes"));
        eventuallyHeld("a");
        restart(cache);
        label("a", null);
        client().delete(live("a"));
        cleaning("widget").addTo(manager());
        start();
        eventually("gone", () -> client().live().get(Widget.class, key("a")).isEmpty());
        assertThat(cleanups).hasValue(1);
    }

    @Test
    void objectThatTheCacheDoesNotSelectAnyMoreIsReleasedAlsoAfterARestart() {
        CacheOptions cache = CacheOptions.defaults()
                .withKind(Kind.of(WIDGET), KindCacheOptions.defaults().withLabelSelector("on in (yes, sure),!off"));
        restart(cache);
        cleaning("widget").addTo(manager());
        start();
        create("a", Map.of("on", "yes"));
        create("b", Map.of("on", "yes"));
        create("c", Map.of("on", "yes"));
        eventuallyHeld("a");
        eventuallyHeld("b");
        eventuallyHeld("c");
        label("a", "no");
        eventually("released", () -> finalizers("a").isEmpty());
        restart(cache);
        label("b", null);
        cleaning("widget").addTo(manager());
        start();
        eventually("released after a restart", () -> finalizers("b").isEmpty());
        assertThat(finalizers("c")).containsExactly(FINALIZER);
        assertThat(cleanups).hasValue(0);
    }

    /** The cache reports it as deleted, in a state without the finalizer that is being added. */
    @Test
    void objectThatLeavesTheCacheWhileItGetsTheFinalizerIsReleased() {
        AtomicBoolean searched = new AtomicBoolean();
        AtomicBoolean left = new AtomicBoolean();
        AtomicBoolean added = new AtomicBoolean();
        restart(
                CacheOptions.defaults()
                        .withKind(Kind.of(WIDGET), KindCacheOptions.defaults().withLabelSelector("on=yes")),
                (call, next) -> {
                    if (call.verb() == ClientCall.Verb.PATCH && left.compareAndSet(false, true)) {
                        label("a", "no");
                    }
                    ApiResponse response = next.proceed(call);
                    searched.compareAndSet(false, call.verb() == ClientCall.Verb.LIST);
                    if (new String(response.body(), StandardCharsets.UTF_8).contains(FINALIZER)) {
                        added.set(true);
                    }
                    return response;
                });
        cleaning("widget")
                .when(event -> !(event instanceof ObjectEvent.Deleted<?>))
                .addTo(manager());
        start();
        eventually("the search at the start has ended", searched::get);
        create("a", Map.of("on", "yes"));
        eventually("the finalizer was added", added::get);
        eventually("released", () -> finalizers("a").isEmpty());
        assertThat(cleanups).hasValue(0);
    }

    @Test
    void objectThatAnotherProgramHoldsWithTheSameFinalizerIsReleasedOnce() {
        cleaning("widget").withLabelSelector("on=yes").addTo(manager());
        start();
        create("a", Map.of("on", "yes"));
        eventuallyHeld("a");
        label("a", "no");
        eventually("released", () -> finalizers("a").isEmpty());
        client().patch(live("a"), ObjectPatch.merge(Map.of("metadata", Map.of("finalizers", List.of(FINALIZER)))));
        create("b", Map.of("on", "yes"));
        eventuallyHeld("b");
        eventually(
                "all done",
                () -> manager().components().stream()
                        .allMatch(component ->
                                ((Controller<?>) component).operations().running() == 0));
        assertThat(finalizers("a")).containsExactly(FINALIZER);
        client().patch(live("a"), ObjectPatch.merge(Map.of("metadata", Map.of("finalizers", List.of()))));
    }
}
