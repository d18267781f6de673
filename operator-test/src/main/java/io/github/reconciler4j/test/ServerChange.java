package io.github.reconciler4j.test;

/**
 * One write that a server carried out. Immutable. Its text names the object and the version, but not the content.
 *
 * @since 0.1.0
 */
public interface ServerChange {

    /**
     * The effect of a write.
     *
     * @since 0.1.0
     */
    enum Type {
        /** The object did not exist before. */
        CREATED,
        /** The object existed before and still exists. */
        UPDATED,
        /** The object no longer exists. */
        REMOVED
    }

    /** Return the resource version of the write. */
    long version();

    /** Return what the write did. */
    Type type();

    /** Return the namespace of the object, empty for cluster-scoped objects. */
    String namespace();

    /** Return the name of the object. */
    String name();

    /** Return the uid of the object. */
    String uid();

    /** Return the object as watches see it: for a removal its last state, with the version of the removal. */
    String json();
}
