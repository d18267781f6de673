package io.github.reconciler4j.cache;

import java.util.Objects;

/**
 * Selects the objects of a kind to watch. The API server evaluates the selectors, so other objects are not sent. Immutable.
 *
 * <!-- snippet: CacheSettings -->
 * <pre>{@code
 * return CachedNamespaces.allExcept(Set.of("kube-system"))
 *         .with("shop", ObjectSelector.everything().withLabels("app=shop"));
 * }</pre>
 *
 * @since 0.1.0
 */
public final class ObjectSelector {

    private static final ObjectSelector EVERYTHING = new ObjectSelector("", "");

    private final String labels;
    private final String fields;

    private ObjectSelector(String labels, String fields) {
        this.labels = labels;
        this.fields = fields;
    }

    /** Return a selector that selects all objects. */
    public static ObjectSelector everything() {
        return EVERYTHING;
    }

    /** Return the label selector in the syntax of {@code kubectl -l}; {@code ""} selects all objects. */
    public String labels() {
        return labels;
    }

    /** Return the field selector in the syntax of {@code kubectl --field-selector}; {@code ""} selects all objects. */
    public String fields() {
        return fields;
    }

    /** Return a copy of this selector with the given label selector. */
    public ObjectSelector withLabels(String newLabels) {
        return new ObjectSelector(newLabels, fields);
    }

    /** Return a copy of this selector with the given field selector, which the API server must support for the kind. */
    public ObjectSelector withFields(String newFields) {
        return new ObjectSelector(labels, newFields);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ObjectSelector that && labels.equals(that.labels) && fields.equals(that.fields);
    }

    @Override
    public int hashCode() {
        return Objects.hash(labels, fields);
    }

    @Override
    public String toString() {
        return "ObjectSelector[labels=" + labels + ", fields=" + fields + "]";
    }
}
