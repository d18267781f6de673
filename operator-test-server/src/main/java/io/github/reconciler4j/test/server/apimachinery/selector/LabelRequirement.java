package io.github.reconciler4j.test.server.apimachinery.selector;

import io.github.reconciler4j.test.server.apimachinery.FieldError;
import io.github.reconciler4j.test.server.apimachinery.Names;
import io.github.reconciler4j.test.server.apimachinery.StatusException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.function.Predicate;

/** One condition on a label. Immutable. */
record LabelRequirement(String key, Operator operator, List<String> values) implements Predicate<Map<String, String>> {

    /** How the label and the values are compared. */
    enum Operator {
        EQUALS("="),
        DOUBLE_EQUALS("=="),
        NOT_EQUALS("!="),
        IN("in"),
        NOT_IN("notin"),
        EXISTS("exists"),
        DOES_NOT_EXIST("!"),
        GREATER_THAN("gt"),
        LESS_THAN("lt");

        final String text;

        Operator(String text) {
            this.text = text;
        }
    }

    /**
     * Checks and makes a requirement.
     *
     * @throws StatusException 400 if key, operator and values do not fit together
     */
    static LabelRequirement of(String key, Operator operator, Collection<String> values) {
        List<FieldError> errors = new ArrayList<>();
        List<String> keyErrors = Names.labelKey(key);
        if (!keyErrors.isEmpty()) {
            errors.add(FieldError.invalid("key", key, String.join("; ", keyErrors)));
        }
        List<String> list = List.copyOf(values);
        checkCount(operator, list, errors);
        for (int i = 0; i < list.size(); i++) {
            List<String> valueErrors = Names.labelValue(list.get(i));
            if (!valueErrors.isEmpty()) {
                String path = "values[" + i + "][" + key + "]";
                errors.add(FieldError.invalid(path, list.get(i), String.join("; ", valueErrors)));
            }
        }
        if (!errors.isEmpty()) {
            throw StatusException.badRequest(FieldError.join(errors));
        }
        return new LabelRequirement(key, operator, list);
    }

    private static void checkCount(Operator operator, List<String> values, List<FieldError> errors) {
        switch (operator) {
            case IN, NOT_IN -> {
                if (values.isEmpty()) {
                    errors.add(invalidValues("[]", "for 'in', 'notin' operators, values set can't be empty"));
                }
            }
            case EXISTS, DOES_NOT_EXIST -> {
                if (!values.isEmpty()) {
                    String spelled = "[\"" + String.join("\",\"", values) + "\"]";
                    errors.add(invalidValues(spelled, "values set must be empty for exists and does not exist"));
                }
            }
            case GREATER_THAN, LESS_THAN -> {
                for (int i = 0; i < values.size(); i++) {
                    if (integer(values.get(i)).isEmpty()) {
                        String detail = "for 'Gt', 'Lt' operators, the value must be an integer";
                        errors.add(FieldError.invalid("values[" + i + "]", values.get(i), detail));
                    }
                }
            }
            default -> {
                // an exact match always comes with one value
            }
        }
    }

    private static FieldError invalidValues(String values, String detail) {
        return new FieldError("values", "FieldValueInvalid", "Invalid value: " + values + ": " + detail);
    }

    /** Returns the requirements in order of their keys. */
    static List<LabelRequirement> sorted(List<LabelRequirement> requirements) {
        List<LabelRequirement> sorted = new ArrayList<>(requirements);
        sorted.sort(Comparator.comparing(LabelRequirement::key));
        return List.copyOf(sorted);
    }

    @Override
    public boolean test(Map<String, String> labels) {
        String value = labels.get(key);
        return switch (operator) {
            case EQUALS, DOUBLE_EQUALS, IN -> value != null && values.contains(value);
            case NOT_EQUALS, NOT_IN -> value == null || !values.contains(value);
            case EXISTS -> value != null;
            case DOES_NOT_EXIST -> value == null;
            case GREATER_THAN -> value != null && compares(value, 1);
            case LESS_THAN -> value != null && compares(value, -1);
        };
    }

    private boolean compares(String value, int sign) {
        OptionalLong left = integer(value);
        OptionalLong right = integer(values.get(0));
        return left.isPresent() && right.isPresent() && Long.compare(left.getAsLong(), right.getAsLong()) == sign;
    }

    private static OptionalLong integer(String text) {
        try {
            return OptionalLong.of(Long.parseLong(text));
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    @Override
    public String toString() {
        String list = String.join(",", new TreeSet<>(values));
        return switch (operator) {
            case EQUALS, DOUBLE_EQUALS, NOT_EQUALS -> key + operator.text + list;
            case IN, NOT_IN -> key + " " + operator.text + " (" + list + ")";
            case EXISTS -> key;
            case DOES_NOT_EXIST -> "!" + key;
            case GREATER_THAN -> key + ">" + list;
            case LESS_THAN -> key + "<" + list;
        };
    }
}
