package io.github.reconciler4j.controllers.internal.daemonset;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.github.reconciler4j.controllers.internal.revision.Revisions;
import io.github.reconciler4j.controllers.internal.support.Numbers;
import io.github.reconciler4j.controllers.internal.support.Pods;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Plans which pods a DaemonSet creates and deletes so that there is one on each of its nodes, and none elsewhere. During an
 * update with surge, an old pod stays beside a new one until the new one serves. Not thread-safe.
 */
final class NodePlans {

    private final DaemonSet set;
    private final String hash;
    private final FailedPods failedPods;
    private final Instant now;
    private @Nullable Duration delay;

    NodePlans(DaemonSet set, String hash, FailedPods failedPods, Instant now) {
        this.set = set;
        this.hash = hash;
        this.failedPods = failedPods;
        this.now = now;
    }

    DaemonPlan of(Collection<Node> nodes, Map<String, List<Pod>> podsByNode) {
        DaemonPlan plan = new DaemonPlan();
        for (Node node : nodes) {
            plan.add(of(node, podsByNode.get(node.getMetadata().getName())));
        }
        withoutNode(nodes, podsByNode).forEach(plan::delete);
        return plan;
    }

    /** Return the time until a failed pod may be deleted that has to stay for now. */
    Optional<Duration> delay() {
        return Optional.ofNullable(delay);
    }

    /** Pods that wait for a node which is gone would wait for ever. */
    static List<Pod> withoutNode(Collection<Node> nodes, Map<String, List<Pod>> podsByNode) {
        Set<String> names =
                nodes.stream().map(node -> node.getMetadata().getName()).collect(Collectors.toSet());
        return podsByNode.entrySet().stream()
                .filter(entry -> !names.contains(entry.getKey()))
                .flatMap(entry -> entry.getValue().stream())
                .filter(pod -> Pods.node(pod).isEmpty())
                .toList();
    }

    /** Plan one node; {@code pods} is {@code null} if there are none. */
    DaemonPlan of(Node node, @Nullable List<Pod> pods) {
        DaemonPlan plan = new DaemonPlan();
        String name = node.getMetadata().getName();
        NodeFit fit = NodeFit.of(set, node);
        if (pods == null) {
            if (fit.run()) {
                plan.createOn(name);
            }
        } else if (!fit.stay()) {
            pods.stream().filter(pod -> !DaemonPods.isDeleting(pod)).forEach(plan::delete);
        } else {
            List<Pod> running = deleteEnded(plan, name, pods);
            if (!DaemonLimits.allowSurge(set)) {
                running.stream().skip(1).forEach(plan::delete);
            } else if (running.isEmpty() && fit.run()) {
                plan.createOn(name);
            } else if (running.size() > 1) {
                keepOldBesideNew(plan, running);
            }
        }
        return plan;
    }

    /** Return the pods that have not ended, the oldest first. */
    private List<Pod> deleteEnded(DaemonPlan plan, String node, List<Pod> pods) {
        List<Pod> running = new ArrayList<>();
        for (Pod pod : pods) {
            if (DaemonPods.isDeleting(pod)) {
                continue;
            }
            switch (Pods.phase(pod)) {
                case "Failed" ->
                    failedPods.delete(backoffKey(node), now).ifPresentOrElse(this::wait, () -> plan.deleteEnded(pod));
                case "Succeeded" -> plan.deleteEnded(pod);
                default -> running.add(pod);
            }
        }
        running.sort(DaemonPods.OLDEST_FIRST);
        return running;
    }

    private void wait(Duration time) {
        delay = delay == null || time.compareTo(delay) < 0 ? time : delay;
    }

    /** A new generation starts without a delay. */
    private String backoffKey(String node) {
        long generation =
                set.getStatus() == null ? 0 : Numbers.orZero(set.getStatus().getObservedGeneration());
        return set.getMetadata().getUid() + "/" + generation + "/" + node;
    }

    /** Keep the oldest new pod, and the oldest old pod as long as only that one serves. */
    private void keepOldBesideNew(DaemonPlan plan, List<Pod> running) {
        Pod newPod = null;
        Pod oldPod = null;
        for (Pod pod : running) {
            boolean isNew = hash.equals(DaemonPods.labels(pod).get(Revisions.POD_LABEL));
            if (isNew && newPod == null) {
                newPod = pod;
            } else if (!isNew && oldPod == null) {
                oldPod = pod;
            } else {
                plan.delete(pod);
            }
        }
        int minReadySeconds = Numbers.orZero(set.getSpec().getMinReadySeconds());
        if (newPod != null
                && oldPod != null
                && (!Pods.isReady(oldPod) || Pods.isAvailable(newPod, minReadySeconds, now))) {
            plan.delete(oldPod);
        }
    }
}
