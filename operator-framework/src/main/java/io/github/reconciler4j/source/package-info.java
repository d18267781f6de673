/**
 * Sources of requests: where a controller gets its work from.
 *
 * <p>{@link io.github.reconciler4j.source.KindSource} is a watched kind. {@link io.github.reconciler4j.source.ChannelSource}
 * takes events that the application sends, {@link io.github.reconciler4j.source.PollSource} polls a system outside the
 * cluster, and {@link io.github.reconciler4j.source.ResyncSource} enqueues all objects of a kind periodically.
 * {@link io.github.reconciler4j.source.RequestSource} is the interface for your own. Builders create the sources of watched
 * kinds; the others are added with {@code source(...)}.
 */
@NullMarked
package io.github.reconciler4j.source;

import org.jspecify.annotations.NullMarked;
