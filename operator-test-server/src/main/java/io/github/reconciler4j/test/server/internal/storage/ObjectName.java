package io.github.reconciler4j.test.server.internal.storage;

/**
 * The namespace and name of an object. Sorts like the keys of kube-apiserver.
 *
 * @param namespace the namespace, empty for cluster-scoped objects
 */
public record ObjectName(String namespace, String name) implements Comparable<ObjectName> {
    public String key() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }

    @Override
    public int compareTo(ObjectName other) {
        return key().compareTo(other.key());
    }
}
