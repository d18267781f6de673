package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.cache.UnsupportedSelectorException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The field selectors that a cache can answer: {@code metadata.name} and {@code metadata.namespace}, equal or not, and
 * the names of indexes, equal. As on a server, a backslash takes the meaning from a comma, an equals sign or a backslash,
 * and empty parts mean nothing.
 *
 * @param terms the terms about name and namespace, all of which must hold
 * @param indexTerms the others, all of which must hold too
 */
record FieldTerms(List<Term> terms, List<IndexTerm> indexTerms) {

    private static final String NAME = "metadata.name";
    private static final String NAMESPACE = "metadata.namespace";
    private static final FieldTerms NONE = new FieldTerms(List.of(), List.of());

    /** A term that an object must have in an index. */
    record IndexTerm(String index, String term) {}

    private record Term(boolean name, boolean equal, String value) {}

    /**
     * Reads a selector.
     *
     * @throws UnsupportedSelectorException if it compares other fields otherwise than by {@code =}
     */
    static FieldTerms parse(String selector) {
        if (selector.isBlank()) {
            return NONE;
        }
        FieldTerms all = new FieldTerms(new ArrayList<>(), new ArrayList<>());
        for (String part : split(selector)) {
            if (!part.isBlank()) {
                all.read(part.strip());
            }
        }
        return all;
    }

    /** The parts between commas that no backslash precedes. */
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

    private static String unescaped(String value) {
        return value.indexOf('\\') < 0 ? value : value.replaceAll("\\\\([\\\\,=])", "$1");
    }

    /** The same, but null if it names other fields than name and namespace. */
    static @Nullable FieldTerms parseIfKnown(String selector) {
        try {
            FieldTerms fields = parse(selector);
            return fields.indexTerms().isEmpty() ? fields : null;
        } catch (UnsupportedSelectorException e) {
            return null;
        }
    }

    private void read(String text) {
        int equals = text.indexOf('=');
        boolean not = equals > 0 && text.charAt(equals - 1) == '!';
        String field =
                equals < 0 ? text : text.substring(0, not ? equals - 1 : equals).strip();
        boolean metadata = field.equals(NAME) || field.equals(NAMESPACE);
        if (equals < 0 || field.isEmpty() || not && !metadata) {
            throw new UnsupportedSelectorException("The cache cannot select by '" + text + "': it compares " + NAME
                    + " and " + NAMESPACE + " by = and !=, and indexes by = only; read live for anything else");
        }
        String value = text.substring(equals + 1);
        value = unescaped((value.startsWith("=") ? value.substring(1) : value).strip());
        if (metadata) {
            terms.add(new Term(field.equals(NAME), !not, value));
        } else {
            indexTerms.add(new IndexTerm(field, value));
        }
    }

    /** The namespace that is required, else the one given. */
    String namespaceOr(String given) {
        return terms.stream()
                .filter(term -> term.equal && !term.name)
                .map(Term::value)
                .findFirst()
                .orElse(given);
    }

    boolean matches(String namespace, String name) {
        for (Term term : terms) {
            String value = term.name ? name : namespace;
            if (term.value.equals(value) != term.equal) {
                return false;
            }
        }
        return true;
    }
}
