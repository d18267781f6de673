package io.github.reconciler4j.cache;

import java.util.Optional;
import java.util.Set;

/**
 * How one kind is cached. Immutable.
 *
 * @param namespaces in which namespaces to watch (default all of them, with one watch)
 * @param selector what to watch (default everything); a namespace may have a selector of its own
 * @param transform changes objects before they are kept; empty by default. {@code managedFields} are left out in any
 *     case
 * @param storage how bodies are kept (default {@link StorageForm#COMPACT})
 * @param dropLastApplied whether to leave out the annotation {@code kubectl.kubernetes.io/last-applied-configuration}
 *     (default false)
 * @since 0.1.0
 */
public record KindCacheOptions(
        CachedNamespaces namespaces,
        ObjectSelector selector,
        Optional<ObjectTransform> transform,
        StorageForm storage,
        boolean dropLastApplied) {

    private static final KindCacheOptions DEFAULTS = new KindCacheOptions(
            CachedNamespaces.all(), ObjectSelector.everything(), Optional.empty(), StorageForm.COMPACT, false);

    /** Everything of a kind. */
    public static KindCacheOptions defaults() {
        return DEFAULTS;
    }

    /** The same for these namespaces only, with a watch each; none means all of them, with one watch. */
    public KindCacheOptions withNamespaces(Set<String> names) {
        return withNamespaces(names.isEmpty() ? CachedNamespaces.all() : CachedNamespaces.only(names));
    }

    /** The same in other namespaces. */
    public KindCacheOptions withNamespaces(CachedNamespaces newNamespaces) {
        return new KindCacheOptions(newNamespaces, selector, transform, storage, dropLastApplied);
    }

    /** The same with another selector. */
    public KindCacheOptions withSelector(ObjectSelector newSelector) {
        return new KindCacheOptions(namespaces, newSelector, transform, storage, dropLastApplied);
    }

    /** The same with another label selector. */
    public KindCacheOptions withLabelSelector(String labels) {
        return withSelector(selector.withLabels(labels));
    }

    /** The same with another field selector. */
    public KindCacheOptions withFieldSelector(String fields) {
        return withSelector(selector.withFields(fields));
    }

    /** The same with a transform. */
    public KindCacheOptions withTransform(ObjectTransform newTransform) {
        return new KindCacheOptions(namespaces, selector, Optional.of(newTransform), storage, dropLastApplied);
    }

    /** The same with another form of storage. */
    public KindCacheOptions withStorage(StorageForm newStorage) {
        return new KindCacheOptions(namespaces, selector, transform, newStorage, dropLastApplied);
    }

    /** The same, leaving out the annotation of {@code kubectl apply} or not. */
    public KindCacheOptions withDropLastApplied(boolean newDropLastApplied) {
        return new KindCacheOptions(namespaces, selector, transform, storage, newDropLastApplied);
    }
}
