package io.github.reconciler4j.reconcile;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.scheme.ObjectKey;

/**
 * The key that a reconciler receives: the name of an object, not the object. Equal requests are coalesced. Immutable.
 *
 * @param namespace the namespace, {@code ""} for a cluster-scoped object
 * @param name the name
 * @param cluster the name of the cluster, {@code ""} for that of the controller, which is that of the manager unless the
 *     controller was added for several clusters. A reconciler receives {@code ""} for the cluster of the manager only.
 * @since 0.1.0
 */
public record Request(String namespace, String name, String cluster) {

    /** Create a request for an object in the cluster of the controller. */
    public Request(String namespace, String name) {
        this(namespace, name, "");
    }

    /** Create the request for the object with this key in the cluster of the controller. */
    public static Request of(ObjectKey key) {
        return new Request(key.namespace(), key.name());
    }

    /**
     * Create the request for this object in the cluster of the controller.
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

    /**
     * Return the request for the same object in a cluster.
     *
     * @param newCluster the name of the cluster
     */
    public Request in(String newCluster) {
        return new Request(namespace, name, newCluster);
    }

    /** Return {@code namespace/name}, or {@code name} for a cluster-scoped object, and the cluster if the request names one. */
    @Override
    public String toString() {
        String object = namespace.isEmpty() ? name : namespace + "/" + name;
        return cluster.isEmpty() ? object : object + " in " + cluster;
    }
}
