package io.github.reconciler4j.reconcile;

/**
 * Reports a failed reconciliation in the status of its object.
 *
 * <p>The controller calls it after a reconciliation or cleanup threw an exception, and writes what it changed in the
 * status as one patch. If nothing changed, nothing is written. It is not called for a conflict, which a retry normally
 * resolves, nor for a reconciliation that was interrupted because the controller stops, nor if the object no longer
 * exists. If it fails, or if the status cannot be written, the failure is logged; the original exception always decides
 * about the retry.
 *
 * <p>It is called again for every failed retry. Values that differ each time, such as a count of attempts, cause a write
 * each time; with {@code ReconcileOn.ANY_CHANGE}, each of these writes also leads to a reconciliation.
 *
 * <p>Must be thread-safe if the controller has several workers.
 *
 * <!-- snippet: BucketReconciler -->
 * <pre>{@code
 * public void updateErrorStatus(Bucket bucket, Exception error, ReconcileContext context) {
 *     Conditions.of(bucket.getStatus().getConditions(), bucket)
 *             .setFalse("Ready", "StorageFailed", "The storage does not respond");
 * }
 * }</pre>
 *
 * @param <T> the class of the object
 * @since 0.1.0
 */
@FunctionalInterface
public interface ErrorStatusHandler<T> {

    /**
     * Change the status of an object so that it shows an error.
     *
     * @param object a copy of the object as the cache has it now; nothing but its status may be changed
     * @param error the exception that the reconciler or cleaner threw; an {@link Error} is the cause of a
     *     {@link java.util.concurrent.ExecutionException}
     * @param context the context of the failed call
     */
    void updateErrorStatus(T object, Exception error, ReconcileContext context);
}
