package io.github.reconciler4j.reconcile;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.scheme.ObjectKey;

/**
 * The key that a reconciler receives: the name of an object, not the object. Equal requests are coalesced. Immutable.
 *
 * @param namespace the namespace, {@code ""} for a cluster-scoped object
 * @param name the name
 * @since 0.1.0
 */
public record Request(String namespace, String name) {

    /** Create the request for the object with this key. */
    public static Request of(ObjectKey key) {
        return new Request(key.namespace(), key.name());
    }

    /**
     * Create the request for this object.
     *
     * @throws IllegalArgumentException if the object has no name
     */
    public static Request of(HasMetadata object) {
        return of(ObjectKey.of(object));
    }

    /** Return the key of the object. */
    public ObjectKey key() {
        return new ObjectKey(namespace, name);
    }

    /** Return {@code namespace/name}, or {@code name} for a cluster-scoped object. */
    @Override
    public String toString() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }
}
