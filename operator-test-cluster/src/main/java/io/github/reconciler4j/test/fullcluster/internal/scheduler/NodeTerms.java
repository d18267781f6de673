package io.github.reconciler4j.test.fullcluster.internal.scheduler;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeSelector;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Whether the node selector and the required node affinity of a pod fit a node. Stateless. */
final class NodeTerms {

    private NodeTerms() {}

    /** Return whether the pod may run on the node as far as labels and the name of the node decide. */
    static boolean match(Pod pod, Node node) {
        Map<String, String> labels = labels(node);
        Map<String, String> selector = pod.getSpec().getNodeSelector();
        if (selector != null && !labels.entrySet().containsAll(selector.entrySet())) {
            return false;
        }
        NodeSelector required = required(pod);
        return required == null
                || required.getNodeSelectorTerms().stream().anyMatch(term -> matches(term, node, labels));
    }

    private static Map<String, String> labels(Node node) {
        Map<String, String> labels = node.getMetadata().getLabels();
        return labels == null ? Map.of() : labels;
    }

    private static @Nullable NodeSelector required(Pod pod) {
        return pod.getSpec().getAffinity() == null
                        || pod.getSpec().getAffinity().getNodeAffinity() == null
                ? null
                : pod.getSpec().getAffinity().getNodeAffinity().getRequiredDuringSchedulingIgnoredDuringExecution();
    }

    /** A term without requirements matches no node. */
    private static boolean matches(NodeSelectorTerm term, Node node, Map<String, String> labels) {
        List<NodeSelectorRequirement> expressions = term.getMatchExpressions();
        List<NodeSelectorRequirement> fields = term.getMatchFields();
        Map<String, String> fieldValues =
                Map.of("metadata.name", node.getMetadata().getName());
        return !(expressions.isEmpty() && fields.isEmpty())
                && expressions.stream().allMatch(one -> matches(one, labels))
                && fields.stream().allMatch(one -> matches(one, fieldValues));
    }

    private static boolean matches(NodeSelectorRequirement requirement, Map<String, String> values) {
        String value = values.get(requirement.getKey());
        List<String> wanted = requirement.getValues();
        return switch (requirement.getOperator()) {
            case "In" -> value != null && wanted.contains(value);
            case "NotIn" -> value == null || !wanted.contains(value);
            case "Exists" -> value != null;
            case "DoesNotExist" -> value == null;
            case "Gt" -> compare(value, wanted) > 0;
            case "Lt" -> compare(value, wanted) < 0;
            default -> false;
        };
    }

    /** Compare two numbers; 0 if one of them is no number. */
    private static int compare(@Nullable String value, List<String> wanted) {
        try {
            return value == null || wanted.size() != 1
                    ? 0
                    : Long.compare(Long.parseLong(value), Long.parseLong(wanted.get(0)));
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
