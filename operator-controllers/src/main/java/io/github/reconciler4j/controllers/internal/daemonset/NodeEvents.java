package io.github.reconciler4j.controllers.internal.daemonset;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.OwnerReferences;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.controllers.internal.support.Numbers;
import io.github.reconciler4j.controllers.internal.support.Pods;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.handler.EventHandler;
import io.github.reconciler4j.handler.RequestSink;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.scheme.Kind;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Reconciles the DaemonSets that a new node, or other labels and taints of a node, concern. */
final class NodeEvents implements EventHandler<Node, Request> {

    /** The index of daemon pods by their nodes. */
    static final String INDEX = "daemonset-node";

    private final Client client;

    NodeEvents(Client client) {
        this.client = client;
    }

    /** The terms of a pod in the index. */
    static List<String> terms(Pod pod) {
        return daemonSet(pod).isPresent() ? List.of(Pods.node(pod)) : List.of();
    }

    private static Optional<String> daemonSet(Pod pod) {
        return OwnerReferences.controllerOf(pod)
                .filter(owner -> owner.getKind().equals("DaemonSet"))
                .map(OwnerReference::getUid);
    }

    @Override
    public void onEvent(ObjectEvent<? extends Node> event, RequestSink<Request> sink) {
        Node node = event.snapshot().object();
        boolean concerns = event instanceof ObjectEvent.Created<?>
                || (event instanceof ObjectEvent.Updated<? extends Node> update
                        && isChanged(update.previous().object(), node));
        if (concerns) {
            Set<String> present = client
                    .list(
                            Kind.of(Pod.class),
                            Selection.all()
                                    .withFieldSelector(
                                            INDEX + "=" + node.getMetadata().getName()))
                    .stream()
                    .flatMap(pod -> daemonSet(pod).stream())
                    .collect(Collectors.toSet());
            client.list(DaemonSet.class).stream()
                    .filter(set -> concerns(
                            set, node, present.contains(set.getMetadata().getUid())))
                    .forEach(set -> sink.add(Request.of(set)));
        }
    }

    private static boolean isChanged(Node before, Node after) {
        return !before.getMetadata().getLabels().equals(after.getMetadata().getLabels())
                || !taints(before).equals(taints(after));
    }

    private static List<Taint> taints(Node node) {
        return node.getSpec() == null ? List.of() : node.getSpec().getTaints();
    }

    /** Return whether a pod is missing or in the wrong place, or may be in the right place again. */
    static boolean concerns(DaemonSet set, Node node, boolean hasPod) {
        NodeFit fit = NodeFit.of(set, node);
        return hasPod
                ? !fit.stay() || Numbers.orZero(DaemonSetStatuses.current(set).getNumberMisscheduled()) > 0
                : fit.run();
    }
}
