package io.github.reconciler4j.reconcile;

/**
 * Brings the world in line with one object. Gets the object as the cache has it, a copy of its own that it may change;
 * is not called for an object that no longer exists, so what has to happen before an object goes belongs to a
 * finalizer.
 *
 * <p>Must be safe for use by many threads if the controller has several workers; the same object is never handed to two
 * of them at the same time. Must give the same outcome however often it runs, since several changes can lead to one run
 * and one change to several.
 *
 * @param <T> the class of the object
 * @since 0.1.0
 */
@FunctionalInterface
public interface ObjectReconciler<T> {

    /**
     * Reconciles one object.
     *
     * @param object the object; also one that is being deleted ({@code metadata.deletionTimestamp} is set)
     * @param context what is known of this run
     * @return when to come back; never null
     * @throws TerminalException if trying again is useless until something changes
     * @throws Exception for anything else: it is tried again, after delays that grow
     */
    Result reconcile(T object, ReconcileContext context) throws Exception;
}
