package io.github.reconciler4j.controllers.internal.services;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.Watch;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.handler.EventHandler;
import io.github.reconciler4j.handler.RequestSink;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.scheme.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/**
 * Enqueues the Services that a change of a pod concerns, after a time in which further changes are collected. An index finds
 * them by one label of their selector each, so that a change does not read all Services of its namespace.
 *
 * @since 0.1.0
 */
public final class PodEvents implements EventHandler<Pod, Request> {

    private final Client client;
    private final String index;
    private final Duration batchPeriod;

    private PodEvents(Client client, String index, Duration batchPeriod) {
        this.client = client;
        this.index = index;
        this.batchPeriod = batchPeriod;
    }

    /** Let a controller of Services watch pods, with an index of this name. */
    public static void watch(ControllerBuilder<Service> controller, String index, Client client, Duration batchPeriod) {
        controller
                .index(index, PodEvents::term)
                .watches(Watch.kind(Pod.class).handler(new PodEvents(client, index, batchPeriod)));
    }

    @Override
    public void onEvent(ObjectEvent<? extends Pod> event, RequestSink<Request> sink) {
        Pod pod = event.snapshot().object();
        PodChange change = event instanceof ObjectEvent.Updated<? extends Pod> update
                ? PodChange.between(update.previous().object(), pod)
                : PodChange.between(null, pod);
        if (change.isRelevant()) {
            change.affected(candidates(pod.getMetadata().getNamespace(), change))
                    .forEach(service -> sink.addAfter(Request.of(service), batchPeriod));
        }
    }

    /** The Services whose term is one of the labels that the pod has or had. */
    private Collection<Service> candidates(String namespace, PodChange change) {
        Set<String> terms = new HashSet<>();
        change.after().forEach((name, value) -> terms.add(term(name, value)));
        if (change.before() != null) {
            change.before().forEach((name, value) -> terms.add(term(name, value)));
        }
        List<Service> found = new ArrayList<>(); // a Service has one term at most, so none is found twice
        for (String term : terms) {
            found.addAll(client.list(
                    Kind.of(Service.class), Selection.inNamespace(namespace).withFieldSelector(index + "=" + term)));
        }
        return found;
    }

    /** The first label of the selector. The name of a label contains no colon. */
    private static List<String> term(Service service) {
        return new TreeMap<>(ServicePods.selector(service))
                .entrySet().stream()
                        .limit(1)
                        .map(label -> term(label.getKey(), label.getValue()))
                        .toList();
    }

    private static String term(String name, String value) {
        return name + ":" + value;
    }
}
