package io.github.reconciler4j.test.server.internal.storage;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import java.util.Map;

/**
 * One object at one version: what selectors and lookups need, and the whole object as JSON text. Immutable, as long as
 * the array must not change.
 *
 * @param version the resource version of the write that made it
 * @param uid its identity, empty only for objects that were written without one
 * @param json the object, with the resource version inside
 */
public record StoredObject(ObjectName name, long version, String uid, Map<String, String> labels, byte[] json) {
    /** Serializes an object after setting the version in it. */
    static StoredObject of(ObjectName name, long version, ObjectNode tree) {
        Json.metadata(tree).put("resourceVersion", Long.toString(version));
        String uid = Json.text(tree, "metadata", "uid");
        return new StoredObject(name, version, uid, Json.stringMap(tree, "metadata", "labels"), Json.bytes(tree));
    }

    /** Return the object as a tree; each call makes a new one that the caller may change. */
    public ObjectNode tree() {
        return Json.parseOwn(json);
    }

    public StoredObject atVersion(long other) {
        return of(name, other, tree());
    }
}
