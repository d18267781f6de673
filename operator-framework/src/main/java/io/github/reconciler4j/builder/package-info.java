/**
 * Builds controllers.
 *
 * <p>{@link io.github.reconciler4j.builder.ControllerBuilder} builds a controller for one kind: which objects it
 * reconciles and on which updates, what it owns and watches, its reconciler, cleaner and options.
 * {@link io.github.reconciler4j.builder.RequestControllerBuilder} builds one for requests of any type. Both add the
 * controller to a manager. A {@link io.github.reconciler4j.builder.ControllerCustomizer} sets the defaults of one controller or
 * of all.
 */
@NullMarked
package io.github.reconciler4j.builder;

import org.jspecify.annotations.NullMarked;
