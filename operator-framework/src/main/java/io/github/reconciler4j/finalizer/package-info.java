/**
 * Finalizers: cleanup before the API server removes an object.
 *
 * <p>A controller with one {@link io.github.reconciler4j.reconcile.Cleaner} gets everything from its builder.
 * {@link io.github.reconciler4j.finalizer.Finalizers} is for controllers with several finalizers, and
 * {@link io.github.reconciler4j.finalizer.FinalizerNames} for code that edits finalizers itself.
 */
@NullMarked
package io.github.reconciler4j.finalizer;

import org.jspecify.annotations.NullMarked;
