package io.github.reconciler4j.client;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResource;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.NotFoundException;

/**
 * Writes one subresource, for instance {@code status}, of any object. The same promises and errors as {@link Writer}.
 * Safe for use by many threads.
 *
 * @since 0.1.0
 */
public interface SubresourceClient {

    /** Replaces the subresource with what the object says of it; the rest of the object is ignored by the server. */
    default <T extends HasMetadata> T update(T object) {
        return update(object, WriteOptions.defaults());
    }

    /**
     * Replaces the subresource with what the object says of it; the rest of the object is ignored by the server.
     *
     * @throws ConflictException if the object has changed since it was read
     * @throws NotFoundException if there is none
     */
    <T extends HasMetadata> T update(T object, WriteOptions options);

    /** Patches through the subresource; see {@link #patch(HasMetadata, Patch, WriteOptions)}. */
    default <T extends HasMetadata> T patch(T object, Patch patch) {
        return patch(object, patch, WriteOptions.defaults());
    }

    /** Patches through the subresource. If the patch is empty nothing is sent and a copy of {@code object} returned. */
    <T extends HasMetadata> T patch(T object, Patch patch, WriteOptions options);

    /** Applies the subresource; see {@link #apply(HasMetadata, ApplyOptions)}. */
    default <T extends HasMetadata> T apply(T object) {
        return apply(object, ApplyOptions.defaults());
    }

    /**
     * Applies the subresource. Of {@code status} only the status is sent, so that nothing else comes to belong to the
     * field manager.
     *
     * @throws NotFoundException if there is no such object: a subresource cannot create one
     */
    <T extends HasMetadata> T apply(T object, ApplyOptions options);

    /**
     * Reads a subresource that has a form of its own, for instance {@code Scale}.
     *
     * @throws NotFoundException if there is none
     */
    <R extends KubernetesResource> R read(HasMetadata of, Class<R> result);

    /** Replaces a subresource that has a form of its own. */
    <R extends KubernetesResource> R write(HasMetadata of, R body, WriteOptions options);

    /**
     * Posts to a subresource: {@code eviction}, {@code binding}, {@code token}.
     *
     * @param result the form of the answer, for instance {@code Status} or {@code TokenRequest}
     */
    <R extends KubernetesResource> R post(
            HasMetadata of, KubernetesResource body, Class<R> result, WriteOptions options);
}
