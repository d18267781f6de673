package io.github.reconciler4j.reconcile;

/**
 * Reconciles requests: for work that is not about one watched object, or that must also run when the object is gone.
 * Reads what it needs, and must expect that it does not exist.
 *
 * <p>Must be idempotent. Must be thread-safe if the controller has several workers; equal requests are never reconciled
 * by two of them at the same time.
 *
 * <!-- snippet: TenantReconciler -->
 * <pre>{@code
 * public Result reconcile(Tenant tenant, ReconcileContext context) {
 *     return Result.done();
 * }
 * }</pre>
 *
 * @param <R> the type of requests: {@link Request}, or any immutable type with {@code equals} and {@code hashCode}
 * @since 0.1.0
 */
@FunctionalInterface
public interface RequestReconciler<R> {

    /**
     * Reconcile one request.
     *
     * @param request the request
     * @param context the context of this call
     * @return when to reconcile again; never null
     * @throws TerminalException if a retry is useless until something changes
     * @throws Exception if it must be retried, with a growing delay
     */
    Result reconcile(R request, ReconcileContext context) throws Exception;
}
