package io.github.reconciler4j.client.internal.spi;

import io.github.reconciler4j.client.Reader;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.Optional;

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

    /**
     * Return the state of an object that reads of the cache show, as far as it is known without a request and without waiting.
     * Empty if the object, or its content, is not in the cache.
     */
    Optional<Stored> stored(KindInfo kind, ObjectKey key);

    /**
     * Return whether the API server serves a kind as far as a watch says that, without a request and without waiting. Empty if
     * no watch does.
     */
    Optional<Boolean> serves(KindName kind);

    /** Return the listener that a client must notify of its writes. */
    WriteListener writeListener();

    /**
     * A state of an object.
     *
     * @param json the object as JSON
     * @param transformed whether anything but {@code managedFields} and annotations may have been changed since the server sent it
     * @since 0.1.0
     */
    record Stored(String resourceVersion, byte[] json, boolean transformed) {}
}
