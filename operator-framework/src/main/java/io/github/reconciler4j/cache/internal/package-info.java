/**
 * The implementation of the cache.
 *
 * <p>{@code DefaultCache} creates one {@code WatchedKind} per kind, which exists as long as the cache and counts the users of
 * the kind. While it has any, a {@code KindStore} watches it. {@code KindStore} connects the parts: {@code watch} lists and
 * watches, one {@code Reflector} per scope; {@code ScopeStore} turns what a reflector reads into changes; {@code subscription}
 * writes changes into the store and delivers them; {@code storage} stores objects and indexes; {@code writes} shows readers
 * the program's own writes before the watch delivers them; {@code json} reads the bytes; {@code metrics} counts.
 *
 * <p>A part knows only those below it: json, storage, then subscription and metrics, then watch, then writes, then this package.
 */
@NullMarked
package io.github.reconciler4j.cache.internal;

import org.jspecify.annotations.NullMarked;
