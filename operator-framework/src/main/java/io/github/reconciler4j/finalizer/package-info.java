/**
 * Finalizers: cleaning up before an object goes.
 */
@NullMarked
package io.github.reconciler4j.finalizer;

import org.jspecify.annotations.NullMarked;
