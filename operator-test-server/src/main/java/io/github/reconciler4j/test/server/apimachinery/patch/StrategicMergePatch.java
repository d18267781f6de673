package io.github.reconciler4j.test.server.apimachinery.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.StatusException;
import io.github.reconciler4j.test.server.apimachinery.Trees;
import io.github.reconciler4j.test.server.apimachinery.TypeSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Strategic merge patch: a merge patch that knows which lists merge by key. It understands {@code $patch} (replace,
 * delete), {@code $deleteFromPrimitiveList}, {@code $setElementOrder} and {@code $retainKeys}. Safe for use by many
 * threads.
 *
 * @since 0.1.0
 */
public final class StrategicMergePatch {

    private StrategicMergePatch() {}

    /**
     * Returns {@code doc} with {@code patch} merged in; neither argument is changed.
     *
     * @param schema type of the document, with its patch strategies and merge keys
     * @throws StatusException 400 or 422 for patches of a wrong form, 500 without a reason for those that the server does
     *     not classify, such as items without their merge key
     */
    public static JsonNode apply(JsonNode doc, JsonNode patch, TypeSchema schema) {
        if (patch.isNull()) {
            return doc.deepCopy();
        }
        if (!patch.isObject()) {
            throw StatusException.badRequest("json: cannot unmarshal " + Trees.jsonType(patch)
                    + " into Go value of type map[string]interface {}");
        }
        return mergeMap((ObjectNode) doc.deepCopy(), patch.deepCopy(), schema);
    }

    /** Merges {@code patch} into {@code original}; both are used up. */
    static ObjectNode mergeMap(ObjectNode original, ObjectNode patch, TypeSchema schema) {
        JsonNode directive = patch.get(PatchDirectives.MARKER);
        if (directive != null) {
            return PatchDirectives.wholeMap(directive, patch);
        }
        PatchDirectives.retainKeys(original, patch);
        ElementOrder.mergeOrdered(original, patch, schema);
        for (Map.Entry<String, JsonNode> field : patch.properties()) {
            String name = field.getKey();
            if (name.startsWith(PatchDirectives.DELETE_FROM_LIST)) {
                deleteFromList(original, PatchDirectives.listName(name), field.getValue());
            } else {
                mergeField(original, name, field.getValue(), schema);
            }
        }
        return original;
    }

    private static void deleteFromList(ObjectNode original, String name, JsonNode unwanted) {
        if (unwanted.isNull()) {
            original.remove(name);
        } else if (original.get(name) instanceof ArrayNode present && unwanted instanceof ArrayNode items) {
            original.set(name, ListMerge.deleteItems(present, items));
        }
    }

    private static void mergeField(ObjectNode original, String name, JsonNode value, TypeSchema schema) {
        JsonNode present = original.get(name);
        if (value.isNull()) {
            original.remove(name);
        } else if (present instanceof ObjectNode target && value instanceof ObjectNode changes) {
            original.set(name, mergeStruct(target, changes, PatchField.lookup(schema, name)));
        } else if (present instanceof ArrayNode target && value instanceof ArrayNode changes) {
            original.set(name, ListMerge.merge(target, changes, PatchField.lookupList(schema, name)));
        } else {
            if (present == null || !Trees.jsonType(present).equals(Trees.jsonType(value))) {
                PatchDirectives.discardNulls(value);
            }
            if (PatchDirectives.strip(value)) {
                original.set(name, value);
            } else {
                original.remove(name);
            }
        }
    }

    private static ObjectNode mergeStruct(ObjectNode original, ObjectNode patch, PatchField field) {
        return field.isReplaced() ? patch : mergeMap(original, patch, field.type());
    }

    /** Returns the error for an item of a list without the field that identifies it. */
    static StatusException noMergeKey(JsonNode item, String key) {
        return StatusException.unclassified(
                "map: " + String.valueOf(item) + " does not contain declared merge key: " + key);
    }

    /** Returns items as a list that can be changed without changing the array. */
    static List<JsonNode> items(ArrayNode array) {
        List<JsonNode> items = new ArrayList<>();
        array.forEach(items::add);
        return items;
    }
}
