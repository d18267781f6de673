package io.github.reconciler4j.cache.internal.storage;

import java.util.Collection;

/**
 * Returns the terms that an entry has in an index. Can run code of the user. Thread-safe.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface TermFunction {

    /** Return the terms; a term counts once, however often it occurs. */
    Collection<String> terms(Entry entry);
}
