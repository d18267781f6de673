package io.github.reconciler4j.test.fullcluster.internal.scheduler;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Taint;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The decision about one pod.
 *
 * @param node the node for it, empty if it fits none
 * @param message why it fits none, as kube-scheduler says it; empty if it fits one
 * @param isFull whether a node would fit that has its maximum of pods, so that the end of another pod helps
 */
record Placement(String node, String message, boolean isFull) {

    private static final String FULL = "Too many pods";
    private static final String UNSCHEDULABLE = "node(s) were unschedulable";
    private static final String TAINTED = "node(s) had untolerated taint(s)";
    private static final String MISMATCH = "node(s) didn't match Pod's node affinity/selector";
    private static final Taint CORDON = new Taint("NoSchedule", "node.kubernetes.io/unschedulable", null, null);
    private static final int DEFAULT_PODS = 110;

    /**
     * Choose the node with the fewest pods among those that a pod fits.
     *
     * @param podsByNode the number of pods of each node that has some
     */
    static Placement of(Pod pod, Collection<Node> nodes, Map<String, Integer> podsByNode) {
        if (nodes.isEmpty()) {
            return new Placement("", "no nodes available to schedule pods", false);
        }
        Map<String, Integer> reasons = new TreeMap<>();
        @Nullable String chosen = null;
        for (Node node : nodes.stream()
                .sorted(Comparator.comparing((Node one) -> pods(one, podsByNode))
                        .thenComparing(one -> one.getMetadata().getName()))
                .toList()) {
            String reason = reason(pod, node, podsByNode);
            if (reason.isEmpty()) {
                chosen = node.getMetadata().getName();
                break;
            }
            reasons.merge(reason, 1, Integer::sum);
        }
        return chosen == null
                ? new Placement("", message(nodes.size(), reasons), reasons.containsKey(FULL))
                : new Placement(chosen, "", false);
    }

    /** Return that a pod fits none of several nodes, for a reason that is not a node's. */
    static Placement none(int nodes, String reason) {
        String available = "0/" + nodes + " nodes are available: ";
        return new Placement(
                "",
                available + reason + ". preemption: " + available + nodes
                        + " Preemption is not helpful for scheduling.",
                false);
    }

    private static int pods(Node node, Map<String, Integer> podsByNode) {
        return podsByNode.getOrDefault(node.getMetadata().getName(), 0);
    }

    /** Return why a pod cannot run on a node, in the order in which kube-scheduler asks; empty if it can. */
    private static String reason(Pod pod, Node node, Map<String, Integer> podsByNode) {
        boolean cordoned =
                node.getSpec() != null && Boolean.TRUE.equals(node.getSpec().getUnschedulable());
        if (cordoned && !Tolerations.tolerates(pod.getSpec().getTolerations(), CORDON)) {
            return UNSCHEDULABLE;
        }
        List<Taint> taints = node.getSpec() == null ? List.of() : node.getSpec().getTaints();
        if (!Tolerations.admit(taints, pod.getSpec().getTolerations())) {
            return TAINTED;
        }
        if (!NodeTerms.match(pod, node)) {
            return MISMATCH;
        }
        return pods(node, podsByNode) >= capacity(node) ? FULL : "";
    }

    private static int capacity(Node node) {
        Quantity pods = node.getStatus() == null || node.getStatus().getAllocatable() == null
                ? null
                : node.getStatus().getAllocatable().get("pods");
        return pods == null ? DEFAULT_PODS : pods.getNumericalAmount().intValue();
    }

    /** The end of other pods helps only where a node is full; there are no priorities that could end one. */
    private static String message(int nodes, Map<String, Integer> reasons) {
        int full = reasons.getOrDefault(FULL, 0);
        String preemption = IntStream.of(full)
                .filter(number -> number > 0)
                .mapToObj(number -> number + " No preemption victims found for incoming pod")
                .collect(Collectors.joining());
        int others = nodes - full;
        String useless = others > 0 ? others + " Preemption is not helpful for scheduling" : "";
        String separator = preemption.isEmpty() || useless.isEmpty() ? "" : ", ";
        return "0/" + nodes + " nodes are available: "
                + reasons.entrySet().stream()
                        .map(reason -> reason.getValue() + " " + reason.getKey())
                        .sorted()
                        .collect(Collectors.joining(", "))
                + ". preemption: 0/" + nodes + " nodes are available: " + preemption + separator + useless + ".";
    }
}
