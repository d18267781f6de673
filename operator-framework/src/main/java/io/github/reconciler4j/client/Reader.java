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
 * Reads objects in the three forms they can have: as instances of their class, generic, and as headers only. Every
 * object returned is the caller's own copy. Safe for use by many threads.
 *
 * @since 0.1.0
 */
public interface Reader {

    /**
     * One object, empty if there is none.
     *
     * @throws ApiException if it cannot be told whether there is one
     */
    <T extends HasMetadata> Optional<T> get(Class<T> type, ObjectKey key);

    /**
     * The objects of a kind that the options select.
     *
     * @throws ApiException if they cannot be read
     */
    <T extends HasMetadata> List<T> list(Class<T> type, ListOptions options);

    /** One object in its generic form, empty if there is none. */
    Optional<GenericKubernetesResource> get(GroupVersionKind kind, ObjectKey key);

    /** The objects of a kind that the options select, in their generic form. */
    List<GenericKubernetesResource> list(GroupVersionKind kind, ListOptions options);

    /** One object's header, empty if there is no such object. */
    Optional<ObjectHeader> header(GroupVersionKind kind, ObjectKey key);

    /** The headers of the objects of a kind that the options select. */
    List<ObjectHeader> headers(GroupVersionKind kind, ListOptions options);
}
