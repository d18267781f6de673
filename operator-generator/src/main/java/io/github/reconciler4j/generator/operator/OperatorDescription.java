package io.github.reconciler4j.generator.operator;

import java.util.List;
import java.util.Map;

/**
 * Everything that output is generated from. Immutable.
 *
 * @param snapshot what the operator declares with all switches on
 * @param grants the rights it needs, sorted
 * @param switches the switches of the chart
 * @param definitions the definitions of its kinds, as trees
 * @param policies its admission policies, as trees
 * @param minKubernetes the lowest version of Kubernetes that it is installed on, such as {@code 1.30}
 * @since 0.1.0
 */
public record OperatorDescription(
        OperatorSnapshot snapshot,
        List<Grant> grants,
        List<Switch> switches,
        List<Map<String, Object>> definitions,
        List<Map<String, Object>> policies,
        String minKubernetes) {

    /** The lowest version of Kubernetes if nothing else is said: the oldest one that is tested. */
    public static final String MIN_KUBERNETES = "1.30";

    /** Copies the lists. */
    public OperatorDescription {
        grants = List.copyOf(grants);
        switches = List.copyOf(switches);
        definitions = List.copyOf(definitions);
        policies = List.copyOf(policies);
    }

    /** Create a description for {@link #MIN_KUBERNETES}. */
    public OperatorDescription(
            OperatorSnapshot snapshot,
            List<Grant> grants,
            List<Switch> switches,
            List<Map<String, Object>> definitions,
            List<Map<String, Object>> policies) {
        this(snapshot, grants, switches, definitions, policies, MIN_KUBERNETES);
    }

    /** Create a description without policies. */
    public OperatorDescription(
            OperatorSnapshot snapshot,
            List<Grant> grants,
            List<Switch> switches,
            List<Map<String, Object>> definitions) {
        this(snapshot, grants, switches, definitions, List.of());
    }

    /** Return a copy of this description with the given policies. */
    public OperatorDescription withPolicies(List<Map<String, Object>> policies) {
        return new OperatorDescription(snapshot, grants, switches, definitions, policies, minKubernetes);
    }

    /** Return a copy of this description with the given lowest version of Kubernetes. */
    public OperatorDescription withMinKubernetes(String minKubernetes) {
        return new OperatorDescription(snapshot, grants, switches, definitions, policies, minKubernetes);
    }

    /** Return the name of the operator. */
    public String name() {
        return snapshot.name();
    }
}
