package io.github.reconciler4j.external;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.reconcile.RequeueException;
import io.github.reconciler4j.reconcile.TerminalException;
import java.util.Optional;

/**
 * What a provider does for one kind of external resource. {@link ExternalResources} calls it, with one call at a time for an owner in
 * a process. During a change of leader, a call of the former process can still be under way. No call may change the owner.
 *
 * <p>Each call must end: set time limits in the client of your provider. What a call throws ends the reconciliation, which is
 * retried with a growing delay, except after a {@link TerminalException}. Must be thread-safe if the controller has several workers.
 *
 * <!-- snippet: StoredBuckets -->
 * <pre>{@code
 * public Creation creation() {
 *     return Creation.IDEMPOTENT;
 * }
 *
 * @Override
 * public Optional<StoredBucket> observe(Bucket owner, ExternalId id) throws IOException {
 *     return storage.find(id.key());
 * }
 *
 * @Override
 * public StoredBucket create(Bucket owner, ExternalId id) throws IOException {
 *     return storage.create(id.key());
 * }
 * }</pre>
 *
 * @param <T> the class of the owners
 * @param <I> what the provider says about a resource
 * @since 0.1.0
 */
public interface ExternalResource<T extends HasMetadata, I> {

    /** What happens if a creation is repeated whose answer was lost. */
    enum Creation {
        /**
         * A creation with the same key never makes a second resource: the key is the name, or the provider has idempotency keys that
         * do not expire.
         */
        IDEMPOTENT,
        /**
         * A second creation makes a second resource, but {@link ExternalResource#observe observe} finds a resource by its key, for
         * instance in a tag that is set in the same call as the creation.
         */
        FINDABLE,
        /**
         * A second creation makes a second resource, and the first one cannot be found without its id. After a lost answer, nothing is
         * created or deleted until a person has recorded what there is.
         */
        UNKNOWN
    }

    /** What happens to the resource when its owner is deleted, or when its variant changes. */
    enum DeletionPolicy {
        /** It is deleted, and the owner stays until the provider confirms it. The default. */
        DELETE,
        /** It stays without a manager. */
        ORPHAN
    }

    /** What the operator may do with the resource. */
    enum ManagementPolicy {
        /** Everything. The default. */
        FULL,
        /** Nothing but {@link ExternalResource#observe observe}. A deletion of the owner leaves the resource as it is. */
        OBSERVE_ONLY
    }

    /** Return what a repeated creation does. It must not change while the operator runs. */
    Creation creation();

    /**
     * Look for the resource: by its id if it is known, otherwise by the key. Return only what belongs to this owner, since it is
     * updated and deleted.
     *
     * @param owner the owner
     * @param id how the resource is called
     * @return the resource, or empty if the provider has no such resource
     * @throws Exception if the provider does not say so, for instance because it cannot be reached or refuses the credentials
     */
    Optional<I> observe(T owner, ExternalId id) throws Exception;

    /**
     * Create the resource. The key of {@code id} must become findable, or guard the call, in the same request.
     *
     * @param owner the owner
     * @param id its key is to be used; its id is empty
     * @return the resource as the provider describes it; it does not have to be ready
     * @throws TerminalException if nothing was created, and a retry is useless
     * @throws RequeueException if nothing was created, and a retry may help, for instance because of a limit
     * @throws Exception if it is not known whether something was created
     */
    I create(T owner, ExternalId id) throws Exception;

    /**
     * Make the resource equal to its owner. Can be called again before {@link #observe} shows the effect.
     *
     * @throws Exception if it must be retried
     */
    void update(T owner, ExternalId id, I observed) throws Exception;

    /**
     * Start to delete the resource. The owner stays until {@link #observe} finds nothing. A resource that is already being deleted,
     * or gone, is no failure. Is repeated after twice the settle time.
     *
     * @throws Exception if it must be retried
     */
    void delete(T owner, ExternalId id, I observed) throws Exception;

    /**
     * Return the id of a resource, which may be the key. Any text of at most 10,000 characters that is not blank and neither starts nor
     * ends with a blank; {@link #observe} receives it unchanged.
     */
    String idOf(I observed);

    /** Return whether the resource equals its owner, so that no update is needed. */
    boolean isUpToDate(T owner, I observed);

    /** Return whether the resource can be used. By default it can as soon as it exists. */
    default boolean isReady(I observed) {
        return true;
    }

    /**
     * Return the class of the resource, such as {@code mysql}, if a change of it needs another resource: the old one is deleted, and the
     * new one is created when it is gone. By default empty.
     *
     * @return empty, or at most 20 characters of {@code a-z}, {@code 0-9} and {@code -}
     */
    default String variant(T owner) {
        return "";
    }

    /** Return what happens when the owner is deleted. By default {@link DeletionPolicy#DELETE}. */
    default DeletionPolicy deletionPolicy(T owner) {
        return DeletionPolicy.DELETE;
    }

    /** Return what the operator may do. By default {@link ManagementPolicy#FULL}. */
    default ManagementPolicy managementPolicy(T owner) {
        return ManagementPolicy.FULL;
    }
}
