package io.github.reconciler4j.test.server.apimachinery.selector;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.server.apimachinery.FieldError;
import io.github.reconciler4j.test.server.apimachinery.StatusException;
import io.github.reconciler4j.test.server.apimachinery.Trees;
import io.github.reconciler4j.test.server.apimachinery.selector.LabelRequirement.Operator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Makes predicates from selectors. Safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class Selectors {

    private static final Map<String, Operator> OPERATORS = Map.of(
            "In", Operator.IN,
            "NotIn", Operator.NOT_IN,
            "Exists", Operator.EXISTS,
            "DoesNotExist", Operator.DOES_NOT_EXIST);

    private Selectors() {}

    /**
     * Reads a label selector such as {@code app in (web, api), tier!=cache, !canary}. An empty one matches everything.
     *
     * @return a predicate over labels; its {@code toString} is the selector in the server's spelling
     * @throws StatusException 400 with the server's message if it cannot be parsed
     */
    public static Predicate<Map<String, String>> parseLabels(String selector) {
        int end = selector.indexOf('\0');
        return new LabelConditions(new LabelSelectorParser(end < 0 ? selector : selector.substring(0, end)).parse());
    }

    /**
     * Reads a field selector such as {@code metadata.name=web,status.phase!=Running}. Which fields a resource can be
     * selected by is not its business; {@link FieldSelector#fields} tells which are asked for.
     *
     * @throws StatusException 400 with the server's message if it cannot be parsed
     */
    public static FieldSelector parseFields(String selector) {
        return FieldSelector.parse(selector);
    }

    /**
     * Reads a {@code LabelSelector} object ({@code matchLabels}, {@code matchExpressions}). An absent one (null or
     * missing node) matches nothing, an empty one everything.
     *
     * @throws StatusException 400 if it is invalid
     */
    public static Predicate<Map<String, String>> fromObject(JsonNode selector) {
        if (!Trees.isPresent(selector)) {
            return labels -> false;
        }
        List<LabelRequirement> requirements = new ArrayList<>();
        selector.path("matchLabels")
                .properties()
                .forEach(label -> requirements.add(LabelRequirement.of(
                        label.getKey(),
                        Operator.EQUALS,
                        List.of(label.getValue().asText()))));
        selector.path("matchExpressions").forEach(expression -> requirements.add(requirement(expression)));
        return new LabelConditions(requirements);
    }

    private static LabelRequirement requirement(JsonNode expression) {
        String name = expression.path("operator").asText();
        Operator operator = Optional.ofNullable(OPERATORS.get(name))
                .orElseThrow(() -> StatusException.badRequest(
                        FieldError.quoted(name) + " is not a valid label selector operator"));
        List<String> values = new ArrayList<>();
        expression.path("values").forEach(value -> values.add(value.asText()));
        return LabelRequirement.of(expression.path("key").asText(), operator, values);
    }

    /** All of the requirements of a selector, in order of their keys. */
    private record LabelConditions(List<LabelRequirement> requirements) implements Predicate<Map<String, String>> {

        LabelConditions(List<LabelRequirement> requirements) {
            this.requirements = LabelRequirement.sorted(requirements);
        }

        @Override
        public boolean test(Map<String, String> labels) {
            return requirements.stream().allMatch(requirement -> requirement.test(labels));
        }

        @Override
        public String toString() {
            return requirements.stream().map(LabelRequirement::toString).collect(Collectors.joining(","));
        }
    }
}
