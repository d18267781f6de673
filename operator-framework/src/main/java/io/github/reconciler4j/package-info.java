/**
 * Reconciler4j: an operator framework for Spring Boot in the style of controller-runtime. A tour, in the order of a
 * change's road: {@code cache} watches the API server and keeps what it saw; a {@code source} turns its events, through
 * {@code predicate} and {@code handler}, into requests on a {@code workqueue}; the workers of a {@code controller} take
 * them and call your {@code reconcile} code; that code writes through the {@code client}. The {@code manager} starts and
 * stops it all, {@code leaderelection} decides who may, {@code builder} puts a controller together.
 */
@NullMarked
package io.github.reconciler4j;

import org.jspecify.annotations.NullMarked;
