package io.github.reconciler4j.scheme;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Label selectors mean what a simple model says, and texts of any shape are taken or refused as by the parser of the test
 * server, which is written on its own and held against a real API server.
 */
class LabelMatcherPropertyTests {

    private static final List<String> KEYS = List.of("a", "app", "example.com/b");
    private static final List<String> VALUES = List.of("x", "y", "7", "12");

    /** A requirement as text and as a predicate. */
    record Requirement(String text, Predicate<Map<String, String>> meaning) {
        @Override
        public String toString() {
            return text;
        }
    }

    @Provide
    Arbitrary<Map<String, String>> labels() {
        return Arbitraries.maps(Arbitraries.of(KEYS), Arbitraries.of(VALUES)).ofMaxSize(3);
    }

    @Provide
    Arbitrary<Requirement> requirements() {
        return Combinators.combine(
                        Arbitraries.of("exists", "missing", "=", "==", "!=", "in", "notin", ">", "<"),
                        Arbitraries.of(KEYS),
                        Arbitraries.of(VALUES).set().ofMinSize(1).ofMaxSize(3),
                        Arbitraries.integers().between(0, 20))
                .as(LabelMatcherPropertyTests::requirement);
    }

    private static Requirement requirement(String operator, String key, Set<String> values, int number) {
        String value = values.iterator().next();
        String list = "(" + String.join(",", values) + ")";
        return switch (operator) {
            case "exists" -> new Requirement(key, labels -> labels.containsKey(key));
            case "missing" -> new Requirement("!" + key, labels -> !labels.containsKey(key));
            case "!=" -> new Requirement(key + "!=" + value, labels -> !value.equals(labels.get(key)));
            case "in" ->
                new Requirement(
                        key + " in " + list, labels -> labels.containsKey(key) && values.contains(labels.get(key)));
            case "notin" ->
                new Requirement(
                        key + " notin " + list,
                        labels -> !labels.containsKey(key) || !values.contains(labels.get(key)));
            case ">" -> new Requirement(key + ">" + number, labels -> number(labels.get(key)) > number);
            case "<" ->
                new Requirement(
                        key + "<" + number,
                        labels -> number(labels.get(key)) != Long.MIN_VALUE && number(labels.get(key)) < number);
            default -> new Requirement(key + operator + value, labels -> value.equals(labels.get(key)));
        };
    }

    private static long number(String text) {
        return text == null || !text.matches("\\d+") ? Long.MIN_VALUE : Long.parseLong(text);
    }

    @Property(tries = 1000)
    void matchesWhatEveryRequirementOfTheModelMatches(
            @ForAll List<@net.jqwik.api.From("requirements") Requirement> requirements,
            @ForAll("labels") Map<String, String> labels) {
        String text = requirements.stream().map(Requirement::text).collect(Collectors.joining(","));

        assertThat(LabelMatcher.parse(text).matches(labels))
                .as(text)
                .isEqualTo(requirements.stream()
                        .allMatch(requirement -> requirement.meaning().test(labels)));
    }

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.of("a", "app", "x", "7", "in", "notin", "=", "==", "!", "!=", "(", ")", ",", " ", ">", "<")
                .list()
                .ofMaxSize(7)
                .map(parts -> String.join("", parts));
    }

    @Property(tries = 2000)
    void parsesAnyTextAsTheTestServerDoes(@ForAll("texts") String text, @ForAll("labels") Map<String, String> labels) {
        assertThat(ours(text, labels)).as("'%s'", text).isEqualTo(servers(text, labels));
    }

    /** Empty if it is no selector. */
    private static Optional<Boolean> ours(String text, Map<String, String> labels) {
        try {
            return Optional.of(LabelMatcher.parse(text).matches(labels));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Optional<Boolean> servers(String text, Map<String, String> labels) {
        try {
            return Optional.of(
                    io.github.reconciler4j.test.server.internal.apimachinery.selector.LabelSelector.parse(text)
                            .test(labels));
        } catch (RuntimeException e) {
            return Optional.empty();
        }
    }
}
