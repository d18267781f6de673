package io.github.reconciler4j.event;

import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;

/**
 * The state of an object at one moment. The header is always decoded; the object is decoded on its first use, at most once
 * per snapshot. Thread-safe.
 *
 * @param <T> the class the object is decoded into
 * @since 0.1.0
 */
public interface ObjectSnapshot<T> {

    /** Return the metadata. Does not decode the object. */
    ObjectHeader header();

    /**
     * Return the object. The first call decodes it; later calls return the same instance, which all handlers of an event share
     * and must not change.
     *
     * @throws RuntimeException if the object does not fit its class; the client's {@code UndecodableObjectException}
     */
    T object();

    /** Return the namespace and name. */
    default ObjectKey key() {
        return header().key();
    }
}
