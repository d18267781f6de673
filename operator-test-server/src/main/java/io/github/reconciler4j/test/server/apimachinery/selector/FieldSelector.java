package io.github.reconciler4j.test.server.apimachinery.selector;

import io.github.reconciler4j.test.server.apimachinery.StatusException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A field selector: all of its terms must hold. A field without a value counts as empty. Immutable.
 *
 * @param terms its terms, in order of their text
 * @since 0.1.0
 */
public record FieldSelector(List<Term> terms) implements Predicate<Map<String, String>> {

    /**
     * One condition on a field.
     *
     * @param field path of the field such as {@code metadata.name}
     * @param negated whether the field must have another value than this
     * @param value the value
     * @since 0.1.0
     */
    public record Term(String field, boolean negated, String value) {

        private boolean holds(String actual) {
            return actual.equals(value) != negated;
        }

        /** Returns the term in the server's spelling. */
        @Override
        public String toString() {
            String escaped = value.replace("\\", "\\\\").replace(",", "\\,").replace("=", "\\=");
            return field + (negated ? "!=" : "=") + escaped;
        }
    }

    /** Makes a selector of terms. */
    public FieldSelector {
        terms = List.copyOf(terms);
    }

    static FieldSelector parse(String selector) {
        List<String> parts = split(selector);
        Collections.sort(parts);
        List<Term> terms = new ArrayList<>();
        for (String part : parts) {
            if (!part.isEmpty()) {
                Term term = term(selector, part);
                if (!term.field().isEmpty() || !term.value().isEmpty()) {
                    terms.add(term);
                }
            }
        }
        return new FieldSelector(terms);
    }

    private static List<String> split(String selector) {
        List<String> parts = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < selector.length(); i++) {
            if (selector.charAt(i) == '\\') {
                i++;
            } else if (selector.charAt(i) == ',') {
                parts.add(selector.substring(start, i));
                start = i + 1;
            }
        }
        parts.add(selector.substring(start));
        return parts;
    }

    private static Term term(String selector, String part) {
        for (int i = 0; i < part.length(); i++) {
            for (String operator : List.of("!=", "==", "=")) {
                if (part.startsWith(operator, i)) {
                    String value = unescape(part.substring(i + operator.length()));
                    return new Term(part.substring(0, i), operator.equals("!="), value);
                }
            }
        }
        throw StatusException.badRequest("invalid selector: '" + selector + "'; can't understand '" + part + "'");
    }

    private static String unescape(String text) {
        StringBuilder value = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == ',' || c == '=') {
                throw StatusException.badRequest("invalid field selector: unescaped character in value: " + (int) c);
            }
            if (c == '\\') {
                i++;
                if (i == text.length() || "\\,=".indexOf(text.charAt(i)) < 0) {
                    throw StatusException.badRequest("invalid field selector: invalid escape sequence: "
                            + text.substring(i - 1, Math.min(i + 1, text.length())));
                }
                c = text.charAt(i);
            }
            value.append(c);
        }
        return value.toString();
    }

    /** Tells whether all terms hold for an object with these field values. */
    @Override
    public boolean test(Map<String, String> values) {
        return matches(field -> values.getOrDefault(field, ""));
    }

    /** Tells whether all terms hold; {@code valueOf} returns the value of a field, empty if there is none. */
    public boolean matches(Function<String, String> valueOf) {
        return terms.stream().allMatch(term -> term.holds(valueOf.apply(term.field())));
    }

    /** Returns the fields that the selector asks for. */
    public Set<String> fields() {
        return terms.stream().map(Term::field).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns the value that a field must have, if the selector says so. */
    public Optional<String> requiredValue(String field) {
        return terms.stream()
                .filter(term -> !term.negated() && term.field().equals(field))
                .map(Term::value)
                .findFirst();
    }

    /** Returns the selector in the server's spelling. */
    @Override
    public String toString() {
        return terms.stream().map(Term::toString).collect(Collectors.joining(","));
    }
}
