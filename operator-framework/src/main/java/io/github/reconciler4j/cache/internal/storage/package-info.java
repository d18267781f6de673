/**
 * Keeps the objects of one kind.
 *
 * <p>An {@code EntryReader} turns what was read into an {@code Entry}: a packed header and an encoded body
 * ({@code BodyEncoder}, {@code BodyForm}). Compact bodies are deflated against a dictionary of their kind
 * ({@code CompactEncoder}). The {@code ObjectStore} holds entries by namespace and name together with their indexes and
 * applies a batch of {@code Change}s in one step. An {@code ObjectDecoder} turns an entry into an object of a class, and an
 * {@code EntrySnapshot} does so on the first use.
 */
@NullMarked
package io.github.reconciler4j.cache.internal.storage;

import org.jspecify.annotations.NullMarked;
