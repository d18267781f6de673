package io.github.reconciler4j.reconcile;

/**
 * Cleans up before an object is deleted: cloud resources, objects in other namespaces, anything that garbage collection
 * does not remove.
 *
 * <p>A controller with a cleaner adds its finalizer to every object before the first reconciliation. When an object is
 * marked for deletion, the controller calls the cleaner instead of the reconciler, and removes the finalizer when the
 * cleaner is done. Only then can the API server remove the object. Finalizers of others are never touched.
 *
 * <p>Must be idempotent: it is called again until it is done, possibly in another process. Must be thread-safe if the
 * controller has several workers.
 *
 * <!-- snippet: ShopReconciler -->
 * <pre>{@code
 * public CleanupResult cleanup(Shop shop, ReconcileContext context) {
 *     return sets.delete(children(shop)).toCleanupResult();
 * }
 * }</pre>
 *
 * @param <T> the class of the object
 * @since 0.1.0
 */
@FunctionalInterface
public interface Cleaner<T> {

    /**
     * Clean up what belongs to an object that is marked for deletion.
     *
     * @param object the object; a copy that may be changed
     * @param context the context of this call
     * @return whether the object can be removed now; never null
     * @throws Exception if it must be retried, with a growing delay; the finalizer stays
     */
    CleanupResult cleanup(T object, ReconcileContext context) throws Exception;
}
