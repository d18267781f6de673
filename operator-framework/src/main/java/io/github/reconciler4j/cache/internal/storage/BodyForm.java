package io.github.reconciler4j.cache.internal.storage;

import io.github.reconciler4j.cache.NotCachedException;

/**
 * How the body of an entry is kept. Thread-safe.
 *
 * @since 0.1.0
 */
public interface BodyForm {

    /** Keeps the bytes as they are. */
    BodyForm PLAIN = body -> (byte[]) body;

    /** Keeps nothing. */
    BodyForm NONE = body -> {
        throw new NotCachedException("Only metadata of this kind is cached (StorageForm.METADATA):"
                + " read headers, or choose another form of storage in CacheOptions (R4J-121)");
    };

    /** Keeps the decoded object as well once it was read. */
    BodyForm SHARED = body -> ((SharedBody) body).json();

    /** Return the JSON of the object; the caller must not change the array. */
    byte[] decode(Object body);
}
