package io.github.reconciler4j.cache.internal.storage;

import io.github.reconciler4j.cache.UnsupportedSelectorException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A field selector that a cache can evaluate: {@code metadata.name} and {@code metadata.namespace}, equal or not, and the
 * names of indexes, equal. As on an API server, a backslash escapes a comma, an equals sign or a backslash, and empty parts
 * are ignored. Immutable.
 *
 * @param terms the terms about name and namespace, all of which must hold
 * @param indexTerms the other terms, all of which must hold too
 * @since 0.1.0
 */
public record FieldTerms(List<Term> terms, List<IndexTerm> indexTerms) {

    private static final String NAME = "metadata.name";
    private static final String NAMESPACE = "metadata.namespace";
    private static final FieldTerms NONE = new FieldTerms(List.of(), List.of());

    /**
     * A term that an object must have in an index.
     *
     * @since 0.1.0
     */
    public record IndexTerm(String index, String term) {}

    /** What name or namespace must or must not equal. */
    public record Term(boolean name, boolean equal, String value) {}

    /**
     * Parse a selector.
     *
     * @throws UnsupportedSelectorException if it compares other fields with anything but {@code =}
     */
    public static FieldTerms parse(String selector) {
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

    /** Return the parts between commas that are not escaped. */
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

    /** Parse a selector; null if it names other fields than name and namespace. */
    public static @Nullable FieldTerms parseIfKnown(String selector) {
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
            throw new UnsupportedSelectorException(
                    "The cache cannot select by '" + text + "': it compares " + NAME + " and " + NAMESPACE
                            + " by = and !=, and indexes by = only; read from the API server with client.live() for anything else (R4J-122)");
        }
        String value = text.substring(equals + 1);
        value = unescaped((value.startsWith("=") ? value.substring(1) : value).strip());
        if (metadata) {
            terms.add(new Term(field.equals(NAME), !not, value));
        } else {
            indexTerms.add(new IndexTerm(field, value));
        }
    }

    /** Return the namespace that is required, otherwise the given one. */
    public String namespaceOr(String given) {
        return terms.stream()
                .filter(term -> term.equal && !term.name)
                .map(Term::value)
                .findFirst()
                .orElse(given);
    }

    /** Return whether the terms about name and namespace hold. */
    public boolean matches(String namespace, String name) {
        for (Term term : terms) {
            String value = term.name ? name : namespace;
            if (term.value.equals(value) != term.equal) {
                return false;
            }
        }
        return true;
    }
}
