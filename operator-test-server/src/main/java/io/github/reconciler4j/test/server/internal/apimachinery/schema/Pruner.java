package io.github.reconciler4j.test.server.internal.apimachinery.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Removes the fields that a schema does not know, and notes their paths. Used by one thread. */
final class Pruner {

    private static final Set<String> OBJECT_FIELDS = Set.of("apiVersion", "kind", "metadata");

    private final List<String> removed = new ArrayList<>();

    /** Prune this tree in place and returns the sorted paths of what was removed. */
    static List<String> prune(JsonNode tree, SchemaNode schema) {
        Pruner pruner = new Pruner();
        if (schema.preserveUnknownFields) {
            pruner.keepUnknown(tree, schema, "", true);
        } else {
            pruner.prune(tree, schema, "", true);
        }
        pruner.removed.sort(null);
        return pruner.removed;
    }

    private void prune(JsonNode node, @Nullable SchemaNode schema, String path) {
        if (schema != null && schema.preserveUnknownFields) {
            keepUnknown(node, schema, path, schema.embeddedResource);
        } else {
            prune(node, schema, path, schema != null && schema.embeddedResource);
        }
    }

    private void prune(JsonNode node, @Nullable SchemaNode schema, String path, boolean isResource) {
        if (node instanceof ObjectNode object) {
            for (String name : names(object)) {
                SchemaNode field = schema == null ? null : schema.field(name);
                if (isResource && OBJECT_FIELDS.contains(name)) {
                    continue;
                }
                if (field != null) {
                    prune(object.path(name), field, child(path, name));
                } else if (schema != null && schema.allowsAnyField()) {
                    prune(object.path(name), null, child(path, name));
                } else {
                    object.remove(name);
                    if (!path.isEmpty() || !OBJECT_FIELDS.contains(name)) {
                        removed.add(child(path, name));
                    }
                }
            }
        } else if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                prune(node.path(i), schema == null ? null : schema.items, path + "[" + i + "]");
            }
        }
    }

    /** Prune only below fields that are declared. */
    private void keepUnknown(JsonNode node, SchemaNode schema, String path, boolean isResource) {
        if (node instanceof ObjectNode object) {
            for (String name : names(object)) {
                SchemaNode field = schema.field(name);
                if (field != null && !(isResource && OBJECT_FIELDS.contains(name))) {
                    prune(object.path(name), field, child(path, name));
                }
            }
        } else if (node.isArray() && schema.items != null) {
            for (int i = 0; i < node.size(); i++) {
                keepUnknown(node.path(i), schema.items, path + "[" + i + "]", schema.items.embeddedResource);
            }
        }
    }

    static List<String> names(ObjectNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    private static String child(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }
}
