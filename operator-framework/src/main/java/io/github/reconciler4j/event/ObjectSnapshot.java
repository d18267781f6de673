package io.github.reconciler4j.event;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The state of an object at one moment. The header is always decoded; the object is decoded on its first use, at most once
 * per snapshot. Thread-safe.
 *
 * <!-- snippet: WatchingReconciler -->
 * <pre>{@code
 * Stream<ObjectKey> pagesIn(ObjectHeader namespace) {
 *     return cache.informer(WebPage.class).list(namespace.key().name()).stream()
 *             .map(page -> page.key());
 * }
 * }</pre>
 *
 * @param <T> the class the object is decoded into
 * @since 0.1.0
 */
public interface ObjectSnapshot<T> {

    /** Return the metadata. Does not decode the object. */
    ObjectHeader header();

    /**
     * Return the object. The first call decodes it; later calls return the same instance, which all handlers of an event share
     * and must not change.
     *
     * @throws RuntimeException if the object does not fit its class; the client's {@code UndecodableObjectException}
     */
    T object();

    /** Return the namespace and name. */
    default ObjectKey key() {
        return header().key();
    }

    /**
     * Return the uids of the owners that a foreground deletion keeps until this object is gone: those of the owner references
     * with {@code blockOwnerDeletion}. A snapshot of the cache does not decode the object for that; others take them from the
     * object, and have none without one that has metadata. Unmodifiable.
     */
    default Set<String> blockedOwners() {
        return object() instanceof HasMetadata resource && resource.getMetadata() != null
                ? Objects.requireNonNullElse(resource.getMetadata().getOwnerReferences(), List.<OwnerReference>of())
                        .stream()
                        .filter(owner -> Boolean.TRUE.equals(owner.getBlockOwnerDeletion()))
                        .map(OwnerReference::getUid)
                        .filter(Objects::nonNull)
                        .collect(Collectors.toUnmodifiableSet())
                : Set.of();
    }
}
