package io.github.reconciler4j.client;

/**
 * What to list. Immutable.
 *
 * @param namespace the namespace, {@code ""} (the default) for all
 * @param labelSelector a label selector as {@code kubectl -l} takes it, {@code ""} (the default) for all
 * @param fieldSelector a field selector as {@code kubectl --field-selector} takes it, {@code ""} (the default) for all
 * @param limit the most objects to return, 0 (the default) for all
 * @since 0.1.0
 */
public record ListOptions(String namespace, String labelSelector, String fieldSelector, int limit) {

    private static final ListOptions ALL = new ListOptions("", "", "", 0);

    /** Checks that the limit is not negative. */
    public ListOptions {
        if (limit < 0) {
            throw new IllegalArgumentException("'limit' must be at least 0, was " + limit);
        }
    }

    /** Everything of a kind. */
    public static ListOptions all() {
        return ALL;
    }

    /** Everything of a kind in one namespace. */
    public static ListOptions inNamespace(String namespace) {
        return ALL.withNamespace(namespace);
    }

    /** The same in another namespace. */
    public ListOptions withNamespace(String newNamespace) {
        return new ListOptions(newNamespace, labelSelector, fieldSelector, limit);
    }

    /** The same with another label selector. */
    public ListOptions withLabelSelector(String newLabelSelector) {
        return new ListOptions(namespace, newLabelSelector, fieldSelector, limit);
    }

    /** The same with another field selector. */
    public ListOptions withFieldSelector(String newFieldSelector) {
        return new ListOptions(namespace, labelSelector, newFieldSelector, limit);
    }

    /** The same with another limit. */
    public ListOptions withLimit(int newLimit) {
        return new ListOptions(namespace, labelSelector, fieldSelector, newLimit);
    }
}
