package io.github.reconciler4j.scheme;

import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Selects objects by their labels, in the syntax of {@code kubectl -l}: {@code app=web}, {@code app!=web},
 * {@code app in (web, api)}, {@code app notin (web)}, {@code app}, {@code !app}, {@code weight>3}. Several requirements are
 * separated by commas and must all match. As on the API server, {@code !=} and {@code notin} match objects without the label.
 *
 * <p>Immutable.
 *
 * <!-- snippet: KindUse -->
 * <pre>{@code
 * LabelMatcher frontends = LabelMatcher.parse("app in (web, api), !legacy");
 * return frontends.matches(header.labels()) && LabelMatcher.of(selector).matches(header.labels());
 * }</pre>
 *
 * @since 0.1.0
 */
public final class LabelMatcher {

    private static final LabelMatcher EVERYTHING = new LabelMatcher("", List.of());

    /** Key, operator and the rest of one requirement; the rest is read by {@link #requirement}. */
    private static final Pattern COMPARISON =
            Pattern.compile("(?<key>[^\\s!=<>(),]+)\\s*(?<operator>==|=|!=|>|<)\\s*(?<value>[^\\s!=<>(),]*)");

    private static final Pattern MEMBERSHIP = Pattern.compile("(?<key>[^\\s!=<>(),]+)\\s+(?<operator>in|notin)\\s*"
            + "\\((?<values>\\s*(?:[^\\s!=<>(),]+\\s*)?(?:,\\s*(?:[^\\s!=<>(),]+\\s*)?)*)\\)");

    private static final Pattern EXISTENCE = Pattern.compile("(?<not>!?)\\s*(?<key>[^\\s!=<>(),]+)");

    private final String text;
    private final List<Requirement> requirements;

    private LabelMatcher(String text, List<Requirement> requirements) {
        this.text = text;
        this.requirements = requirements;
    }

    /** Return the selector of all objects. */
    public static LabelMatcher everything() {
        return EVERYTHING;
    }

    /**
     * Return the selector that a text describes; a blank text selects all objects.
     *
     * @throws IllegalArgumentException if the text is not a selector; the message quotes the part that is wrong
     */
    public static LabelMatcher parse(String text) {
        if (text.isBlank()) {
            return EVERYTHING;
        }
        List<Requirement> requirements = new ArrayList<>();
        for (String part : parts(text)) {
            requirements.add(requirement(part.trim(), text));
        }
        return new LabelMatcher(text.trim(), List.copyOf(requirements));
    }

    /**
     * Return the selector that an object has in its spec, for instance a Deployment or a PodDisruptionBudget. Without any
     * requirement it selects everything.
     *
     * @throws IllegalArgumentException if an expression has an unknown operator, or no values where it needs some; the
     *     message quotes it
     */
    public static LabelMatcher of(io.fabric8.kubernetes.api.model.LabelSelector selector) {
        List<Requirement> requirements = new ArrayList<>();
        if (selector.getMatchLabels() != null) {
            selector.getMatchLabels()
                    .forEach((key, value) -> requirements.add(new Requirement(key, Operator.IN, Set.of(value), 0)));
        }
        for (LabelSelectorRequirement expression : selector.getMatchExpressions()) {
            requirements.add(requirement(expression));
        }
        if (requirements.isEmpty()) {
            return EVERYTHING;
        }
        StringJoiner text = new StringJoiner(",");
        requirements.forEach(requirement -> text.add(requirement.text()));
        return new LabelMatcher(text.toString(), List.copyOf(requirements));
    }

    private static Requirement requirement(LabelSelectorRequirement expression) {
        Operator operator = switch (String.valueOf(expression.getOperator())) {
            case "In" -> Operator.IN;
            case "NotIn" -> Operator.NOT_IN;
            case "Exists" -> Operator.EXISTS;
            case "DoesNotExist" -> Operator.ABSENT;
            default ->
                throw new IllegalArgumentException("The operator '" + expression.getOperator() + "' for label '"
                        + expression.getKey() + "' is not one of In, NotIn, Exists, DoesNotExist");
        };
        boolean takesValues = operator == Operator.IN || operator == Operator.NOT_IN;
        if (takesValues == expression.getValues().isEmpty()) {
            throw new IllegalArgumentException("The operator '" + expression.getOperator() + "' for label '"
                    + expression.getKey() + "' needs " + (takesValues ? "at least one value" : "no values"));
        }
        return new Requirement(expression.getKey(), operator, new TreeSet<>(expression.getValues()), 0);
    }

    /** Return whether an object with the given labels is selected. */
    public boolean matches(Map<String, String> labels) {
        for (Requirement requirement : requirements) {
            if (!requirement.holds(labels.get(requirement.key()))) {
                return false;
            }
        }
        return true;
    }

    /** Return selectors of which each object that this one does not select matches at least one. */
    public List<LabelMatcher> complement() {
        List<LabelMatcher> complement = new ArrayList<>();
        for (Requirement requirement : requirements) {
            Operator opposite = requirement.operator().opposite();
            if (opposite == null) {
                return List.of(EVERYTHING);
            }
            Requirement other = new Requirement(requirement.key(), opposite, requirement.values(), 0);
            complement.add(new LabelMatcher(other.text(), List.of(other)));
        }
        return List.copyOf(complement);
    }

    /** Return the labels of which one value is required, with that value. Other requirements are not included. */
    public Map<String, String> requiredValues() {
        Map<String, String> values = new LinkedHashMap<>();
        for (Requirement requirement : requirements) {
            if (requirement.operator() == Operator.IN && requirement.values().size() == 1) {
                values.put(requirement.key(), requirement.values().iterator().next());
            }
        }
        return values;
    }

    /** Return whether every object is selected. */
    public boolean isEverything() {
        return requirements.isEmpty();
    }

    /** Return the selector as text. */
    @Override
    public String toString() {
        return text;
    }

    /** Splits at the commas that are not inside parentheses. */
    private static List<String> parts(String text) {
        List<String> parts = new ArrayList<>();
        int depth = 0;
        int from = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            if (c == ',' && depth == 0) {
                parts.add(text.substring(from, i));
                from = i + 1;
            }
        }
        parts.add(text.substring(from));
        return parts;
    }

    private static Requirement requirement(String part, String text) {
        Matcher comparison = COMPARISON.matcher(part);
        if (comparison.matches()) {
            return comparison(comparison, part, text);
        }
        Matcher membership = MEMBERSHIP.matcher(part);
        if (membership.matches()) {
            Set<String> values = new TreeSet<>();
            for (String value : membership.group("values").split(",", -1)) {
                values.add(value.trim());
            }
            Operator operator = membership.group("operator").equals("in") ? Operator.IN : Operator.NOT_IN;
            return new Requirement(membership.group("key"), operator, values, 0);
        }
        Matcher existence = EXISTENCE.matcher(part);
        if (existence.matches()) {
            Operator operator = existence.group("not").isEmpty() ? Operator.EXISTS : Operator.ABSENT;
            return new Requirement(existence.group("key"), operator, Set.of(), 0);
        }
        throw new IllegalArgumentException("'" + part + "' in label selector '" + text + "' is not one of 'key=value',"
                + " 'key!=value', 'key in (a, b)', 'key notin (a, b)', 'key', '!key', 'key>1', 'key<1'");
    }

    private static Requirement comparison(Matcher matcher, String part, String text) {
        String key = matcher.group("key");
        String value = matcher.group("value");
        return switch (matcher.group("operator")) {
            case ">" -> new Requirement(key, Operator.ABOVE, Set.of(), number(value, part, text));
            case "<" -> new Requirement(key, Operator.BELOW, Set.of(), number(value, part, text));
            case "!=" -> new Requirement(key, Operator.NOT_IN, Set.of(value), 0);
            default -> new Requirement(key, Operator.IN, Set.of(value), 0);
        };
    }

    private static long number(String value, String part, String text) {
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "'" + part + "' in label selector '" + text + "' must compare with a whole number", e);
        }
    }

    private enum Operator {
        IN,
        NOT_IN,
        EXISTS,
        ABSENT,
        ABOVE,
        BELOW;

        /** Return the operator of the other labels; null if no operator has them. */
        @Nullable
        Operator opposite() {
            return switch (this) {
                case IN -> NOT_IN;
                case NOT_IN -> IN;
                case EXISTS -> ABSENT;
                case ABSENT -> EXISTS;
                case ABOVE, BELOW -> null;
            };
        }
    }

    private record Requirement(String key, Operator operator, Set<String> values, long bound) {

        boolean holds(@Nullable String value) {
            return switch (operator) {
                case IN -> value != null && values.contains(value);
                case NOT_IN -> value == null || !values.contains(value);
                case EXISTS -> value != null;
                case ABSENT -> value == null;
                case ABOVE -> value != null && isNumber(value) && Long.parseLong(value) > bound;
                case BELOW -> value != null && isNumber(value) && Long.parseLong(value) < bound;
            };
        }

        String text() {
            return switch (operator) {
                case IN -> values.size() == 1 ? key + "=" + values.iterator().next() : key + " in (" + list() + ")";
                case NOT_IN -> key + " notin (" + list() + ")";
                case EXISTS -> key;
                case ABSENT -> "!" + key;
                case ABOVE -> key + ">" + bound;
                case BELOW -> key + "<" + bound;
            };
        }

        private String list() {
            return String.join(",", values);
        }

        private static boolean isNumber(String value) {
            return value.matches("-?\\d{1,18}");
        }
    }
}
