package io.github.reconciler4j.cache;

/** How the cache keeps the bodies of objects. Headers are kept decoded in every form. */
public enum StorageForm {
    /** Deflated against a dictionary of the kind: the least memory; reading costs a little more than in {@link #ENCODED}. */
    COMPACT,
    /** The JSON as it came over the wire, without {@code managedFields}. */
    ENCODED,
    /** Nothing but the header; the server is asked for metadata only, and objects cannot be read, only their headers. */
    METADATA
}
