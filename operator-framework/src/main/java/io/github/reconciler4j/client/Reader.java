package io.github.reconciler4j.client;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.List;
import java.util.Optional;

/**
 * Reads objects in three forms, which their {@link Kind} names: as instances of a class, as generic resources, and as headers,
 * which contain the metadata only. Every returned object is a copy that belongs to the caller. All methods throw
 * {@link ApiException} if the objects cannot be read. Thread-safe.
 *
 * <!-- snippet: WriteUse -->
 * <pre>{@code
 * List<ConfigMap> children = client.listOwned(greeting, ConfigMap.class);
 * boolean known = client.exists(Kind.of(Secret.class), ObjectKey.of("shop", "login"));
 * return known && children.isEmpty() ? client.get(Secret.class, "shop", "login") : Optional.empty();
 * }</pre>
 *
 * @since 0.1.0
 */
public interface Reader {

    /** Return the object with the given key, or empty if it does not exist. */
    <T> Optional<T> get(Kind<T> kind, ObjectKey key);

    /** Return the object with the given key, or empty if it does not exist. */
    default <T extends HasMetadata> Optional<T> get(Class<T> type, ObjectKey key) {
        return get(Kind.of(type), key);
    }

    /** Return the object with the given namespace and name, or empty if it does not exist. */
    default <T extends HasMetadata> Optional<T> get(Class<T> type, String namespace, String name) {
        return get(Kind.of(type), ObjectKey.of(namespace, name));
    }

    /** Return the objects of a kind that the options select. */
    <T> List<T> list(Kind<T> kind, Selection options);

    /** Return all objects of a kind in the given namespace. */
    default <T> List<T> list(Kind<T> kind, String namespace) {
        return list(kind, Selection.inNamespace(namespace));
    }

    /** Return all objects of a kind in the given namespace. */
    default <T extends HasMetadata> List<T> list(Class<T> type, String namespace) {
        return list(Kind.of(type), Selection.inNamespace(namespace));
    }

    /** Return all objects of a kind. */
    default <T extends HasMetadata> List<T> list(Class<T> type) {
        return list(Kind.of(type), Selection.all());
    }

    /**
     * Return the objects of a kind that have an owner reference with the uid of the given owner, whether or not it is their
     * controller. Of an owner with a namespace only objects in that namespace are returned, since it cannot own others. The
     * cache uses an index for this; the API server has none, so {@link Client#live} lists the namespace.
     *
     * @throws IllegalArgumentException if the owner has no uid
     */
    <T> List<T> listOwned(HasMetadata owner, Kind<T> kind);

    /** Return the objects that the given owner owns; see {@link #listOwned(HasMetadata, Kind)}. */
    default <T extends HasMetadata> List<T> listOwned(HasMetadata owner, Class<T> type) {
        return listOwned(owner, Kind.of(type));
    }

    /** Return whether the object with the given key exists. Reads its metadata only. */
    default boolean exists(Kind<?> kind, ObjectKey key) {
        return get(kind.metadata(), key).isPresent();
    }
}
