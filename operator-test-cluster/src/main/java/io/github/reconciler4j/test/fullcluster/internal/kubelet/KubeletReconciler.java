package io.github.reconciler4j.test.fullcluster.internal.kubelet;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeAddress;
import io.fabric8.kubernetes.api.model.Pod;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.test.fullcluster.internal.support.ClusterEvents;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Lets the pods of all nodes run and end. Safe for use by many threads. */
final class KubeletReconciler implements RequestReconciler<Request> {

    private static final String UNKNOWN_ADDRESS = "10.0.0.254";

    private final Client client;
    private final Fates fates;
    private final ClusterEvents events;
    private final Clock clock;
    private final PodLife life;
    private final PodAddresses addresses = new PodAddresses();
    /** The uids of deleted pods whose containers still run. */
    private final Set<String> killing = ConcurrentHashMap.newKeySet();

    KubeletReconciler(Client client, Fates fates, ClusterEvents events, Clock clock, RestartBackoff backoff) {
        this.client = client;
        this.fates = fates;
        this.events = events;
        this.clock = clock;
        life = new PodLife(backoff);
    }

    @Override
    public Result reconcile(Request request, ReconcileContext context) {
        Pod pod = client.get(Pod.class, request.key()).orElse(null);
        if (pod == null) {
            forget(request.key());
            return Result.done();
        }
        String nodeName = Objects.requireNonNullElse(pod.getSpec().getNodeName(), "");
        Node node = nodeName.isEmpty()
                ? null
                : client.get(Node.class, ObjectKey.of("", nodeName)).orElse(null);
        if (node == null) {
            return Result.done(); // the kubelet of a node that is gone does nothing
        }
        fates.arrived(pod);
        return run(pod, node);
    }

    private Result run(Pod pod, Node node) {
        Integer exitCode = fates.exitCode(pod);
        PodLife.Step step = life.next(
                pod,
                new PodLife.Surroundings(
                        fates::behavior,
                        exitCode,
                        address(node),
                        () -> addresses.next(node.getMetadata().getName()),
                        killing.contains(pod.getMetadata().getUid()),
                        clock.instant()));
        try {
            client.status().edit(pod, changed -> changed.setStatus(step.status()));
        } catch (NotFoundException e) {
            return Result.done();
        }
        if (exitCode != null && step.hasEndedContainers()) {
            fates.hasEnded(pod, exitCode);
        }
        step.events().forEach(event -> events.node(pod, event.field(), event.type(), event.reason(), event.message()));
        if (pod.getMetadata().getDeletionTimestamp() != null) {
            killing.add(pod.getMetadata().getUid());
        }
        if (step.isGone() && !isReleased(pod)) {
            remove(pod);
        }
        Duration again = step.again();
        return again == null ? Result.done() : Result.requeueAfter(again);
    }

    /** Return whether the pod was removed from the node before, and waits for finalizers. */
    private static boolean isReleased(Pod pod) {
        Long period = pod.getMetadata().getDeletionGracePeriodSeconds();
        return period != null && period == 0;
    }

    private void remove(Pod pod) {
        try {
            client.delete(
                    pod,
                    DeletionOptions.defaults()
                            .withUid(pod.getMetadata().getUid())
                            .withGracePeriod(Duration.ZERO));
        } catch (ConflictException | NotFoundException e) {
            // It is gone, and another one may have its name.
        }
    }

    private void forget(ObjectKey pod) {
        String uid = fates.left(pod);
        if (uid != null) {
            killing.remove(uid);
            events.forget(uid);
        }
    }

    private static String address(Node node) {
        return node.getStatus() == null
                ? UNKNOWN_ADDRESS
                : node.getStatus().getAddresses().stream()
                        .filter(address -> "InternalIP".equals(address.getType()))
                        .map(NodeAddress::getAddress)
                        .findFirst()
                        .orElse(UNKNOWN_ADDRESS);
    }
}
