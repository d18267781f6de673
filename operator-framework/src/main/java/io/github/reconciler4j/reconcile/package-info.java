/**
 * What a user implements: a reconciler, its request, its result and its context.
 */
@NullMarked
package io.github.reconciler4j.reconcile;

import org.jspecify.annotations.NullMarked;
