package io.github.reconciler4j.controllers.internal.daemonset;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.github.reconciler4j.controllers.internal.support.Numbers;
import io.github.reconciler4j.controllers.internal.support.Pods;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Plans the next part of a rolling update. Without surge, old pods are deleted, and the nodes then get new ones. With surge,
 * nodes get new pods, and old ones are deleted when the new ones serve. Old pods that do not serve are replaced at once.
 */
final class DaemonUpdate {

    /**
     * The pods of a node that are not being deleted.
     *
     * @param updated {@code null} if it does not exist
     * @param old {@code null} if it does not exist
     * @param surplus whether there is more than one of either, which has to go first
     */
    record NodePods(@Nullable Pod updated, @Nullable Pod old, boolean surplus) {

        static NodePods of(DaemonSet set, List<Pod> pods, String hash) {
            Pod updated = null;
            Pod old = null;
            for (Pod pod : pods) {
                if (DaemonPods.isDeleting(pod)) {
                    continue;
                }
                boolean isUpdated = DaemonPods.isUpdated(set, pod, hash);
                if ((isUpdated ? updated : old) != null) {
                    return new NodePods(null, null, true);
                }
                updated = isUpdated ? pod : updated;
                old = isUpdated ? old : pod;
            }
            return new NodePods(updated, old, false);
        }
    }

    private final DaemonSet set;
    private final String hash;
    private final Instant now;
    private final Map<String, NodeFit> fits = new TreeMap<>();
    private final Map<String, NodePods> pods = new TreeMap<>();
    private final int desired;

    DaemonUpdate(DaemonSet set, String hash, Collection<Node> nodes, Map<String, List<Pod>> podsByNode, Instant now) {
        this.set = set;
        this.hash = hash;
        this.now = now;
        podsByNode.forEach((node, list) -> pods.put(node, NodePods.of(set, list, hash)));
        for (Node node : nodes) {
            String name = node.getMetadata().getName();
            NodeFit fit = NodeFit.of(set, node);
            fits.put(name, fit);
            if (fit.run()) {
                pods.putIfAbsent(name, new NodePods(null, null, false));
            }
        }
        this.desired = (int) fits.values().stream().filter(NodeFit::run).count();
    }

    DaemonPlan plan() {
        DaemonLimits limits = DaemonLimits.of(set, desired);
        return limits.maxSurge() == 0 ? replace(limits.maxUnavailable()) : surge(limits.maxSurge());
    }

    private DaemonPlan replace(int maxUnavailable) {
        DaemonPlan plan = new DaemonPlan();
        List<Pod> candidates = new ArrayList<>();
        int unavailable = 0;
        for (NodePods node : pods.values()) {
            Pod old = node.old();
            if (old == null || node.updated() != null) { // on surplus pods and on both, NodePlans decides
                unavailable += isAvailable(node.updated()) && old == null ? 0 : 1;
            } else if (isAvailable(old)) {
                candidates.add(old);
            } else {
                plan.delete(old);
                unavailable++;
            }
        }
        candidates.stream().limit(Math.max(0, maxUnavailable - unavailable)).forEach(plan::delete);
        return plan;
    }

    private DaemonPlan surge(int maxSurge) {
        DaemonPlan plan = new DaemonPlan();
        List<String> candidates = new ArrayList<>();
        List<Pod> misplaced = new ArrayList<>();
        int surging = 0;
        int available = 0;
        for (Map.Entry<String, NodePods> entry : pods.entrySet()) {
            Pod old = entry.getValue().old();
            Pod updated = entry.getValue().updated();
            if (entry.getValue().surplus()) {
                surging++;
                continue;
            }
            available += isAvailable(old != null ? old : updated) ? 1 : 0;
            if (old == null) {
                continue; // NodePlans creates what is missing
            }
            if (updated != null) {
                if (isAvailable(updated)) {
                    plan.delete(old);
                } else {
                    surging++;
                }
            } else if (!mayRunOn(entry.getKey())) {
                if (isAvailable(old)) {
                    misplaced.add(old);
                } else {
                    plan.delete(old);
                }
            } else if (isAvailable(old)) {
                candidates.add(entry.getKey());
            } else {
                plan.createOn(entry.getKey());
            }
        }
        // A pod on a node that no longer fits serves until there are enough others.
        misplaced.stream().limit(Math.max(0, available - desired)).forEach(plan::delete);
        candidates.stream().limit(Math.max(0, maxSurge - surging)).forEach(plan::createOn);
        return plan;
    }

    private boolean mayRunOn(String node) {
        NodeFit fit = fits.get(node);
        if (fit == null) {
            throw new IllegalStateException("There is no node " + node + " any more, but a pod of it");
        }
        return fit.run();
    }

    private boolean isAvailable(@Nullable Pod pod) {
        return pod != null && Pods.isAvailable(pod, Numbers.orZero(set.getSpec().getMinReadySeconds()), now);
    }
}
