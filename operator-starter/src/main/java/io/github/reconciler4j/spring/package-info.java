/**
 * What an application sees of Reconciler4j: {@link io.github.reconciler4j.spring.Reconciler @Reconciler} on a bean that
 * implements {@code ObjectReconciler} or {@code RequestReconciler}.
 */
@NullMarked
package io.github.reconciler4j.spring;

import org.jspecify.annotations.NullMarked;
