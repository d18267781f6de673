package io.github.reconciler4j.test.server.internal.storage;

/**
 * Where an object lives inside its resource. Sorts as the real server's keys do.
 *
 * @param namespace the namespace, empty for cluster-scoped objects
 * @param name the name
 * @since 0.1.0
 */
public record ObjectName(String namespace, String name) implements Comparable<ObjectName> {
    /** The sort key: {@code namespace/name}, or the name alone. */
    public String key() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }

    @Override
    public int compareTo(ObjectName other) {
        return key().compareTo(other.key());
    }
}
