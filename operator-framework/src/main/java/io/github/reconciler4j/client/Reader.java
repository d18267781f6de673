package io.github.reconciler4j.client;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.List;
import java.util.Optional;

/**
 * Reads objects in three forms: as instances of a class, as generic resources, and as headers, which contain the metadata
 * only. Every returned object is a copy that belongs to the caller. All methods throw {@link ApiException} if the objects
 * cannot be read. Thread-safe.
 *
 * @since 0.1.0
 */
public interface Reader {

    /** Return the object with the given key, or empty if it does not exist. */
    <T extends HasMetadata> Optional<T> get(Class<T> type, ObjectKey key);

    /** Return the object with the given namespace and name, or empty if it does not exist. */
    default <T extends HasMetadata> Optional<T> get(Class<T> type, String namespace, String name) {
        return get(type, ObjectKey.of(namespace, name));
    }

    /**
     * Return the cluster-scoped object with the given name, or empty if it does not exist. A client from
     * {@link Client#inNamespace} also accepts kinds with namespaces.
     */
    default <T extends HasMetadata> Optional<T> get(Class<T> type, String name) {
        return get(type, ObjectKey.ofName(name));
    }

    /** Return the object with the given key as a generic resource, or empty if it does not exist. */
    Optional<GenericKubernetesResource> get(GroupVersionKind kind, ObjectKey key);

    /** Return all objects of a kind. */
    default <T extends HasMetadata> List<T> list(Class<T> type) {
        return list(type, ListOptions.all());
    }

    /** Return all objects of a kind in the given namespace. */
    default <T extends HasMetadata> List<T> list(Class<T> type, String namespace) {
        return list(type, ListOptions.inNamespace(namespace));
    }

    /** Return the objects of a kind that the options select. */
    <T extends HasMetadata> List<T> list(Class<T> type, ListOptions options);

    /** Return the objects of a kind that the options select as generic resources. */
    List<GenericKubernetesResource> list(GroupVersionKind kind, ListOptions options);

    /**
     * Return the objects of a kind that have an owner reference with the uid of the given owner, whether or not it is their
     * controller. Of an owner with a namespace only objects in that namespace are returned, since it cannot own others. The
     * cache uses an index for this; the API server has none, so {@link Client#live} lists the namespace.
     *
     * @throws IllegalArgumentException if the owner has no uid
     */
    <T extends HasMetadata> List<T> listOwned(HasMetadata owner, Class<T> type);

    /** Return the objects that the given owner owns as generic resources; see {@link #listOwned(HasMetadata, Class)}. */
    List<GenericKubernetesResource> listOwned(HasMetadata owner, GroupVersionKind kind);

    /** Return whether the object with the given key exists. Reads its header only. */
    default boolean exists(Class<? extends HasMetadata> type, ObjectKey key) {
        return header(type, key).isPresent();
    }

    /** Return whether the object with the given key exists. Reads its header only. */
    default boolean exists(GroupVersionKind kind, ObjectKey key) {
        return header(kind, key).isPresent();
    }

    /** Return the header of the object with the given key, or empty if it does not exist. */
    Optional<ObjectHeader> header(Class<? extends HasMetadata> type, ObjectKey key);

    /** Return the header of the object with the given key, or empty if it does not exist. */
    Optional<ObjectHeader> header(GroupVersionKind kind, ObjectKey key);

    /** Return the headers of the objects of a kind that the options select. */
    List<ObjectHeader> headers(Class<? extends HasMetadata> type, ListOptions options);

    /** Return the headers of the objects of a kind that the options select. */
    List<ObjectHeader> headers(GroupVersionKind kind, ListOptions options);
}
