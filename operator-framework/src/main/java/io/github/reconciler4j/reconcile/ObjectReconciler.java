package io.github.reconciler4j.reconcile;

/**
 * Reconciles objects of one kind. Receives a copy of the object from the cache, which it may change. A request whose
 * object does not exist is finished without a call, so work that must happen before an object disappears belongs to a
 * {@link Cleaner}.
 *
 * <p>Must be idempotent: several changes can lead to one call, and one change to several. Must be thread-safe if the
 * controller has several workers; the same object is never reconciled by two of them at the same time.
 *
 * <p>A reconciler that also implements {@link Cleaner} or {@link ErrorStatusHandler} is used as such by the controller.
 *
 * <!-- snippet: PasswordReconciler -->
 * <pre>{@code
 * public Result reconcile(Bucket bucket, ReconcileContext context) {
 *     ObjectKey key = ObjectKey.of(
 *             bucket.getMetadata().getNamespace(), bucket.getMetadata().getName() + "-password");
 *     if (!client.exists(Kind.of(Secret.class), key)) {
 *         client.create(password(bucket, key));
 *     }
 *     return Result.done();
 * }
 * }</pre>
 *
 * @param <T> the class of the object
 * @since 0.1.0
 */
@FunctionalInterface
public interface ObjectReconciler<T> {

    /**
     * Reconcile one object.
     *
     * @param object the object. Without a {@link Cleaner}, it may be marked for deletion
     *     ({@code metadata.deletionTimestamp} is set)
     * @param context the context of this call
     * @return when to reconcile again; never null
     * @throws TerminalException if a retry is useless until something changes
     * @throws Exception if it must be retried, with a growing delay
     */
    Result reconcile(T object, ReconcileContext context) throws Exception;
}
