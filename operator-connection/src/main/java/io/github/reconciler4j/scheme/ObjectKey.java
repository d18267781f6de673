package io.github.reconciler4j.scheme;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.github.reconciler4j.support.Texts;
import org.jspecify.annotations.Nullable;

/**
 * The namespace and name of an object. Immutable, ordered by namespace and then name.
 *
 * <!-- snippet: KindUse -->
 * <pre>{@code
 * ObjectKey settings = ObjectKey.of("shop", "settings");
 * ObjectKey node = ObjectKey.ofName("node-1"); // without a namespace
 * }</pre>
 *
 * @param namespace the namespace, {@code ""} for a cluster-scoped object
 * @param name the name
 * @since 0.1.0
 */
public record ObjectKey(String namespace, String name) implements Comparable<ObjectKey> {

    /** With 31, which texts use, {@code team-1/web-21} and {@code team-2/web-11} would have the same hash. */
    private static final int MULTIPLIER = 0x9E3779B1;

    /**
     * Create a key and check that the name is not blank.
     *
     * @throws IllegalArgumentException if the name is blank
     */
    public ObjectKey {
        if (name.isBlank()) {
            throw new IllegalArgumentException("'name' must not be blank");
        }
    }

    /**
     * Return the key of a cluster-scoped object.
     *
     * @throws IllegalArgumentException if the name is blank
     */
    public static ObjectKey ofName(String name) {
        return new ObjectKey("", name);
    }

    /**
     * Return the key of a namespaced object.
     *
     * @throws IllegalArgumentException if the name is blank
     */
    public static ObjectKey of(String namespace, String name) {
        return new ObjectKey(namespace, name);
    }

    /**
     * Return the key of an object.
     *
     * @throws IllegalArgumentException if the object has no name
     */
    public static ObjectKey of(HasMetadata object) {
        ObjectMeta metadata = object.getMetadata();
        if (metadata == null || metadata.getName() == null) {
            throw new IllegalArgumentException("The " + object.getKind() + " has no name");
        }
        return new ObjectKey(metadata.getNamespace() == null ? "" : metadata.getNamespace(), metadata.getName());
    }

    // Written out like those of Request, since maps of objects are read all the time.

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ObjectKey key && name.equals(key.name) && namespace.equals(key.namespace);
    }

    @Override
    public int hashCode() {
        return namespace.hashCode() * MULTIPLIER + name.hashCode();
    }

    @Override
    public int compareTo(ObjectKey other) {
        int byNamespace = namespace.compareTo(other.namespace);
        return byNamespace != 0 ? byNamespace : name.compareTo(other.name);
    }

    /** Return {@code namespace/name}, or {@code name} for a cluster-scoped object, in one line whatever the names are. */
    @Override
    public String toString() {
        return Texts.escaped(namespace.isEmpty() ? name : namespace + "/" + name);
    }
}
