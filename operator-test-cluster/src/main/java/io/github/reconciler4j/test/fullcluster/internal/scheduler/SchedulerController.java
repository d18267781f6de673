package io.github.reconciler4j.test.fullcluster.internal.scheduler;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.github.reconciler4j.builder.AbstractControllerBuilder;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.cache.Informer;
import io.github.reconciler4j.event.ObjectSnapshot;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.test.fullcluster.internal.support.ClusterEvents;
import io.github.reconciler4j.test.fullcluster.internal.volumes.PodClaims;
import java.time.Clock;
import java.util.List;

/** Declares the controller that assigns pods to nodes. */
public final class SchedulerController {

    /** The name of the controller. */
    public static final String NAME = "scheduler";

    private SchedulerController() {}

    /**
     * Return a builder of the controller for a manager.
     *
     * @param binds whether something binds claims, so that pods wait for theirs
     */
    public static AbstractControllerBuilder<?, ?> builder(
            Manager manager, ClusterEvents events, Clock clock, boolean binds) {
        Informer<Pod> pods = manager.cache().informer(Pod.class);
        Informer<Node> nodes = manager.cache().informer(Node.class);
        PodClaims claims = binds ? new PodClaims(manager.client()) : null;
        ControllerBuilder<Pod> builder = ControllerBuilder.of(Pod.class)
                .named(NAME)
                .watches(Node.class, node -> waiting(pods))
                .reconciler(new SchedulerReconciler(manager.client(), pods, nodes, claims, events, clock));
        return binds
                ? builder.watches(
                        PersistentVolumeClaim.class,
                        claim -> waiting(pods)) // few pods wait, and most of them for a claim
                : builder;
    }

    /** A node or a claim that is new or has changed may fit all pods that have no node. */
    private static List<Request> waiting(Informer<Pod> pods) {
        return pods.list("").stream()
                .map(ObjectSnapshot::object)
                .filter(Schedulable::isWaiting)
                .map(Request::of)
                .toList();
    }
}
