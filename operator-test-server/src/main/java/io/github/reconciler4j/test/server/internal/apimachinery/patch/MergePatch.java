package io.github.reconciler4j.test.server.internal.apimachinery.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.JsonValues;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import java.util.Map;

/**
 * JSON merge patch (RFC 7386). A {@code null} removes a field, objects merge, everything else replaces. Safe for use by
 * multiple threads.
 */
public final class MergePatch {

    private MergePatch() {}

    /**
     * Return {@code doc} with {@code patch} merged in; neither argument is changed.
     *
     * @throws StatusException 400 if the patch is not an object
     */
    public static JsonNode apply(JsonNode doc, JsonNode patch) {
        if (patch.isNull()) {
            throw StatusException.badRequest("Invalid JSON Patch");
        }
        if (!patch.isObject()) {
            throw StatusException.badRequest("error decoding patch: json: cannot unmarshal "
                    + JsonValues.jsonType(patch) + " into Go value of type map[string]interface {}");
        }
        ObjectNode change = patch.deepCopy();
        if (!doc.isObject()) {
            pruneNulls(change);
            return change;
        }
        ObjectNode merged = doc.deepCopy();
        merge(merged, change);
        return merged;
    }

    private static void merge(ObjectNode target, ObjectNode patch) {
        for (Map.Entry<String, JsonNode> field : patch.properties()) {
            String name = field.getKey();
            JsonNode value = field.getValue();
            if (value.isNull()) {
                target.remove(name);
            } else if (value instanceof ObjectNode changes && target.get(name) instanceof ObjectNode present) {
                merge(present, changes);
            } else {
                if (!target.path(name).isObject()) {
                    pruneNulls(value);
                }
                target.set(name, value);
            }
        }
    }

    /** Remove null fields of new objects, also of those inside lists; null items of lists stay. */
    private static void pruneNulls(JsonNode node) {
        if (node instanceof ObjectNode object) {
            object.properties().removeIf(field -> field.getValue().isNull());
            object.forEach(MergePatch::pruneNulls);
        } else if (node.isArray()) {
            node.forEach(MergePatch::pruneNulls);
        }
    }
}
