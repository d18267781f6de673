package io.github.reconciler4j.cache.internal;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The field selectors that a cache can answer: {@code metadata.name} and {@code metadata.namespace}, equal or not.
 *
 * @param terms the terms, all of which must hold
 */
record FieldTerms(List<Term> terms) {

    private static final String NAME = "metadata.name";
    private static final String NAMESPACE = "metadata.namespace";

    private record Term(boolean name, boolean equal, String value) {}

    /**
     * Reads a selector.
     *
     * @throws IllegalArgumentException if it names other fields
     */
    static FieldTerms parse(String selector) {
        if (selector.isBlank()) {
            return new FieldTerms(List.of());
        }
        List<Term> terms = new ArrayList<>();
        for (String part : selector.split(",")) {
            terms.add(term(part.strip()));
        }
        return new FieldTerms(terms);
    }

    /** The same, but null if it names other fields. */
    static @Nullable FieldTerms parseIfKnown(String selector) {
        try {
            return parse(selector);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static Term term(String text) {
        int equals = text.indexOf('=');
        boolean not = equals > 0 && text.charAt(equals - 1) == '!';
        String field =
                equals < 0 ? text : text.substring(0, not ? equals - 1 : equals).strip();
        if (equals < 0 || !field.equals(NAME) && !field.equals(NAMESPACE)) {
            throw new IllegalArgumentException("The cache can select by the fields " + NAME + " and " + NAMESPACE
                    + " only, not by '" + text + "': add an index to the informer, or read live");
        }
        String value = text.substring(equals + 1);
        return new Term(field.equals(NAME), !not, (value.startsWith("=") ? value.substring(1) : value).strip());
    }

    /** The namespace that is required, else the one given. */
    String namespaceOr(String given) {
        return terms.stream()
                .filter(term -> term.equal && !term.name)
                .map(Term::value)
                .findFirst()
                .orElse(given);
    }

    boolean matches(Entry entry) {
        for (Term term : terms) {
            String value = term.name ? entry.name() : entry.namespace();
            if (term.value.equals(value) != term.equal) {
                return false;
            }
        }
        return true;
    }
}
