package io.github.reconciler4j.webhook.internal;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Iterator;
import java.util.Map;

/** Computes JSON patches (RFC 6902), and applies what it computed. Lists of different lengths are replaced as a whole. */
public final class JsonPatch {

    private JsonPatch() {}

    /** Return the operations that turn one tree into the other, empty if the trees are equal. */
    static ArrayNode diff(JsonNode from, JsonNode to) {
        ArrayNode operations = JsonNodeFactory.instance.arrayNode();
        diff("", from, to, operations);
        return operations;
    }

    private static void diff(String path, JsonNode from, JsonNode to, ArrayNode operations) {
        if (from.equals(to)) {
            return;
        }
        if (from instanceof ObjectNode fromObject && to instanceof ObjectNode toObject) {
            diffObjects(path, fromObject, toObject, operations);
        } else if (from instanceof ArrayNode && to instanceof ArrayNode && from.size() == to.size()) {
            for (int i = 0; i < to.size(); i++) {
                diff(path + "/" + i, from.get(i), to.get(i), operations);
            }
        } else {
            add(operations, "replace", path).set("value", to);
        }
    }

    private static void diffObjects(String path, ObjectNode from, ObjectNode to, ArrayNode operations) {
        for (Iterator<String> names = from.fieldNames(); names.hasNext(); ) {
            String name = names.next();
            if (!to.has(name)) {
                add(operations, "remove", path + "/" + escape(name));
            }
        }
        for (Map.Entry<String, JsonNode> field : to.properties()) {
            String child = path + "/" + escape(field.getKey());
            JsonNode old = from.get(field.getKey());
            if (old == null) {
                add(operations, "add", child).set("value", field.getValue());
            } else {
                diff(child, old, field.getValue(), operations);
            }
        }
    }

    /** Return a copy of the tree with the operations of {@link #diff} carried out. */
    public static JsonNode apply(JsonNode tree, JsonNode operations) {
        JsonNode copy = tree.deepCopy();
        for (JsonNode operation : operations) {
            JsonPointer pointer = JsonPointer.compile(operation.path("path").asText());
            if (pointer.matches()) {
                copy = operation.path("value").deepCopy();
                continue;
            }
            JsonNode parent = copy.at(pointer.head());
            if (parent instanceof ArrayNode list) {
                list.set(pointer.last().getMatchingIndex(), operation.get("value"));
            } else if (operation.path("op").asText().equals("remove")) {
                ((ObjectNode) parent).remove(pointer.last().getMatchingProperty());
            } else {
                ((ObjectNode) parent).set(pointer.last().getMatchingProperty(), operation.get("value"));
            }
        }
        return copy;
    }

    private static ObjectNode add(ArrayNode operations, String operation, String path) {
        return operations.addObject().put("op", operation).put("path", path);
    }

    private static String escape(String name) {
        return name.replace("~", "~0").replace("/", "~1");
    }
}
