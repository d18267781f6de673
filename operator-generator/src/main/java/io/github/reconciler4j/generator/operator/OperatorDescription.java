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
 * @since 0.1.0
 */
public record OperatorDescription(
        OperatorSnapshot snapshot, List<Grant> grants, List<Switch> switches, List<Map<String, Object>> definitions) {

    /** Copies the lists. */
    public OperatorDescription {
        grants = List.copyOf(grants);
        switches = List.copyOf(switches);
        definitions = List.copyOf(definitions);
    }

    /** Return the name of the operator. */
    public String name() {
        return snapshot.name();
    }
}
