package io.github.reconciler4j.test.server.internal.apimachinery.selector;

import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A field selector. All of its terms must hold. A field without a value counts as empty. Its text is the selector as
 * kube-apiserver writes it. Immutable.
 *
 * @param terms its terms, in the order of their text
 */
public record FieldSelector(List<Term> terms) implements Predicate<Map<String, String>> {
    private static final Pattern SEPARATOR = Pattern.compile("(?<!\\\\)((\\\\\\\\)*),");
    private static final Pattern TERM = Pattern.compile("(?s)((?:(?!!=|=).)*)(!=|==|=)((?:[^,=\\\\]|\\\\[,=\\\\])*)");

    /**
     * One condition on a field.
     *
     * @param field the path of the field, such as {@code metadata.name}
     * @param negated whether the field must have another value
     */
    public record Term(String field, boolean negated, String value) {
        private boolean holds(String actual) {
            return actual.equals(value) != negated;
        }

        @Override
        public String toString() {
            return field + (negated ? "!=" : "=") + value.replaceAll("[\\\\,=]", "\\\\$0");
        }
    }

    /** Copy the terms. */
    public FieldSelector {
        terms = List.copyOf(terms);
    }

    /**
     * Parse a selector such as {@code metadata.name=web,status.phase!=Running}.
     *
     * @throws StatusException 400 if the selector is malformed
     */
    public static FieldSelector parse(String selector) {
        List<Term> terms = new ArrayList<>();
        for (String part : SEPARATOR.matcher(selector).replaceAll("$1\0").split("\0")) {
            Matcher matcher = TERM.matcher(part);
            if (matcher.matches()) {
                Term term = new Term(
                        matcher.group(1),
                        matcher.group(2).equals("!="),
                        matcher.group(3).replaceAll("\\\\(.)", "$1"));
                if (!term.field().isEmpty() || !term.value().isEmpty()) {
                    terms.add(term);
                }
            } else if (!part.isEmpty()) {
                throw StatusException.badRequest(
                        "invalid selector: '" + selector + "'; can't understand '" + part + "'");
            }
        }
        terms.sort(Comparator.comparing(Term::toString));
        return new FieldSelector(terms);
    }

    @Override
    public boolean test(Map<String, String> values) {
        return matches(field -> values.getOrDefault(field, ""));
    }

    /** Return whether all terms hold; {@code valueOf} returns the value of a field, empty for none. */
    public boolean matches(Function<String, String> valueOf) {
        return terms.stream().allMatch(term -> term.holds(valueOf.apply(term.field())));
    }

    public Set<String> fields() {
        return terms.stream().map(Term::field).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Return the value that a field must have, if there is one. */
    public Optional<String> requiredValue(String field) {
        return terms.stream()
                .filter(term -> !term.negated() && term.field().equals(field))
                .map(Term::value)
                .findFirst();
    }

    @Override
    public String toString() {
        return terms.stream().map(Term::toString).collect(Collectors.joining(","));
    }
}
