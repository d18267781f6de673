package io.github.reconciler4j.test.server.internal.render;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.registry.CustomSchema;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import io.github.reconciler4j.test.server.internal.storage.StoredObject;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Objects in the version of the store and in that of a request. Stored text starts with {@code apiVersion} and
 * {@code kind}, so that another version of a custom resource, or a list item, is the same text with another prefix.
 */
public final class Representation {
    private Representation() {}

    /** Return the object in the version of the type. The same object, changed. */
    public static ObjectNode inVersion(ResourceType type, ObjectNode object) {
        boolean kept = !type.isConverted() || Json.text(object, "apiVersion").equals(type.apiVersion());
        object.put("apiVersion", type.apiVersion());
        if (!kept) {
            EventForms.toEvents(object);
        }
        CustomSchema schema = type.schema();
        if (schema != null) {
            schema.decode(object);
        }
        return object;
    }

    /** Return the object as it is kept. The same object, changed. */
    public static ObjectNode forStorage(ResourceType type, ObjectNode object) {
        if (type.isConverted() && Json.text(object, "apiVersion").equals(type.apiVersion())) {
            EventForms.toCore(object);
        }
        object.put("apiVersion", type.storageApiVersion()).put("kind", type.kind());
        CustomSchema schema = type.schema();
        if (schema != null) {
            schema.encode(object);
        }
        return Json.withFirst(object, "apiVersion", "kind", "metadata");
    }

    /** Return the object as text, in the version of the type. */
    public static byte[] text(ResourceType type, StoredObject object) {
        CustomSchema schema = type.schema();
        if (type.isConverted() || schema != null && schema.reshapes(object)) {
            return Json.bytes(inVersion(type, object.tree()));
        }
        if (type.version().equals(type.storageVersion())) {
            return object.json();
        }
        return withPrefix(type, object, prefix(type.apiVersion(), type.kind()));
    }

    /** Return the object as text inside a list: built-in kinds do not repeat apiVersion and kind there. */
    static byte[] listItem(ResourceType type, StoredObject object) {
        if (type.custom() != null) {
            return text(type, object);
        }
        if (type.isConverted()) {
            ObjectNode tree = inVersion(type, object.tree());
            tree.remove(List.of("apiVersion", "kind"));
            return Json.bytes(tree);
        }
        return withPrefix(type, object, new byte[] {'{'});
    }

    private static byte[] withPrefix(ResourceType type, StoredObject object, byte[] prefix) {
        byte[] json = object.json();
        int skipped = prefix(type.storageApiVersion(), type.kind()).length;
        byte[] text = Arrays.copyOf(prefix, prefix.length + json.length - skipped);
        System.arraycopy(json, skipped, text, prefix.length, json.length - skipped);
        return text;
    }

    private static byte[] prefix(String apiVersion, String kind) {
        return ("{\"apiVersion\":\"" + apiVersion + "\",\"kind\":\"" + kind + "\",").getBytes(StandardCharsets.UTF_8);
    }
}
