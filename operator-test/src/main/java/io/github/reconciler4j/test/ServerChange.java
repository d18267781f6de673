package io.github.reconciler4j.test;

/**
 * One write that a server carried out. Immutable.
 *
 * @param version the resource version of the write
 * @param type what it did
 * @param namespace the namespace of the object; empty for cluster-scoped ones
 * @param name the name of the object
 * @param uid the uid of the object
 * @param json the object as watches see it: for a removal its last state, with the version of the removal
 * @since 0.1.0
 */
public record ServerChange(long version, Type type, String namespace, String name, String uid, String json) {

    /**
     * What a write did.
     *
     * @since 0.1.0
     */
    public enum Type {
        /** The object was not there before. */
        CREATED,
        /** The object was there before and still is. */
        UPDATED,
        /** The object is gone. */
        REMOVED
    }

    /** Names the object and the version, not the content. */
    @Override
    public String toString() {
        return type + " " + (namespace.isEmpty() ? name : namespace + "/" + name) + "@" + version;
    }
}
