package io.github.reconciler4j.reconcile;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.Texts;
import org.jspecify.annotations.Nullable;

/**
 * The key that a reconciler receives: the name of an object, not the object. Equal requests are coalesced. Immutable.
 *
 * <!-- snippet: ControllerUse -->
 * <pre>{@code
 * operations.requeue(new Request("guests", "first"));
 * }</pre>
 *
 * @param namespace the namespace, {@code ""} for a cluster-scoped object
 * @param name the name
 * @param cluster the name of the cluster, {@code ""} for that of the controller, which is that of the manager unless the
 *     controller was added for several clusters. A reconciler receives {@code ""} for the cluster of the manager only.
 * @since 0.1.0
 */
public record Request(String namespace, String name, String cluster) {

    /** With 31, which texts use, {@code team-1/web-21} and {@code team-2/web-11} would have the same hash. */
    private static final int MULTIPLIER = 0x9E3779B1;

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

    // Written out, because those that the compiler makes are several times as slow without the second compiler of the
    // JVM. Queue, limiter and triggers of a controller look requests up all the time.

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Request request
                && name.equals(request.name)
                && namespace.equals(request.namespace)
                && cluster.equals(request.cluster);
    }

    @Override
    public int hashCode() {
        return (namespace.hashCode() * MULTIPLIER + name.hashCode()) * MULTIPLIER + cluster.hashCode();
    }

    /** Return {@code namespace/name}, or {@code name} for a cluster-scoped object, and the cluster if it names one; always one line. */
    @Override
    public String toString() {
        String object = namespace.isEmpty() ? name : namespace + "/" + name;
        return Texts.inOneLine(cluster.isEmpty() ? object : object + " in " + cluster);
    }
}
