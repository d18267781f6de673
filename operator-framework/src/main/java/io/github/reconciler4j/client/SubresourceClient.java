package io.github.reconciler4j.client;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResource;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.KindNotServedException;
import io.github.reconciler4j.client.error.NotFoundException;
import java.util.function.Consumer;

/**
 * Writes one subresource, for example {@code status}, of any object. It throws the same exceptions as {@link Writer}, and
 * {@link KindNotServedException} if the kind does not have the subresource. Thread-safe.
 *
 * <!-- snippet: WriteUse -->
 * <pre>{@code
 * Long generation = deployment.getMetadata().getGeneration();
 * client.status().edit(deployment, changed -> changed.getStatus().setObservedGeneration(generation));
 * }</pre>
 *
 * @since 0.1.0
 */
public interface SubresourceClient {

    /** Change the subresource of an object; see {@link #edit(HasMetadata, Consumer, WriteOptions)}. */
    default <T extends HasMetadata> T edit(T object, Consumer<T> change) {
        return edit(object, change, WriteOptions.defaults());
    }

    /**
     * Let {@code change} modify a copy of an object and send the difference as a merge patch to the subresource. If nothing
     * differs, nothing is sent and a copy of the object is returned. The given object is not changed.
     *
     * <pre>{@code client.status().edit(app, changed -> changed.setStatus(new AppStatus("Ready")));}</pre>
     *
     * <p>Only what differs is written, regardless of the version on the server, and concurrent changes of the rest are kept. Items
     * of lists are added, changed and removed in the list that the server has: those with a key (such as {@code name} or
     * {@code type}) by key, others by value. After a conflict, the difference is made again in the current list, up to 10 times;
     * {@code change} is called once. That needs the permission {@code get}; without it, or without a resourceVersion, the list is
     * replaced. To write only if the object has not changed since it was read, use {@link #update}, or {@link #patch} with
     * {@link ObjectPatch#lockedBetween}.
     *
     * @param change changes nothing but the subresource
     * @return the object as it is now
     * @throws IllegalArgumentException if {@code change} modifies something else than the status of a {@code status}
     *     subresource, which the server would ignore
     * @throws NotFoundException if the object does not exist
     * @throws ConflictException if a list has changed before each of 10 attempts
     */
    <T extends HasMetadata> T edit(T object, Consumer<T> change, WriteOptions options);

    /** Write the changes of the subresource; see {@link #update(HasMetadata, WriteOptions)}. */
    default <T extends HasMetadata> T update(T object) {
        return update(object, WriteOptions.defaults());
    }

    /**
     * Write the changes of the subresource of an object that was read, if it still has the resourceVersion of the given object. What
     * the class does not know stays, as in {@link Writer#update(HasMetadata, WriteOptions)}, and an object that was built by hand
     * replaces. The rest of the object is ignored. The status is patched; for other subresources the object is read and
     * replaced.
     *
     * @throws ConflictException if the object has changed since it was read
     * @throws NotFoundException if the object does not exist
     */
    <T extends HasMetadata> T update(T object, WriteOptions options);

    /** Patch the subresource; see {@link #patch(HasMetadata, ObjectPatch, WriteOptions)}. */
    default <T extends HasMetadata> T patch(T object, ObjectPatch patch) {
        return patch(object, patch, WriteOptions.defaults());
    }

    /**
     * Patch the subresource. If the patch is empty, nothing is sent and a copy of {@code object} is returned.
     *
     * @throws NotFoundException if the object does not exist
     */
    <T extends HasMetadata> T patch(T object, ObjectPatch patch, WriteOptions options);

    /** Apply the subresource; see {@link #apply(HasMetadata, ApplyOptions)}. */
    default <T extends HasMetadata> T apply(T object) {
        return apply(object, ApplyOptions.defaults());
    }

    /**
     * Apply the subresource with server-side apply. Unlike {@link Writer#apply}, this always sends a request. For the
     * {@code status} subresource only the status is sent, so that the field manager owns nothing else.
     *
     * @throws NotFoundException if the object does not exist: a subresource cannot create it
     */
    <T extends HasMetadata> T apply(T object, ApplyOptions options);

    /**
     * Read a subresource that has its own form, for example {@code Scale}.
     *
     * @throws NotFoundException if the object does not exist
     */
    <R extends KubernetesResource> R read(HasMetadata of, Class<R> result);

    /**
     * Replace a subresource that has its own form.
     *
     * @throws NotFoundException if the object does not exist
     */
    <R extends KubernetesResource> R write(HasMetadata of, R body, WriteOptions options);

    /**
     * Post to a subresource, for example {@code eviction}, {@code binding} or {@code token}.
     *
     * @param result the class of the response, for example {@code Status} or {@code TokenRequest}
     */
    <R extends KubernetesResource> R post(
            HasMetadata of, KubernetesResource body, Class<R> result, WriteOptions options);
}
