package io.github.reconciler4j.controllers.internal.endpointslice;

import io.fabric8.kubernetes.api.model.Node;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.handler.EventHandler;
import io.github.reconciler4j.handler.RequestSink;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.Objects;

/** Enqueues Services with hints when nodes come, go, become ready or unready, or move to another zone. */
final class NodeEvents implements EventHandler<Node, Request> {

    private final TopologyHints topology;

    NodeEvents(TopologyHints topology) {
        this.topology = topology;
    }

    @Override
    public void onEvent(ObjectEvent<? extends Node> event, RequestSink<Request> sink) {
        if (event instanceof ObjectEvent.Updated<? extends Node> update && !isRelevant(update)) {
            return;
        }
        topology.nodesChanged();
        for (String service : topology.overloaded()) {
            int slash = service.indexOf('/');
            sink.add(Request.of(ObjectKey.of(service.substring(0, slash), service.substring(slash + 1))));
        }
    }

    private static boolean isRelevant(ObjectEvent.Updated<? extends Node> update) {
        return !Objects.equals(
                        update.previous().header().labels().get(SliceEndpoints.ZONE),
                        update.snapshot().header().labels().get(SliceEndpoints.ZONE))
                || TopologyHints.isReady(update.previous().object())
                        != TopologyHints.isReady(update.snapshot().object());
    }
}
