package io.github.reconciler4j.controllers.internal.daemonset;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeAffinity;
import io.fabric8.kubernetes.api.model.NodeSelector;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.PodSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongPredicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Says which nodes the template of a pod selects: with its node selector and its required node affinity. */
final class NodeSelection {

    /** The field of nodes that pods of DaemonSets select. */
    static final String NAME_FIELD = "metadata.name";

    private static final Pattern KEY = Pattern.compile("([a-z0-9.-]{1,253}/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?");
    private static final Pattern VALUE = Pattern.compile("([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?");
    private static final int MAX_LABEL = 63;

    private NodeSelection() {}

    static boolean selects(PodSpec spec, Node node) {
        Map<String, String> labels = labels(node);
        Map<String, String> selector = spec.getNodeSelector() == null ? Map.of() : spec.getNodeSelector();
        return selector.entrySet().stream().allMatch(wanted -> wanted.getValue().equals(labels.get(wanted.getKey())))
                && required(spec)
                        .map(terms -> terms.stream().anyMatch(term -> matches(term, node)))
                        .orElse(true);
    }

    /** The terms of which a node has to meet one. */
    static Optional<List<NodeSelectorTerm>> required(PodSpec spec) {
        return Optional.ofNullable(spec.getAffinity())
                .map(Affinity::getNodeAffinity)
                .map(NodeAffinity::getRequiredDuringSchedulingIgnoredDuringExecution)
                .map(NodeSelector::getNodeSelectorTerms);
    }

    private static Map<String, String> labels(Node node) {
        return node.getMetadata().getLabels() == null
                ? Map.of()
                : node.getMetadata().getLabels();
    }

    /** A term without requirements matches no node. */
    private static boolean matches(NodeSelectorTerm term, Node node) {
        if (term.getMatchExpressions().isEmpty() && term.getMatchFields().isEmpty()) {
            return false;
        }
        return term.getMatchExpressions().stream().allMatch(requirement -> matchesLabel(requirement, labels(node)))
                && term.getMatchFields().stream().allMatch(requirement -> matchesName(requirement, node));
    }

    private static boolean matchesName(NodeSelectorRequirement requirement, Node node) {
        if (!NAME_FIELD.equals(requirement.getKey()) || requirement.getValues().size() != 1) {
            return false;
        }
        boolean equal = requirement.getValues().get(0).equals(node.getMetadata().getName());
        return switch (String.valueOf(requirement.getOperator())) {
            case "In" -> equal;
            case "NotIn" -> !equal;
            default -> false;
        };
    }

    private static boolean matchesLabel(NodeSelectorRequirement requirement, Map<String, String> labels) {
        if (!isValid(requirement)) {
            return false;
        }
        List<String> values = requirement.getValues();
        String value = labels.get(requirement.getKey());
        return switch (String.valueOf(requirement.getOperator())) {
            case "In" -> value != null && values.contains(value);
            case "NotIn" -> value == null || !values.contains(value);
            case "Exists" -> value != null;
            case "DoesNotExist" -> value == null;
            case "Gt" -> compares(value, values, difference -> difference > 0);
            case "Lt" -> compares(value, values, difference -> difference < 0);
            default -> false;
        };
    }

    /** A requirement that is not valid is met by no node. */
    private static boolean isValid(NodeSelectorRequirement requirement) {
        String key = requirement.getKey();
        String name = key.substring(key.indexOf('/') + 1);
        boolean fits = switch (String.valueOf(requirement.getOperator())) {
            case "In", "NotIn" -> !requirement.getValues().isEmpty();
            case "Exists", "DoesNotExist" -> requirement.getValues().isEmpty();
            default -> requirement.getValues().size() == 1;
        };
        return fits
                && KEY.matcher(key).matches()
                && name.length() <= MAX_LABEL
                && requirement.getValues().stream()
                        .allMatch(value -> value.length() <= MAX_LABEL
                                && VALUE.matcher(value).matches());
    }

    private static boolean compares(@Nullable String value, List<String> values, LongPredicate difference) {
        try {
            return value != null && difference.test(Long.compare(Long.parseLong(value), Long.parseLong(values.get(0))));
        } catch (NumberFormatException e) {
            return false;
        }
    }
}
