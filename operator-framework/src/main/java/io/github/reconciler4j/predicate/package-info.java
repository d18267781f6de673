/**
 * Filters that decide which events lead to a reconcile.
 */
@NullMarked
package io.github.reconciler4j.predicate;

import org.jspecify.annotations.NullMarked;
