/**
 * Controllers: a queue, the workers that reconcile its requests, and the sources that fill it.
 *
 * <p>{@link io.github.reconciler4j.controller.Controller} starts and stops; its
 * {@link io.github.reconciler4j.controller.ControllerOperations operations} show and change what it does at runtime.
 * {@link io.github.reconciler4j.controller.ControllerOptions} are its settings, of which
 * {@link io.github.reconciler4j.controller.Placement} chooses the replicas it runs on.
 * {@link io.github.reconciler4j.controller.ControllerSelection} chooses which controllers of an operator run at all.
 * Controllers are normally built with {@code ControllerBuilder}.
 */
@NullMarked
package io.github.reconciler4j.controller;

import org.jspecify.annotations.NullMarked;
