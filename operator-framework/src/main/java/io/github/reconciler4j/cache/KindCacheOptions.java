package io.github.reconciler4j.cache;

import java.util.Optional;
import java.util.Set;

/**
 * How one kind is cached. Immutable.
 *
 * @param namespaces the namespaces to watch, one watch each; empty (the default) is all of them with one watch
 * @param labelSelector what to watch, as {@code kubectl -l} takes it; {@code ""} (the default) is everything
 * @param fieldSelector what to watch, as {@code kubectl --field-selector} takes it and the server supports for the
 *     kind; {@code ""} (the default) is everything
 * @param transform changes objects before they are kept; empty by default. {@code managedFields} are left out in any
 *     case
 * @param storage how bodies are kept (default {@link StorageForm#COMPACT})
 * @param dropLastApplied whether to leave out the annotation {@code kubectl.kubernetes.io/last-applied-configuration}
 *     (default false)
 */
public record KindCacheOptions(
        Set<String> namespaces,
        String labelSelector,
        String fieldSelector,
        Optional<ObjectTransform> transform,
        StorageForm storage,
        boolean dropLastApplied) {

    private static final KindCacheOptions DEFAULTS =
            new KindCacheOptions(Set.of(), "", "", Optional.empty(), StorageForm.COMPACT, false);

    /** Checks that no namespace is blank. */
    public KindCacheOptions {
        namespaces = Set.copyOf(namespaces);
        if (namespaces.stream().anyMatch(String::isBlank)) {
            throw new IllegalArgumentException("'namespaces' must not contain a blank name; leave it empty for all");
        }
    }

    /** Everything of a kind. */
    public static KindCacheOptions defaults() {
        return DEFAULTS;
    }

    /** The same for these namespaces only. */
    public KindCacheOptions withNamespaces(Set<String> newNamespaces) {
        return new KindCacheOptions(newNamespaces, labelSelector, fieldSelector, transform, storage, dropLastApplied);
    }

    /** The same with another label selector. */
    public KindCacheOptions withLabelSelector(String newLabelSelector) {
        return new KindCacheOptions(namespaces, newLabelSelector, fieldSelector, transform, storage, dropLastApplied);
    }

    /** The same with another field selector. */
    public KindCacheOptions withFieldSelector(String newFieldSelector) {
        return new KindCacheOptions(namespaces, labelSelector, newFieldSelector, transform, storage, dropLastApplied);
    }

    /** The same with a transform. */
    public KindCacheOptions withTransform(ObjectTransform newTransform) {
        return new KindCacheOptions(
                namespaces, labelSelector, fieldSelector, Optional.of(newTransform), storage, dropLastApplied);
    }

    /** The same with another form of storage. */
    public KindCacheOptions withStorage(StorageForm newStorage) {
        return new KindCacheOptions(namespaces, labelSelector, fieldSelector, transform, newStorage, dropLastApplied);
    }

    /** The same, leaving out the annotation of {@code kubectl apply} or not. */
    public KindCacheOptions withDropLastApplied(boolean newDropLastApplied) {
        return new KindCacheOptions(namespaces, labelSelector, fieldSelector, transform, storage, newDropLastApplied);
    }
}
