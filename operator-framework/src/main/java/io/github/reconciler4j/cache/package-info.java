/**
 * A local copy of watched kinds, kept current by list and watch.
 *
 * <p>A {@link io.github.reconciler4j.cache.Cache} reads like a client and costs no request. An
 * {@link io.github.reconciler4j.cache.Informer} is the view of one kind: its objects, its indexes, and subscriptions that
 * deliver every change. {@link io.github.reconciler4j.cache.CacheOptions} says what to cache and how, for all kinds and for
 * single ones: namespaces, selectors, storage, transforms. {@link io.github.reconciler4j.cache.KindStatus} reports how a kind
 * is doing. A program sees its own writes at once; the cache includes them until the watch delivers them.
 */
@NullMarked
package io.github.reconciler4j.cache;

import org.jspecify.annotations.NullMarked;
