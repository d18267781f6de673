package io.github.reconciler4j.cache;

import io.github.reconciler4j.scheme.LabelSelector;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Options for caching one kind, or all kinds ({@link CacheOptions#withKindDefaults}). Immutable.
 *
 * <p>What is not set for a kind is inherited from the options for all kinds, setting by setting: an operator that is
 * limited to a namespace stays limited to it for a kind that sets only its storage. The label selector and the field selector
 * are settings of their own.
 *
 * @since 0.1.0
 */
public final class KindCacheOptions {

    private static final KindCacheOptions DEFAULTS = new KindCacheOptions(new Draft());

    /** Stands for a transform that was removed, as opposed to one that was never set. */
    private static final ObjectTransform NO_TRANSFORM = object -> {};

    private final @Nullable CachedNamespaces namespaces;
    private final @Nullable String labels;
    private final @Nullable String fields;
    private final @Nullable ShardKey shardKey;
    private final @Nullable ObjectTransform transform;
    private final @Nullable StorageForm storage;
    private final @Nullable Boolean dropLastApplied;

    private KindCacheOptions(Draft draft) {
        this.namespaces = draft.namespaces;
        this.labels = draft.labels;
        this.fields = draft.fields;
        this.shardKey = draft.shardKey;
        this.transform = draft.transform;
        this.storage = draft.storage;
        this.dropLastApplied = draft.dropLastApplied;
    }

    /** Return options of which nothing is set. */
    public static KindCacheOptions defaults() {
        return DEFAULTS;
    }

    /** Return the namespaces in which to watch; all by default. */
    public CachedNamespaces namespaces() {
        return namespaces == null ? CachedNamespaces.all() : namespaces;
    }

    /** Return which objects to watch; all by default. A namespace can have a selector of its own. */
    public ObjectSelector selector() {
        return ObjectSelector.everything()
                .withLabels(labels == null ? "" : labels)
                .withFields(fields == null ? "" : fields);
    }

    /** Return what decides to which shard an object belongs; empty for the default of the kind, see {@link ShardKey}. */
    public Optional<ShardKey> shardKey() {
        return Optional.ofNullable(shardKey);
    }

    /** Return the function that changes objects before they are stored; empty by default. */
    public Optional<ObjectTransform> transform() {
        return Optional.ofNullable(transform).filter(set -> set != NO_TRANSFORM);
    }

    /** Return how bodies are stored; {@link StorageForm#COMPACT} by default. */
    public StorageForm storage() {
        return storage == null ? StorageForm.COMPACT : storage;
    }

    /** Return whether to drop the annotation {@code kubectl.kubernetes.io/last-applied-configuration}; false by default. */
    public boolean dropLastApplied() {
        return dropLastApplied != null && dropLastApplied;
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
        return change(draft -> draft.namespaces = newNamespaces);
    }

    /** Return a copy of these options with the given selector, which sets labels and fields. */
    public KindCacheOptions withSelector(ObjectSelector newSelector) {
        return change(draft -> {
            draft.labels = newSelector.labels();
            draft.fields = newSelector.fields();
        });
    }

    /**
     * Return a copy of these options with the given label selector; {@code ""} selects all objects.
     *
     * @throws IllegalArgumentException if the text is not a label selector
     */
    public KindCacheOptions withLabelSelector(String newLabels) {
        LabelSelector.parse(newLabels);
        return change(draft -> draft.labels = newLabels);
    }

    /** Return a copy of these options with the given field selector; {@code ""} selects all objects. */
    public KindCacheOptions withFieldSelector(String newFields) {
        return change(draft -> draft.fields = newFields);
    }

    /** Return a copy of these options with the given key of shards; see {@link CacheOptions#withShards}. */
    public KindCacheOptions withShardKey(ShardKey newShardKey) {
        return change(draft -> draft.shardKey = newShardKey);
    }

    /** Return a copy of these options with the given function, which changes objects before they are stored. */
    public KindCacheOptions withTransform(ObjectTransform newTransform) {
        return change(draft -> draft.transform = newTransform);
    }

    /** Return a copy of these options without a function that changes objects. */
    public KindCacheOptions withoutTransform() {
        return change(draft -> draft.transform = NO_TRANSFORM);
    }

    /** Return a copy of these options with the given form of storage. */
    public KindCacheOptions withStorage(StorageForm newStorage) {
        return change(draft -> draft.storage = newStorage);
    }

    /**
     * Return a copy of these options that drops the annotation {@code kubectl.kubernetes.io/last-applied-configuration},
     * a second copy of the object, or keeps it.
     */
    public KindCacheOptions withDropLastApplied(boolean newDropLastApplied) {
        return change(draft -> draft.dropLastApplied = newDropLastApplied);
    }

    private KindCacheOptions change(Consumer<Draft> change) {
        Draft draft = new Draft();
        draft.namespaces = namespaces;
        draft.labels = labels;
        draft.fields = fields;
        draft.shardKey = shardKey;
        draft.transform = transform;
        draft.storage = storage;
        draft.dropLastApplied = dropLastApplied;
        change.accept(draft);
        return new KindCacheOptions(draft);
    }

    /** Return these options with everything that is not set taken from others. */
    KindCacheOptions inherit(KindCacheOptions parent) {
        return change(draft -> {
            draft.namespaces = own(parent, options -> options.namespaces);
            draft.labels = own(parent, options -> options.labels);
            draft.fields = own(parent, options -> options.fields);
            draft.shardKey = own(parent, options -> options.shardKey);
            draft.transform = own(parent, options -> options.transform);
            draft.storage = own(parent, options -> options.storage);
            draft.dropLastApplied = own(parent, options -> options.dropLastApplied);
        });
    }

    private <V> @Nullable V own(KindCacheOptions parent, Function<KindCacheOptions, @Nullable V> setting) {
        V own = setting.apply(this);
        return own == null ? setting.apply(parent) : own;
    }

    /** Return whether namespaces are set. */
    boolean hasNamespaces() {
        return namespaces != null;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KindCacheOptions that
                && Objects.equals(namespaces, that.namespaces)
                && Objects.equals(labels, that.labels)
                && Objects.equals(fields, that.fields)
                && Objects.equals(shardKey, that.shardKey)
                && Objects.equals(transform, that.transform)
                && storage == that.storage
                && Objects.equals(dropLastApplied, that.dropLastApplied);
    }

    @Override
    public int hashCode() {
        return Objects.hash(namespaces, labels, fields, shardKey, transform, storage, dropLastApplied);
    }

    @Override
    public String toString() {
        return "KindCacheOptions[" + namespaces() + ", " + selector() + ", "
                + (shardKey == null ? "" : shardKey + ", ") + (transform().isPresent() ? "transform, " : "") + storage()
                + (dropLastApplied() ? ", dropLastApplied" : "") + "]";
    }

    private static final class Draft {
        private @Nullable CachedNamespaces namespaces;
        private @Nullable String labels;
        private @Nullable String fields;
        private @Nullable ShardKey shardKey;
        private @Nullable ObjectTransform transform;
        private @Nullable StorageForm storage;
        private @Nullable Boolean dropLastApplied;
    }
}
