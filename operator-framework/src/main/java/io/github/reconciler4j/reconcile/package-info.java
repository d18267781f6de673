/**
 * The contracts between a controller and the code of its user.
 *
 * <p>An {@link io.github.reconciler4j.reconcile.ObjectReconciler} reconciles the objects of one kind; a
 * {@link io.github.reconciler4j.reconcile.RequestReconciler} reconciles requests of any type. Both return a
 * {@link io.github.reconciler4j.reconcile.Result} and receive a {@link io.github.reconciler4j.reconcile.ReconcileContext}
 * with the {@link io.github.reconciler4j.reconcile.Trigger triggers} of the call. A
 * {@link io.github.reconciler4j.reconcile.Cleaner} runs before an object is deleted, an
 * {@link io.github.reconciler4j.reconcile.ErrorStatusHandler} reports failures in the status, and
 * {@link io.github.reconciler4j.reconcile.Conditions} keeps status conditions as Kubernetes wants them.
 */
@NullMarked
package io.github.reconciler4j.reconcile;

import org.jspecify.annotations.NullMarked;
