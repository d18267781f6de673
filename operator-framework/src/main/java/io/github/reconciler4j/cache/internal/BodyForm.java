package io.github.reconciler4j.cache.internal;

/** How the body of an object is kept. Safe for use by many threads. */
interface BodyForm {

    /** Keeps the bytes as they are. */
    BodyForm PLAIN = body -> (byte[]) body;

    /** Keeps nothing. */
    BodyForm NONE = body -> {
        throw new IllegalStateException("Only the metadata of this kind is cached (StorageForm.METADATA):"
                + " read headers, or choose another form of storage in CacheOptions");
    };

    /** The object's JSON; the caller must not change the array. */
    byte[] decode(Object body);
}
