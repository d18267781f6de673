package io.github.reconciler4j.cache;

import io.github.reconciler4j.scheme.LabelMatcher;
import io.github.reconciler4j.support.internal.OptionValues;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Options for caching one kind, or all kinds ({@link CacheOptions#withKindDefaults}). Immutable.
 *
 * <p>What is not set for a kind is inherited from the options for all kinds, setting by setting: an operator that is
 * limited to a namespace stays limited to it for a kind that sets only its storage. The label selector and the field selector
 * are settings of their own.
 *
 * <!-- snippet: CacheUse -->
 * <pre>{@code
 * return CacheOptions.defaults()
 *         .withKind(
 *                 Kind.of("v1", "Pod"),
 *                 KindCacheOptions.defaults()
 *                         .withLabelSelector("app.kubernetes.io/managed-by=shop")
 *                         .withTransform(pod -> ((Map<?, ?>) pod.get("spec")).remove("volumes")))
 *         .withKind(Kind.of("v1", "Secret"), KindCacheOptions.defaults().withStorage(StorageForm.METADATA))
 *         .withKind(
 *                 Kind.of("v1", "ConfigMap"),
 *                 KindCacheOptions.defaults().withNamespaces(CachedNamespaces.only(Set.of("shop", "billing"))));
 * }</pre>
 *
 * @since 0.1.0
 */
public final class KindCacheOptions {

    private static final KindCacheOptions DEFAULTS = new KindCacheOptions(new Values());

    /** Stands for a transform that was removed, as opposed to one that was never set. */
    private static final ObjectTransform NO_TRANSFORM = object -> {};

    private final Values values;

    private KindCacheOptions(Values values) {
        this.values = values;
    }

    /** Return options of which nothing is set. */
    public static KindCacheOptions defaults() {
        return DEFAULTS;
    }

    /** Return the namespaces in which to watch; all by default. */
    public CachedNamespaces namespaces() {
        return values.namespaces == null ? CachedNamespaces.all() : values.namespaces;
    }

    /** Return which objects to watch; all by default. A namespace can have a selector of its own. */
    public ObjectSelector selector() {
        return ObjectSelector.everything()
                .withLabels(values.labels == null ? "" : values.labels)
                .withFields(values.fields == null ? "" : values.fields);
    }

    /** Return what decides to which part an object belongs; empty for the default of the kind, see {@link PartitionKey}. */
    public Optional<PartitionKey> partitionKey() {
        return Optional.ofNullable(values.partitionKey);
    }

    /** Return the function that changes objects before they are stored; empty by default. */
    public Optional<ObjectTransform> transform() {
        return Optional.ofNullable(values.transform).filter(set -> set != NO_TRANSFORM);
    }

    /** Return how bodies are stored; {@link StorageForm#COMPACT} by default. */
    public StorageForm storage() {
        return values.storage == null ? StorageForm.COMPACT : values.storage;
    }

    /** Return whether to drop the annotation {@code kubectl.kubernetes.io/last-applied-configuration}; false by default. */
    public boolean dropLastApplied() {
        return values.dropLastApplied != null && values.dropLastApplied;
    }

    /**
     * Return a copy of these options with the given namespaces, each with its own watch.
     *
     * @throws IllegalArgumentException if there is no name, or one is blank
     */
    public KindCacheOptions withNamespaces(Set<String> names) {
        return withNamespaces(CachedNamespaces.only(names));
    }

    /** Return a copy of these options with the given namespaces. */
    public KindCacheOptions withNamespaces(CachedNamespaces newNamespaces) {
        return change(copy -> copy.namespaces = newNamespaces);
    }

    /** Return a copy of these options with the given selector, which sets labels and fields. */
    public KindCacheOptions withSelector(ObjectSelector newSelector) {
        return change(copy -> {
            copy.labels = newSelector.labels();
            copy.fields = newSelector.fields();
        });
    }

    /**
     * Return a copy of these options with the given label selector; {@code ""} selects all objects.
     *
     * @throws IllegalArgumentException if the text is not a label selector
     */
    public KindCacheOptions withLabelSelector(String newLabels) {
        LabelMatcher.parse(newLabels);
        return change(copy -> copy.labels = newLabels);
    }

    /** Return a copy of these options with the given field selector; {@code ""} selects all objects. */
    public KindCacheOptions withFieldSelector(String newFields) {
        return change(copy -> copy.fields = newFields);
    }

    /** Return a copy of these options with the given key of parts; see {@link CacheOptions#withPartition}. */
    public KindCacheOptions withPartitionKey(PartitionKey newPartKey) {
        return change(copy -> copy.partitionKey = newPartKey);
    }

    /** Return a copy of these options with the given function, which changes objects before they are stored. */
    public KindCacheOptions withTransform(ObjectTransform newTransform) {
        return change(copy -> copy.transform = newTransform);
    }

    /** Return a copy of these options without a function that changes objects. */
    public KindCacheOptions withoutTransform() {
        return change(copy -> copy.transform = NO_TRANSFORM);
    }

    /** Return a copy of these options with the given form of storage. */
    public KindCacheOptions withStorage(StorageForm newStorage) {
        return change(copy -> copy.storage = newStorage);
    }

    /**
     * Return a copy of these options that drops the annotation {@code kubectl.kubernetes.io/last-applied-configuration},
     * a second copy of the object, or keeps it.
     */
    public KindCacheOptions withDropLastApplied(boolean newDropLastApplied) {
        return change(copy -> copy.dropLastApplied = newDropLastApplied);
    }

    private KindCacheOptions change(Consumer<Values> change) {
        return new KindCacheOptions(values.changed(change));
    }

    /** Return these options with everything that is not set taken from others. */
    KindCacheOptions inherit(KindCacheOptions parent) {
        return change(copy -> {
            copy.namespaces = own(copy.namespaces, parent.values.namespaces);
            copy.labels = own(copy.labels, parent.values.labels);
            copy.fields = own(copy.fields, parent.values.fields);
            copy.partitionKey = own(copy.partitionKey, parent.values.partitionKey);
            copy.transform = own(copy.transform, parent.values.transform);
            copy.storage = own(copy.storage, parent.values.storage);
            copy.dropLastApplied = own(copy.dropLastApplied, parent.values.dropLastApplied);
        });
    }

    private static <V> @Nullable V own(@Nullable V own, @Nullable V inherited) {
        return own == null ? inherited : own;
    }

    /** Return whether namespaces are set. */
    boolean hasNamespaces() {
        return values.namespaces != null;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KindCacheOptions that
                && Objects.equals(values.namespaces, that.values.namespaces)
                && Objects.equals(values.labels, that.values.labels)
                && Objects.equals(values.fields, that.values.fields)
                && Objects.equals(values.partitionKey, that.values.partitionKey)
                && Objects.equals(values.transform, that.values.transform)
                && values.storage == that.values.storage
                && Objects.equals(values.dropLastApplied, that.values.dropLastApplied);
    }

    @Override
    public int hashCode() {
        return Objects.hash(
                values.namespaces,
                values.labels,
                values.fields,
                values.partitionKey,
                values.transform,
                values.storage,
                values.dropLastApplied);
    }

    @Override
    public String toString() {
        return "KindCacheOptions[" + namespaces() + ", " + selector() + ", "
                + (values.partitionKey == null ? "" : values.partitionKey + ", ")
                + (transform().isPresent() ? "transform, " : "") + storage()
                + (dropLastApplied() ? ", dropLastApplied" : "") + "]";
    }

    private static final class Values extends OptionValues<Values> {
        private @Nullable CachedNamespaces namespaces;
        private @Nullable String labels;
        private @Nullable String fields;
        private @Nullable PartitionKey partitionKey;
        private @Nullable ObjectTransform transform;
        private @Nullable StorageForm storage;
        private @Nullable Boolean dropLastApplied;
    }
}
