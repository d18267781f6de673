package io.github.reconciler4j.cache;

/**
 * How the cache keeps the bodies of objects. Headers are kept decoded in every form.
 *
 * @since 0.1.0
 */
public enum StorageForm {
    /** Deflated against a dictionary of the kind: the least memory; reading costs a little more than in {@link #ENCODED}. */
    COMPACT,
    /**
     * As {@link #COMPACT}, and decoded too from the first read on, once per class: later reads cost nothing, and 5 to 15
     * times the memory. All readers, listeners and index functions get the same instance, so nobody may change it; who
     * wants to, makes a copy. For kinds that are read far more often than they change.
     */
    DECODED,
    /** The JSON as it came over the wire, without {@code managedFields}. */
    ENCODED,
    /** Nothing but the header; the server is asked for metadata only, and objects cannot be read, only their headers. */
    METADATA
}
