package io.github.reconciler4j.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.Watch;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.OperationResult;
import io.github.reconciler4j.client.OwnerReferences;
import io.github.reconciler4j.finalizer.Finalizers;
import io.github.reconciler4j.predicate.EventPredicates;
import io.github.reconciler4j.reconcile.CleanupResult;
import io.github.reconciler4j.reconcile.Conditions;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.source.ChannelSource;
import io.github.reconciler4j.source.PollSource;
import io.github.reconciler4j.source.PollSource.Polled;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** What a controller and the helpers of its reconcilers do on a server. */
interface ControllerPromises extends ControllerOnServer {

    String FINALIZER = "controller.test.reconciler4j.io/cleanup";

    record ClusterRequest(String cluster, String name) {}

    @Test
    default void requestOfACustomTypeReachesTheReconcilerFromWatchAndChannel() {
        ChannelSource<String, ClusterRequest> channel =
                ChannelSource.mapping("other-clusters", name -> List.of(new ClusterRequest("far", name)));
        Controller<ClusterRequest> controller = ControllerBuilder.forRequests("clusters", ClusterRequest.class)
                .watches(Watch.kind(Widget.class)
                        .when(EventPredicates.inNamespaces(namespace()))
                        .map(widget -> List.of(
                                new ClusterRequest("near", widget.getMetadata().getName()))))
                .source(channel)
                .reconciler((request, context) -> {
                    seen().add(request.cluster() + "/" + request.name() + " attempt " + context.attempt());
                    if (request.cluster().equals("far") && context.attempt() == 1) {
                        throw new IllegalStateException("the first attempt fails");
                    }
                    return Result.done();
                })
                .addTo(manager());
        start();
        client().create(Widget.of(namespace(), "a", 1));
        channel.send("a");
        eventually("all runs", () -> seen().size() == 3);
        assertThat(seen())
                .containsExactlyInAnyOrder("near/a attempt 1", "far/a attempt 1", "far/a attempt 2")
                .containsSubsequence("far/a attempt 1", "far/a attempt 2");
        // The last run has added its line before it returns.
        eventually("no failing request", () -> controller.operations().failingCount() == 0);
    }

    @Test
    default void eventsFromOutsideAndPolledStatesLeadToReconciliations() {
        ChannelSource<Request, Request> channel = ChannelSource.ofRequests("webhook");
        Map<Request, Integer> outside = new ConcurrentHashMap<>();
        Request a = new Request(namespace(), "a");
        outside.put(a, 1);
        widgets()
                .source(channel)
                .source(PollSource.perRequest(
                        "billing",
                        Duration.ofMillis(50),
                        outside::keySet,
                        request -> new Polled(outside.get(request), Duration.ofMillis(20))))
                .reconciler((widget, context) -> {
                    context.triggers().forEach(trigger -> seen().add(trigger.source()));
                    return Result.done();
                })
                .addTo(manager());
        start();
        client().create(Widget.of(namespace(), "a", 1));
        eventually("from the watch", () -> seen().contains("Widget.v1.controller.test.reconciler4j.io"));
        seen().clear();
        channel.send(a);
        eventually("from the channel", () -> seen().contains("webhook"));
        seen().clear();
        outside.put(a, 2);
        eventually("from the poll", () -> seen().contains("billing"));
    }

    @Test
    default void conditionsFollowTheConventionsAndAreWrittenOnlyIfTheyDiffer() {
        ChannelSource<Request, Request> again = ChannelSource.ofRequests("again");
        widgetsWithConditions().source(again).addTo(manager());
        start();
        client().create(Widget.of(namespace(), "a", 1));
        eventually("written", () -> seen().equals(List.of("UPDATED_STATUS_ONLY")));
        Widget first = live("a");
        Condition falseAtFirst = first.getStatus().conditions.get(0);
        assertThat(falseAtFirst.getStatus()).isEqualTo("False");
        assertThat(falseAtFirst.getObservedGeneration()).isEqualTo(1);
        again.send(new Request(namespace(), "a"));
        eventually("looked again", () -> seen().size() == 2);
        assertThat(seen().get(1)).isEqualTo("UNCHANGED");
        assertThat(live("a").getMetadata().getResourceVersion())
                .isEqualTo(first.getMetadata().getResourceVersion());
        client().patch(first, ObjectPatch.merge(Map.of("spec", Map.of("size", 0))));
        eventually("generation 2", () -> seen().size() == 3);
        Condition falseStill = live("a").getStatus().conditions.get(0);
        assertThat(falseStill.getObservedGeneration()).isEqualTo(2);
        assertThat(falseStill.getMessage()).isEqualTo("is 0");
        assertThat(falseStill.getLastTransitionTime()).isEqualTo(falseAtFirst.getLastTransitionTime());
        client().patch(first, ObjectPatch.merge(Map.of("spec", Map.of("size", 2))));
        eventually("generation 3", () -> seen().size() == 4);
        assertThat(live("a").getStatus().conditions)
                .singleElement()
                .satisfies(ready -> assertThat(ready.getStatus()).isEqualTo("True"));
    }

    @Test
    default void ownedObjectIsCreatedRepairedAndNotWrittenWhenUpToDate() {
        widgets()
                .owns(ConfigMap.class)
                .reconciler((widget, context) -> {
                    OperationResult<ConfigMap> written = client().createOrUpdate(
                                    configMap(widget.getMetadata().getName()), map -> {
                                        map.setData(Map.of("size", "" + widget.getSpec().size));
                                        OwnerReferences.setController(map, widget);
                                    });
                    seen().add(written.outcome().name());
                    return Result.done();
                })
                .addTo(manager());
        start();
        client().create(Widget.of(namespace(), "a", 7));
        eventually("created", () -> seen().contains("CREATED"));
        ConfigMap made = client().live().get(ConfigMap.class, key("a")).orElseThrow();
        assertThat(made.getData()).containsEntry("size", "7");
        assertThat(OwnerReferences.controllerOf(made)).isPresent();
        eventually("right", () -> seen().contains("UNCHANGED"));
        seen().clear();
        client().delete(Kind.of(ConfigMap.class), key("a"), DeletionOptions.defaults());
        eventually("made again", () -> seen().contains("CREATED"));
        seen().clear();
        ConfigMap spoilt = client().live().get(ConfigMap.class, key("a")).orElseThrow();
        spoilt.setData(Map.of("size", "wrong"));
        client().update(spoilt);
        eventually("repaired", () -> seen().contains("UPDATED"));
        assertThat(client().live().get(ConfigMap.class, key("a")).orElseThrow().getData())
                .containsEntry("size", "7");
    }

    @Test
    default void finalizerIsAddedRunsBeforeTheDeletionAndIsRetriedWhenItFails() {
        Finalizers<Widget> finalizers = Finalizers.<Widget>create(client()).register(FINALIZER, (widget, run) -> {
            seen().add("cleaned");
            if (seen().size() == 1) {
                throw new IllegalStateException("the first time fails");
            }
            return CleanupResult.done();
        });
        widgets()
                .reconciler((widget, context) ->
                        finalizers.reconcile(widget, context).result())
                .addTo(manager());
        start();
        client().create(Widget.of(namespace(), "a", 1));
        eventually("put on", () -> live("a").getMetadata().getFinalizers().equals(List.of(FINALIZER)));
        client().delete(Kind.of(Widget.class), key("a"), DeletionOptions.defaults());
        eventually("gone", () -> client().live().get(Widget.class, key("a")).isEmpty());
        assertThat(seen()).containsExactly("cleaned", "cleaned");
    }

    @Test
    default void objectThatDoesNotFitItsClassReachesRequestReconcilersOnlyAndIsNotRetried() {
        Controller<Request> objects = widgets()
                .reconciler((widget, context) -> {
                    seen().add("object " + widget.getMetadata().getName());
                    return Result.done();
                })
                .addTo(manager());
        ControllerBuilder.of(Widget.class)
                .named("by-request")
                .withGlobalPredicate(EventPredicates.inNamespaces(namespace()))
                .requestReconciler(noting("request "))
                .addTo(manager());
        start();
        client().create(broken());
        client().create(Widget.of(namespace(), "good", 1));
        eventually("both", () -> seen().containsAll(List.of("request broken", "object good")));
        eventually("reported", () -> objects.operations().failingCount() == 1);
        assertThat(seen()).doesNotContain("object broken");
        FailingRequest<Request> failing = objects.operations().failing(10).get(0);
        assertThat(failing.request()).isEqualTo(new Request(namespace(), "broken"));
        assertThat(failing.terminal()).isTrue();
        assertThat(failing.failures()).isEqualTo(1);
        assertThat(failing.next()).isEmpty();
        assertThat(failing.error()).contains("spec.size").doesNotContain("huge");
        GenericKubernetesResource fixed =
                client().live().get(Kind.of(WIDGET), key("broken")).orElseThrow();
        fixed.setAdditionalProperty("spec", Map.of("size", 3));
        client().update(fixed);
        eventually("reconciled once it is fixed", () -> seen().contains("object broken"));
        eventually("not failing any more", () -> objects.operations().failingCount() == 0);
    }

    private Widget live(String name) {
        return client().live().get(Widget.class, key(name)).orElseThrow();
    }

    private ConfigMap configMap(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace())
                .withName(name)
                .endMetadata()
                .build();
    }

    /** A controller that says in a condition whether the size is above 1, and writes down what that took. */
    private ControllerBuilder<Widget> widgetsWithConditions() {
        return widgets()
                .reconciler((widget, context) -> {
                    OperationResult<Widget> written = client().createOrPatch(widget, now -> {
                        if (now.getStatus() == null) {
                            now.setStatus(new Widget.Status());
                        }
                        Conditions.of(now.getStatus().conditions, now)
                                .set("Ready", now.getSpec().size > 1, "Sized", "is " + now.getSpec().size);
                    });
                    seen().add(written.outcome().name());
                    return Result.done();
                })
                .when(EventPredicates.generationChanged());
    }

    /** A Widget that its definition lets in and its class cannot read. */
    private GenericKubernetesResource broken() {
        GenericKubernetesResource broken = new GenericKubernetesResource();
        broken.setApiVersion(WIDGET.apiVersion());
        broken.setKind(WIDGET.kind());
        broken.setMetadata(Widget.of(namespace(), "broken", 1).getMetadata());
        broken.setAdditionalProperty("spec", Map.of("size", "huge"));
        return broken;
    }
}
