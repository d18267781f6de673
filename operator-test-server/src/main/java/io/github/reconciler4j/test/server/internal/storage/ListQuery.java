package io.github.reconciler4j.test.server.internal.storage;

import java.util.function.Predicate;

/**
 * Which objects to list.
 *
 * @param namespace only objects of this namespace; empty for all
 * @param after only objects whose key is greater, empty for all objects
 * @param limit how many at most; 0 for all
 */
public record ListQuery(String namespace, String after, int limit, Predicate<StoredObject> filter) {
    /** Everything of a namespace, or of all where it is empty. */
    public static ListQuery all(String namespace) {
        return new ListQuery(namespace, "", 0, object -> true);
    }

    boolean covers(String key) {
        return key.compareTo(after) > 0 && (namespace.isEmpty() || key.startsWith(namespace + "/"));
    }
}
