package io.github.reconciler4j.client.internal.spi;

import io.github.reconciler4j.client.Reader;
import io.github.reconciler4j.scheme.KindInfo;

/**
 * Reads a cache whose reads include the pending writes of the program. Thread-safe.
 *
 * @since 0.1.0
 */
public interface ReadYourWritesReader extends Reader {

    /** Return a reader of the same cache that excludes pending writes. */
    Reader watched();

    /** Return whether objects of a kind in a namespace can be read now, without starting a watch and without waiting. */
    boolean isSynced(KindInfo kind, String namespace);

    /** Return the listener that a client must notify of its writes. */
    WriteListener writeListener();
}
