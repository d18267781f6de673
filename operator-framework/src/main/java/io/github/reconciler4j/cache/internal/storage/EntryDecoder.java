package io.github.reconciler4j.cache.internal.storage;

import io.github.reconciler4j.scheme.ObjectHeader;

/**
 * Turns entries into what users read. Thread-safe.
 *
 * @param <T> the type users read
 * @since 0.1.0
 */
@FunctionalInterface
public interface EntryDecoder<T> {

    /** Returns the header. */
    EntryDecoder<ObjectHeader> HEADER = entry -> entry;

    /**
     * Return what users read of an entry.
     *
     * @throws io.github.reconciler4j.client.error.UndecodableObjectException if the object does not fit the type
     */
    T decode(Entry entry);
}
