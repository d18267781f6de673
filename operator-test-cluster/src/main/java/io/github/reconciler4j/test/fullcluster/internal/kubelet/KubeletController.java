package io.github.reconciler4j.test.fullcluster.internal.kubelet;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.github.reconciler4j.builder.AbstractControllerBuilder;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.cache.Informer;
import io.github.reconciler4j.event.ObjectSnapshot;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.test.PodLogs;
import io.github.reconciler4j.test.fullcluster.internal.support.ClusterEvents;
import java.time.Clock;
import java.util.List;
import java.util.stream.Stream;

/** Declares the controller that lets pods run. */
public final class KubeletController {

    /** The name of the controller. */
    public static final String NAME = "kubelet";

    private static final int WORKERS = 4;

    private KubeletController() {}

    /** Return a builder of the controller for a manager. */
    public static AbstractControllerBuilder<?, ?> builder(
            Manager manager, Fates fates, ClusterEvents events, Clock clock, RestartBackoff backoff) {
        Informer<Pod> pods = manager.cache().informer(Pod.class);
        return ControllerBuilder.of(Pod.class)
                .named(NAME)
                .watches(Node.class, node -> of(node, pods))
                .source(fates.changes())
                .customizeOptions(options -> options.withMaxConcurrentReconciles(WORKERS))
                .requestReconciler(new KubeletReconciler(manager.client(), fates, events, clock, backoff));
    }

    private static List<Request> of(Node node, Informer<Pod> pods) {
        return pods.list("").stream()
                .map(ObjectSnapshot::object)
                .filter(pod -> node.getMetadata().getName().equals(pod.getSpec().getNodeName()))
                .map(Request::of)
                .toList();
    }

    /** Return the logs of all containers, as a test wants them. */
    public static PodLogs logs(Manager manager, Fates fates) {
        Informer<Pod> pods = manager.cache().informer(Pod.class);
        return (namespace, name, container) -> pods.get(ObjectKey.of(namespace, name)).stream()
                .map(ObjectSnapshot::object)
                .flatMap(pod -> Stream.concat(
                        places(pod, pod.getSpec().getInitContainers(), true),
                        places(pod, pod.getSpec().getContainers(), false)))
                .filter(place -> place.name().equals(container))
                .map(fates::log)
                .findFirst()
                .orElse("");
    }

    private static Stream<ContainerPlace> places(Pod pod, List<Container> containers, boolean isInit) {
        return containers.stream().map(container -> new ContainerPlace(pod, container, isInit));
    }
}
