package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.cache.NotCachedException;

/** How the body of an object is kept. Safe for use by many threads. */
interface BodyForm {

    /** Keeps the bytes as they are. */
    BodyForm PLAIN = body -> (byte[]) body;

    /** Keeps nothing. */
    BodyForm NONE = body -> {
        throw new NotCachedException("Only the metadata of this kind is cached (StorageForm.METADATA):"
                + " read headers, or choose another form of storage in CacheOptions");
    };

    /** Keeps it decoded too, once somebody has read it. */
    BodyForm SHARED = body -> ((SharedBody) body).json();

    /** The object's JSON; the caller must not change the array. */
    byte[] decode(Object body);
}
