package io.github.reconciler4j.client;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.error.AlreadyExistsException;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.client.error.InvalidObjectException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.client.error.WriteRefusedException;
import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.scheme.ObjectKey;

/**
 * Writes objects on the API server. What is passed in is never changed; what the server answers comes back as a new
 * object of the same class. A {@link GenericKubernetesResource} can stand for any kind, and for a part of an object
 * where a part will do ({@link #apply}).
 *
 * <p>Every method throws the {@link ApiException} that fits the server's answer, {@link ConnectionException} if none
 * came, {@link WriteRefusedException} if this program may not write now, and {@link IllegalArgumentException} for an
 * object without a name or, if its kind has namespaces, without one. Safe for use by many threads.
 *
 * @since 0.1.0
 */
public interface Writer {

    /** Creates an object; its name, or {@code generateName}, must be set. */
    default <T extends HasMetadata> T create(T object) {
        return create(object, WriteOptions.defaults());
    }

    /**
     * Creates an object.
     *
     * @throws AlreadyExistsException if there is one of that name
     * @throws InvalidObjectException if the server finds it invalid
     */
    <T extends HasMetadata> T create(T object, WriteOptions options);

    /** Replaces an object, status excepted; with the resourceVersion it was read with. */
    default <T extends HasMetadata> T update(T object) {
        return update(object, WriteOptions.defaults());
    }

    /**
     * Replaces an object, status excepted.
     *
     * @throws ConflictException if it has changed since it was read
     * @throws NotFoundException if there is none
     */
    <T extends HasMetadata> T update(T object, WriteOptions options);

    /** Patches the object that has this object's name; see {@link #patch(HasMetadata, Patch, WriteOptions)}. */
    default <T extends HasMetadata> T patch(T object, Patch patch) {
        return patch(object, patch, WriteOptions.defaults());
    }

    /**
     * Patches the object that has this object's name. If the patch is empty nothing is sent and a copy of
     * {@code object} is returned.
     *
     * @throws NotFoundException if there is none
     * @throws ConflictException if the patch asks for a version that is not the newest
     */
    <T extends HasMetadata> T patch(T object, Patch patch, WriteOptions options);

    /** Patches an object by name; an empty patch is sent all the same. */
    <T extends HasMetadata> T patch(Class<T> type, ObjectKey key, Patch patch, WriteOptions options);

    /** Patches an object by name, in its generic form; an empty patch is sent all the same. */
    GenericKubernetesResource patch(GroupVersionKind kind, ObjectKey key, Patch patch, WriteOptions options);

    /** Applies an object, taking over fields of other managers. */
    default <T extends HasMetadata> T apply(T object) {
        return apply(object, ApplyOptions.defaults());
    }

    /**
     * Server-side apply: creates the object or makes it have the fields given, which the field manager owns from then
     * on; fields it applied before and leaves out now are removed. {@code managedFields}, {@code creationTimestamp},
     * {@code generation} and, unless asked for, {@code resourceVersion} are not sent.
     *
     * @throws ConflictException if another manager owns a field and force is off, or the version asked for is not the
     *     newest
     */
    <T extends HasMetadata> T apply(T object, ApplyOptions options);

    /** Deletes the object that has this object's name. */
    default boolean delete(HasMetadata object) {
        return delete(object, DeleteOptions.defaults());
    }

    /**
     * Deletes the object that has this object's name. It may stay for a while with a deletion timestamp, for its
     * finalizers or its grace period.
     *
     * @return whether there was one
     * @throws ConflictException if a precondition does not hold
     */
    boolean delete(HasMetadata object, DeleteOptions options);

    /** Deletes an object by name; see {@link #delete(HasMetadata, DeleteOptions)}. */
    boolean delete(Class<? extends HasMetadata> type, ObjectKey key, DeleteOptions options);

    /** Deletes an object by name; see {@link #delete(HasMetadata, DeleteOptions)}. */
    boolean delete(GroupVersionKind kind, ObjectKey key, DeleteOptions options);

    /**
     * Deletes all objects of a kind that the options select, in one request; not atomic. A kind with namespaces needs
     * one.
     *
     * @throws IllegalArgumentException if the namespace is missing or {@code select} has a limit
     */
    void deleteAll(Class<? extends HasMetadata> type, ListOptions select, DeleteOptions options);

    /** Deletes all objects of a kind that the options select; see {@link #deleteAll(Class, ListOptions, DeleteOptions)}. */
    void deleteAll(GroupVersionKind kind, ListOptions select, DeleteOptions options);
}
