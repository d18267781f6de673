/**
 * The client of the API server. {@link io.github.reconciler4j.client.Client} combines a
 * {@link io.github.reconciler4j.client.Reader}, which reads from the cache, and a
 * {@link io.github.reconciler4j.client.Writer}. {@link io.github.reconciler4j.client.Client#live} returns a
 * {@link io.github.reconciler4j.client.LiveReader}, which reads from the server, and
 * {@link io.github.reconciler4j.client.Client#status} a {@link io.github.reconciler4j.client.SubresourceClient}.
 *
 * <p>{@link io.github.reconciler4j.client.ClientOptions} hold the settings of a client; the other options belong to single calls.
 * {@link io.github.reconciler4j.client.ObjectPatch} and {@link io.github.reconciler4j.client.OwnerReferences} help to write objects,
 * {@link io.github.reconciler4j.client.ClientInterceptor} and {@link io.github.reconciler4j.client.WriteObserver} see requests.
 * Errors are in {@code client.error}, plain requests in {@code client.connection}.
 */
@NullMarked
package io.github.reconciler4j.client;

import org.jspecify.annotations.NullMarked;
