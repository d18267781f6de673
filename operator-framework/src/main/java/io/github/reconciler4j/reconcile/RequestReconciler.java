package io.github.reconciler4j.reconcile;

/**
 * Brings the world in line with what a request names; for work that is not about one watched object, or that must also
 * run when the object is gone. Has to read what it needs itself, and to expect that it does not exist.
 *
 * <p>Must be safe for use by many threads if the controller has several workers; equal requests are never handed to two
 * of them at the same time.
 *
 * @param <R> what a request is: {@link Request}, or any other immutable type with {@code equals} and {@code hashCode}
 * @since 0.1.0
 */
@FunctionalInterface
public interface RequestReconciler<R> {

    /**
     * Works on one request.
     *
     * @param request what to work on
     * @param context what is known of this run
     * @return when to come back; never null
     * @throws TerminalException if trying again is useless until something changes
     * @throws Exception for anything else: it is tried again, after delays that grow
     */
    Result reconcile(R request, ReconcileContext context) throws Exception;
}
