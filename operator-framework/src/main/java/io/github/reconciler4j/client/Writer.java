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
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;

/**
 * Writes objects to the API server. Arguments are never changed; the server's response is returned as a new object of the
 * same class. A {@link GenericKubernetesResource} can represent an object of any kind, and a part of an object where a part
 * is sufficient ({@link #apply}).
 *
 * <p>Every method throws the {@link ApiException} that corresponds to the server's response, {@link ConnectionException}
 * without a response, {@link WriteRefusedException} if this program must not write at the moment, and
 * {@link IllegalArgumentException} for an object without a name or, if its kind has namespaces, without a namespace, and for
 * names that cannot be part of a path. Thread-safe.
 *
 * <!-- snippet: WriteUse -->
 * <pre>{@code
 * ConfigMap created = client.create(wanted);
 * created.getData().put("mode", "fast");
 * client.update(created); // fails with a ConflictException if it has changed
 * client.delete(created);
 * }</pre>
 *
 * @since 0.1.0
 */
public interface Writer {

    /** Create an object; its name or {@code generateName} must be set. */
    default <T extends HasMetadata> T create(T object) {
        return create(object, WriteOptions.defaults());
    }

    /**
     * Create an object with the given options.
     *
     * @throws AlreadyExistsException if an object with this name exists
     * @throws InvalidObjectException if the server rejects the object as invalid
     */
    <T extends HasMetadata> T create(T object, WriteOptions options);

    /** Write the changes of an object if it still has the resourceVersion of the given one; see {@link #update(HasMetadata, WriteOptions)}. */
    default <T extends HasMetadata> T update(T object) {
        return update(object, WriteOptions.defaults());
    }

    /**
     * Write the changes of an object that was read, except those of its status, if it still has the resourceVersion of the given
     * object. The server receives the difference from the object as it was read, as a merge patch, which needs the permission
     * {@code patch}. What the class does not know, the cache does not keep or the program may only read stays as it is, in items of
     * lists too. A field that was set to null is removed. Without a difference, only the version is checked.
     *
     * <p>The object as it was read is in the cache, or among the last objects that the server has sent; otherwise it is read again.
     * An object that was built by hand, without {@code uid} or without {@code resourceVersion}, replaces the whole object on the
     * server, regardless of its version if it has none; that needs the permission {@code update}.
     *
     * @throws ConflictException if the object has changed since it was read
     * @throws NotFoundException if the object does not exist
     */
    <T extends HasMetadata> T update(T object, WriteOptions options);

    /** Patch the object with the name of the given object; see {@link #patch(HasMetadata, ObjectPatch, WriteOptions)}. */
    default <T extends HasMetadata> T patch(T object, ObjectPatch patch) {
        return patch(object, patch, WriteOptions.defaults());
    }

    /**
     * Patch the object with the name of the given object. If the patch is empty, nothing is sent and a copy of
     * {@code object} is returned.
     *
     * @throws NotFoundException if the object does not exist
     * @throws ConflictException if the patch is locked to a version that is not the current one
     */
    <T extends HasMetadata> T patch(T object, ObjectPatch patch, WriteOptions options);

    /**
     * Patch the object with the given key. An empty patch is sent too, since there is no object to return.
     *
     * @param kind the kind, in the form in which the object is returned
     */
    <T extends HasMetadata> T patch(Kind<T> kind, ObjectKey key, ObjectPatch patch, WriteOptions options);

    /** Apply an object unless that would change nothing; see {@link #apply(HasMetadata, ApplyOptions)}. */
    default <T extends HasMetadata> T apply(T object) {
        return apply(object, ApplyOptions.defaults());
    }

    /**
     * Create an object, or set the given fields of an existing one, with server-side apply. The field manager owns the fields
     * from then on; fields that it applied before and omits now are removed. {@code managedFields},
     * {@code creationTimestamp}, {@code generation} and, unless requested, {@code resourceVersion} are not sent. Build the object
     * yourself: for one that was read, with a {@code creationTimestamp}, the client logs a warning, since the field manager would
     * own all its fields. To change such an object, edit or update it.
     *
     * <p>Nothing is sent if the apply would change nothing, so a reconciler can apply its whole desired state each time. The
     * client compares a digest of what it last applied to the object, with the same field manager and force, and the fields
     * that the object has now (in the cache) with those that the server returned then. Other fields are ignored; a list
     * counts as one field. {@link #applyWithOutcome} returns whether a request was sent.
     *
     * <p>The object is read from the cache if that holds its kind at the moment, otherwise from the server: an apply neither
     * starts a watch nor waits for one. If it cannot be read, it is applied.
     *
     * <p>The client remembers the 50,000 objects used most recently. For any other object, above all after a restart, it
     * reads the object from the server once, unless the cache shows a difference already. It applies nothing if the field
     * manager owns exactly the given fields according to {@code managedFields}, and they have the given values.
     *
     * <p>If the client cannot rule out a change, it applies: at the first apply after a restart of a value that is written
     * differently than the server does ({@code 1000m}), is empty or null, or lacks defaults within a list or map that the
     * server treats as one value; after the object was deleted and recreated; if the object does not fit its class; if a list
     * that it sets has received entries or values from others; always with an optimistic lock and in dry runs. It does not
     * detect that another field manager took over a field with the same value.
     *
     * @return the object as it is now
     * @throws ConflictException if another manager owns a field and force is off, or if the requested version is not the
     *     current one
     */
    default <T extends HasMetadata> T apply(T object, ApplyOptions options) {
        return applyWithOutcome(object, options).object();
    }

    /**
     * Apply an object as {@link #apply(HasMetadata, ApplyOptions)} does and return what was done: the outcome is
     * {@code CREATED}, {@code UPDATED} if a request was sent for an existing object, or {@code UNCHANGED} if nothing was
     * sent.
     */
    <T extends HasMetadata> OperationResult<T> applyWithOutcome(T object, ApplyOptions options);

    /**
     * Apply an object as {@link #apply(HasMetadata, ApplyOptions)} does, but always send the request. This ensures that the
     * field manager owns the given fields, and reads nothing.
     *
     * @throws ConflictException as {@link #apply(HasMetadata, ApplyOptions)} does
     */
    <T extends HasMetadata> T applyUnconditionally(T object, ApplyOptions options);

    /** Delete the object with the name of the given object; see {@link #delete(HasMetadata, DeletionOptions)}. */
    default boolean delete(HasMetadata object) {
        return delete(object, DeletionOptions.defaults());
    }

    /**
     * Delete the object with the name of the given object. The object may remain for some time with a deletion timestamp,
     * because of finalizers or its grace period.
     *
     * @return whether the object existed
     * @throws ConflictException if a precondition is not met
     */
    boolean delete(HasMetadata object, DeletionOptions options);

    /** Delete the object with the given key; see {@link #delete(HasMetadata, DeletionOptions)}. */
    boolean delete(Kind<?> kind, ObjectKey key, DeletionOptions options);

    /**
     * Delete all objects of a kind that the options select with one request. The operation is not atomic. A kind with
     * namespaces requires a namespace.
     *
     * @throws IllegalArgumentException if the namespace is missing or {@code select} has a limit
     */
    void deleteAll(Kind<?> kind, Selection select, DeletionOptions options);
}
