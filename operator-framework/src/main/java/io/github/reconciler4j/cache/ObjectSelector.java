package io.github.reconciler4j.cache;

/**
 * What to watch of a kind. The server selects, so nothing else is sent. Immutable.
 *
 * @param labels a label selector as {@code kubectl -l} takes it; {@code ""} is everything
 * @param fields a field selector as {@code kubectl --field-selector} takes it and the server supports for the kind;
 *     {@code ""} is everything
 */
public record ObjectSelector(String labels, String fields) {

    private static final ObjectSelector EVERYTHING = new ObjectSelector("", "");

    /** Selects all objects. */
    public static ObjectSelector everything() {
        return EVERYTHING;
    }

    /** The same with another label selector. */
    public ObjectSelector withLabels(String newLabels) {
        return new ObjectSelector(newLabels, fields);
    }

    /** The same with another field selector. */
    public ObjectSelector withFields(String newFields) {
        return new ObjectSelector(labels, newFields);
    }
}
