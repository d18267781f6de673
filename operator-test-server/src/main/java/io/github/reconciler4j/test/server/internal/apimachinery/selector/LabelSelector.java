package io.github.reconciler4j.test.server.internal.apimachinery.selector;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.server.internal.apimachinery.JsonValues;
import io.github.reconciler4j.test.server.internal.apimachinery.Names;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A label selector. All of its requirements must hold. Its text is the selector as kube-apiserver writes it. Immutable.
 */
public final class LabelSelector implements Predicate<Map<String, String>> {
    private static final Pattern TOKEN = Pattern.compile("[ \\t\\r\\n]*(==|!=|[=!(),><]|[^=!(),>< \\t\\r\\n]+|$)");
    private static final Pattern WORD = Pattern.compile("[^=!(),><]+");
    private static final Set<String> OPERATORS = Set.of("=", "==", "!=", "in", "notin", ">", "<");
    private static final Map<String, String> OBJECT_OPERATORS =
            Map.of("In", "in", "NotIn", "notin", "Exists", "exists", "DoesNotExist", "!");

    private final List<Requirement> requirements;

    private LabelSelector(List<Requirement> requirements) {
        this.requirements = requirements.stream()
                .sorted(Comparator.comparing(Requirement::key))
                .toList();
    }

    /**
     * Parse a selector such as {@code app in (web, api), tier!=cache, !canary}. An empty one matches everything.
     *
     * @throws StatusException 400 if the selector is malformed
     */
    public static LabelSelector parse(String selector) {
        int end = selector.indexOf('\0');
        return new LabelSelector(new Parser(end < 0 ? selector : selector.substring(0, end)).parse());
    }

    /**
     * Read a {@code LabelSelector} object ({@code matchLabels}, {@code matchExpressions}). Null or a missing node matches
     * nothing, an empty object everything.
     *
     * @throws StatusException 400 if the selector is invalid
     */
    public static Predicate<Map<String, String>> of(JsonNode selector) {
        if (!JsonValues.isPresent(selector)) {
            return labels -> false;
        }
        List<Requirement> requirements = new ArrayList<>();
        selector.path("matchLabels")
                .properties()
                .forEach(label -> requirements.add(Requirement.of(
                        label.getKey(), "=", Set.of(label.getValue().asText()))));
        for (JsonNode expression : selector.path("matchExpressions")) {
            String operator = OBJECT_OPERATORS.get(expression.path("operator").asText());
            if (operator == null) {
                throw StatusException.badRequest(
                        expression.path("operator") + " is not a valid label selector operator");
            }
            Set<String> values = new TreeSet<>();
            expression.path("values").forEach(value -> values.add(value.asText()));
            requirements.add(Requirement.of(expression.path("key").asText(), operator, values));
        }
        return new LabelSelector(requirements);
    }

    @Override
    public boolean test(Map<String, String> labels) {
        return requirements.stream().allMatch(requirement -> requirement.test(labels.get(requirement.key())));
    }

    @Override
    public String toString() {
        return requirements.stream().map(Requirement::toString).collect(Collectors.joining(","));
    }

    /**
     * One requirement.
     *
     * @param operator an operator of the text form, or {@code exists} or {@code !}
     */
    private record Requirement(String key, String operator, Set<String> values) {
        static Requirement of(String key, String operator, Set<String> values) {
            List<String> problems = new ArrayList<>(Names.labelKey(key));
            values.forEach(value -> problems.addAll(Names.labelValue(value)));
            boolean isSet = operator.equals("in") || operator.equals("notin");
            boolean isUnary = operator.equals("exists") || operator.equals("!");
            if (isSet && values.isEmpty()) {
                problems.add("for 'in', 'notin' operators, values set can't be empty");
            } else if (isUnary && !values.isEmpty()) {
                problems.add("values set must be empty for exists and does not exist");
            } else if ((operator.equals(">") || operator.equals("<"))
                    && !values.stream().allMatch(Requirement::isInteger)) {
                problems.add("for 'Gt', 'Lt' operators, the value must be an integer");
            }
            if (!problems.isEmpty()) {
                throw StatusException.badRequest("unable to parse requirement: " + String.join("; ", problems));
            }
            return new Requirement(key, operator, new TreeSet<>(values));
        }

        private static boolean isInteger(String text) {
            return text.matches("[-+]?\\d{1,18}");
        }

        boolean test(@org.jspecify.annotations.Nullable String value) {
            return switch (operator) {
                case "exists" -> value != null;
                case "!" -> value == null;
                case "!=", "notin" -> value == null || !values.contains(value);
                case ">", "<" -> value != null && isInteger(value) && compare(value) == (operator.equals(">") ? 1 : -1);
                default -> value != null && values.contains(value);
            };
        }

        private int compare(String value) {
            return Long.compare(
                    Long.parseLong(value), Long.parseLong(values.iterator().next()));
        }

        @Override
        public String toString() {
            String list = String.join(",", values);
            return switch (operator) {
                case "in", "notin" -> key + " " + operator + " (" + list + ")";
                case "exists" -> key;
                case "!" -> "!" + key;
                default -> key + operator + list;
            };
        }
    }

    /** A parser of one selector. For use by one thread. */
    private static final class Parser {
        private final List<String> tokens = new ArrayList<>();
        private int position;

        Parser(String selector) {
            Matcher matcher = TOKEN.matcher(selector);
            while (matcher.lookingAt() && !matcher.group(1).isEmpty()) {
                tokens.add(matcher.group(1));
                matcher.region(matcher.end(), selector.length());
            }
        }

        List<Requirement> parse() {
            List<Requirement> requirements = new ArrayList<>();
            while (!isAt("")) {
                requirements.add(requirement());
                if (!isAt("")) {
                    expect(",");
                    if (isAt("")) {
                        throw unexpected();
                    }
                }
            }
            return requirements;
        }

        private Requirement requirement() {
            if (isAt("!")) {
                position++;
                return Requirement.of(word(), "!", Set.of());
            }
            String key = word();
            if (isAt("") || isAt(",")) {
                return Requirement.of(key, "exists", Set.of());
            }
            String operator = take();
            if (!OPERATORS.contains(operator)) {
                position--;
                throw unexpected();
            }
            boolean isSet = operator.equals("in") || operator.equals("notin");
            return Requirement.of(key, operator, isSet ? values() : Set.of(isAt("") || isAt(",") ? "" : word()));
        }

        /** Return the values of a term. A missing value beside a comma is an empty value. */
        private Set<String> values() {
            Set<String> values = new TreeSet<>();
            expect("(");
            while (true) {
                values.add(isAt(",") || isAt(")") ? "" : word());
                if (isAt(")")) {
                    position++;
                    return values;
                }
                expect(",");
            }
        }

        private boolean isAt(String token) {
            return (position < tokens.size() ? tokens.get(position) : "").equals(token);
        }

        private String take() {
            String token = position < tokens.size() ? tokens.get(position) : "";
            position++;
            return token;
        }

        private String word() {
            if (position >= tokens.size() || !WORD.matcher(tokens.get(position)).matches()) {
                throw unexpected();
            }
            return take();
        }

        private void expect(String token) {
            if (!isAt(token)) {
                throw unexpected();
            }
            position++;
        }

        private StatusException unexpected() {
            return StatusException.badRequest("unable to parse requirement: found '"
                    + (position < tokens.size() ? tokens.get(position) : "") + "' at an unexpected place");
        }
    }
}
