package io.github.reconciler4j.sample.controllers.services;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.handler.EventHandler;
import io.github.reconciler4j.handler.RequestSink;
import io.github.reconciler4j.reconcile.Request;
import java.time.Duration;

/**
 * Enqueues the Services that a change of a pod concerns, after a time in which further changes are collected.
 *
 * @since 0.1.0
 */
public final class PodEvents implements EventHandler<Pod, Request> {

    private final Client client;
    private final Duration batchPeriod;

    /** Create one that reads Services with this client. */
    public PodEvents(Client client, Duration batchPeriod) {
        this.client = client;
        this.batchPeriod = batchPeriod;
    }

    @Override
    public void onEvent(ObjectEvent<? extends Pod> event, RequestSink<Request> sink) {
        Pod pod = event.snapshot().object();
        PodChange change = event instanceof ObjectEvent.Updated<? extends Pod> update
                ? PodChange.between(update.previous().object(), pod)
                : PodChange.between(null, pod);
        if (change.isRelevant()) {
            change.affected(client.list(Service.class, pod.getMetadata().getNamespace()))
                    .forEach(service -> sink.addAfter(Request.of(service), batchPeriod));
        }
    }
}
