/**
 * Filters that decide which events lead to a reconciliation.
 *
 * <p>{@link io.github.reconciler4j.predicate.ReconcileOn} is the choice for the primary kind of a controller: any change,
 * changes of spec or metadata, changes of the generation. {@link io.github.reconciler4j.predicate.EventPredicates} has
 * finer ones for any watch, and {@link io.github.reconciler4j.predicate.EventPredicate} is the interface for your own.
 * A watch calls its predicates in order before its handler; see {@code ControllerBuilder}.
 */
@NullMarked
package io.github.reconciler4j.predicate;

import org.jspecify.annotations.NullMarked;
