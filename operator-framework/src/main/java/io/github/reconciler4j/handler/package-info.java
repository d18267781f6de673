/**
 * Maps events to requests.
 *
 * <p>An {@link io.github.reconciler4j.handler.EventHandler} receives an event that the predicates of its watch accepted,
 * and adds requests to a {@link io.github.reconciler4j.handler.RequestSink}, which is the queue of a controller.
 * {@link io.github.reconciler4j.handler.EventHandlers} has handlers for the object itself, for its owners, and for mapping
 * functions.
 */
@NullMarked
package io.github.reconciler4j.handler;

import org.jspecify.annotations.NullMarked;
