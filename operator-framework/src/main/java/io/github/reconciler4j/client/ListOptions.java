package io.github.reconciler4j.client;

import java.util.Objects;
import java.util.function.Consumer;

/**
 * Options that select the objects of a list. Immutable and thread-safe, with value equality.
 *
 * @since 0.1.0
 */
public final class ListOptions {

    private static final ListOptions ALL = new ListOptions(new Draft());

    private final String namespace;
    private final String labelSelector;
    private final String fieldSelector;
    private final int limit;

    private ListOptions(Draft draft) {
        this.namespace = draft.namespace;
        this.labelSelector = draft.labelSelector;
        this.fieldSelector = draft.fieldSelector;
        this.limit = draft.limit;
    }

    /** Return options that select all objects of a kind. */
    public static ListOptions all() {
        return ALL;
    }

    /** Return options that select all objects of a kind in the given namespace, {@code ""} for all namespaces. */
    public static ListOptions inNamespace(String namespace) {
        return ALL.withNamespace(namespace);
    }

    /** Return the namespace, {@code ""} (the default) for all namespaces. */
    public String namespace() {
        return namespace;
    }

    /** Return the label selector in the syntax of {@code kubectl -l}, {@code ""} (the default) for all objects. */
    public String labelSelector() {
        return labelSelector;
    }

    /**
     * Return the field selector in the syntax of {@code kubectl --field-selector}, {@code ""} (the default) for all
     * objects.
     */
    public String fieldSelector() {
        return fieldSelector;
    }

    /** Return the maximum number of objects, 0 (the default) for no limit. */
    public int limit() {
        return limit;
    }

    /** Return a copy of these options with the given namespace, {@code ""} for all namespaces. */
    public ListOptions withNamespace(String namespace) {
        return change(draft -> draft.namespace = namespace);
    }

    /** Return a copy of these options with the given label selector. */
    public ListOptions withLabelSelector(String labelSelector) {
        return change(draft -> draft.labelSelector = labelSelector);
    }

    /** Return a copy of these options with the given field selector. */
    public ListOptions withFieldSelector(String fieldSelector) {
        return change(draft -> draft.fieldSelector = fieldSelector);
    }

    /**
     * Return a copy of these options with the given maximum number of objects, 0 for no limit.
     *
     * @throws IllegalArgumentException if the limit is negative
     */
    public ListOptions withLimit(int limit) {
        if (limit < 0) {
            throw new IllegalArgumentException("'limit' must be at least 0, was " + limit);
        }
        return change(draft -> draft.limit = limit);
    }

    private ListOptions change(Consumer<Draft> change) {
        Draft draft = new Draft();
        draft.namespace = namespace;
        draft.labelSelector = labelSelector;
        draft.fieldSelector = fieldSelector;
        draft.limit = limit;
        change.accept(draft);
        return new ListOptions(draft);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ListOptions that
                && namespace.equals(that.namespace)
                && labelSelector.equals(that.labelSelector)
                && fieldSelector.equals(that.fieldSelector)
                && limit == that.limit;
    }

    @Override
    public int hashCode() {
        return Objects.hash(namespace, labelSelector, fieldSelector, limit);
    }

    @Override
    public String toString() {
        return "ListOptions[namespace=" + namespace + ", labelSelector=" + labelSelector + ", fieldSelector="
                + fieldSelector + ", limit=" + limit + "]";
    }

    private static final class Draft {
        private String namespace = "";
        private String labelSelector = "";
        private String fieldSelector = "";
        private int limit;
    }
}
