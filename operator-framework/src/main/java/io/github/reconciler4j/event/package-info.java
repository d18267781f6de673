/**
 * Events about objects.
 *
 * <p>An {@link io.github.reconciler4j.event.ObjectEvent} says what happened: created, updated, deleted, or an event from
 * outside the cluster. It carries an {@link io.github.reconciler4j.event.ObjectSnapshot}, whose metadata is decoded already
 * and whose object is decoded on its first use. So predicates and handlers that look at metadata cost no decoding. The cache
 * delivers these events to its subscriptions, and sources pass them through predicates to handlers, which enqueue requests.
 */
@NullMarked
package io.github.reconciler4j.event;

import org.jspecify.annotations.NullMarked;
