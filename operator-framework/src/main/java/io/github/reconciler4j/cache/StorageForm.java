package io.github.reconciler4j.cache;

/**
 * How the cache stores the bodies of objects. Headers are stored decoded in every form.
 *
 * @since 0.1.0
 */
public enum StorageForm {
    /** Deflated with a dictionary of the kind. Needs the least memory; a read takes a little longer than with {@link #ENCODED}. */
    COMPACT,
    /**
     * As {@link #COMPACT}, and in addition decoded from the first read on, once per class. Later reads cost nothing, and the
     * object takes 5 to 15 times the memory. All readers, listeners and index functions receive the same instance and must
     * not change it; copy it first. Suitable for kinds that are read far more often than they change.
     */
    DECODED,
    /** The JSON as the API server sent it, without {@code managedFields}. */
    ENCODED,
    /** Headers only. The cache requests metadata only, and whole objects cannot be read. */
    METADATA
}
