package io.github.reconciler4j.client;

import io.github.reconciler4j.support.internal.OptionValues;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Options that select the objects of a list. Immutable and thread-safe, with value equality.
 *
 * <!-- snippet: WriteUse -->
 * <pre>{@code
 * return client.list(Kind.of(Pod.class), Selection.inNamespace("shop").withLabelSelector("app=web,tier!=test"));
 * }</pre>
 *
 * @since 0.1.0
 */
public final class Selection {

    private static final Selection ALL = new Selection(new Values());

    private final Values values;

    private Selection(Values values) {
        this.values = values;
    }

    /** Return options that select all objects of a kind. */
    public static Selection all() {
        return ALL;
    }

    /** Return options that select all objects of a kind in the given namespace, {@code ""} for all namespaces. */
    public static Selection inNamespace(String namespace) {
        return ALL.withNamespace(namespace);
    }

    /** Return the namespace, {@code ""} (the default) for all namespaces. */
    public String namespace() {
        return values.namespace;
    }

    /** Return the label selector in the syntax of {@code kubectl -l}, {@code ""} (the default) for all objects. */
    public String labelSelector() {
        return values.labelSelector;
    }

    /**
     * Return the field selector in the syntax of {@code kubectl --field-selector}, {@code ""} (the default) for all
     * objects.
     */
    public String fieldSelector() {
        return values.fieldSelector;
    }

    /** Return the maximum number of objects, 0 (the default) for no limit. */
    public int limit() {
        return values.limit;
    }

    /** Return a copy of these options with the given namespace, {@code ""} for all namespaces. */
    public Selection withNamespace(String namespace) {
        return change(copy -> copy.namespace = namespace);
    }

    /** Return a copy of these options with the given label selector. */
    public Selection withLabelSelector(String labelSelector) {
        return change(copy -> copy.labelSelector = labelSelector);
    }

    /** Return a copy of these options with the given field selector. */
    public Selection withFieldSelector(String fieldSelector) {
        return change(copy -> copy.fieldSelector = fieldSelector);
    }

    /**
     * Return a copy of these options with the given maximum number of objects, 0 for no limit.
     *
     * @throws IllegalArgumentException if the limit is negative
     */
    public Selection withLimit(int limit) {
        if (limit < 0) {
            throw new IllegalArgumentException("'limit' must be at least 0, was " + limit);
        }
        return change(copy -> copy.limit = limit);
    }

    private Selection change(Consumer<Values> change) {
        return new Selection(values.changed(change));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Selection that
                && values.namespace.equals(that.values.namespace)
                && values.labelSelector.equals(that.values.labelSelector)
                && values.fieldSelector.equals(that.values.fieldSelector)
                && values.limit == that.values.limit;
    }

    @Override
    public int hashCode() {
        return Objects.hash(values.namespace, values.labelSelector, values.fieldSelector, values.limit);
    }

    @Override
    public String toString() {
        return "Selection[namespace=" + values.namespace + ", labelSelector=" + values.labelSelector
                + ", fieldSelector=" + values.fieldSelector + ", limit=" + values.limit + "]";
    }

    private static final class Values extends OptionValues<Values> {
        private String namespace = "";
        private String labelSelector = "";
        private String fieldSelector = "";
        private int limit;
    }
}
