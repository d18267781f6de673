/**
 * Keeps a store current by lists and watches.
 *
 * <p>A {@code Reflector} follows one {@code Scope} (a kind, a namespace, a selector) on a thread of its own: a
 * {@code Lister} fetches all objects, or the watch streams them; then a {@code WatchReader} reads events. All it knows of the
 * storing side is a {@code ReflectorStore}, which takes a list, an event or a bookmark. {@code Recovery} decides how it
 * continues after requests that ended or failed, and {@code SyncState} says how far a kind has come and what keeps it.
 */
@NullMarked
package io.github.reconciler4j.cache.internal.watch;

import org.jspecify.annotations.NullMarked;
