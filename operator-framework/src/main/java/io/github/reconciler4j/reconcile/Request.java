package io.github.reconciler4j.reconcile;

import io.github.reconciler4j.scheme.ObjectKey;

/**
 * What a controller works on: the name of an object, not the object. Immutable; requests with equal values are one and
 * the same piece of work.
 *
 * @param namespace the namespace, {@code ""} for a cluster-scoped object
 * @param name the name
 * @since 0.1.0
 */
public record Request(String namespace, String name) {

    /** The request for the object of a key. */
    public static Request of(ObjectKey key) {
        return new Request(key.namespace(), key.name());
    }

    /** The key of the object. */
    public ObjectKey key() {
        return new ObjectKey(namespace, name);
    }

    @Override
    public String toString() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }
}
