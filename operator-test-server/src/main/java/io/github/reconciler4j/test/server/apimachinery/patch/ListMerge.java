package io.github.reconciler4j.test.server.apimachinery.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.StatusException;
import io.github.reconciler4j.test.server.apimachinery.Trees;
import io.github.reconciler4j.test.server.apimachinery.TypeSchema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Merging of lists in a strategic merge patch: scalars as a set, objects by their merge key. */
final class ListMerge {

    private ListMerge() {}

    static ArrayNode merge(ArrayNode original, ArrayNode patch, PatchField field) {
        if (!field.isMerged()) {
            return patch;
        }
        if (original.isEmpty() && patch.isEmpty()) {
            return original;
        }
        if (elementType(original, patch).isObject()) {
            return mergeObjects(original, patch, field);
        }
        List<JsonNode> merged = union(original, patch);
        return ElementOrder.arrange(
                merged, StrategicMergePatch.items(patch), StrategicMergePatch.items(original), "", original);
    }

    /** Checks that all items have one type, and that it is not a list; returns one of them. */
    static JsonNode elementType(ArrayNode... lists) {
        JsonNode first = null;
        for (ArrayNode list : lists) {
            for (JsonNode item : list) {
                if (first == null && item.isArray()) {
                    throw StatusException.unprocessable();
                }
                first = first == null ? item : first;
                if (!Trees.jsonType(first).equals(Trees.jsonType(item))) {
                    throw mixedTypes(lists);
                }
            }
        }
        if (first == null) {
            throw StatusException.unclassified("no elements in any of the given slices");
        }
        return first;
    }

    private static StatusException mixedTypes(ArrayNode... lists) {
        List<String> texts = new ArrayList<>();
        for (ArrayNode list : lists) {
            texts.add(String.valueOf(list));
        }
        return StatusException.unclassified("list element types are not identical: [" + String.join(" ", texts) + "]");
    }

    private static List<JsonNode> union(ArrayNode original, ArrayNode patch) {
        List<JsonNode> all = StrategicMergePatch.items(original);
        patch.forEach(all::add);
        List<JsonNode> distinct = new ArrayList<>();
        for (JsonNode item : all) {
            if (!contains(distinct, item)) {
                distinct.add(item);
            }
        }
        return distinct;
    }

    static boolean contains(Iterable<JsonNode> items, JsonNode wanted) {
        for (JsonNode item : items) {
            if (Trees.equal(item, wanted)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the items of a list that are not unwanted. */
    static ArrayNode deleteItems(ArrayNode present, ArrayNode unwanted) {
        if (!present.isEmpty() || !unwanted.isEmpty()) {
            elementType(present, unwanted);
        }
        ArrayNode kept = present.arrayNode();
        for (JsonNode item : present) {
            if (!contains(unwanted, item)) {
                kept.add(item);
            }
        }
        return kept;
    }

    private static ArrayNode mergeObjects(ArrayNode original, ArrayNode patch, PatchField field) {
        String key = field.mergeKey();
        if (key.isEmpty()) {
            throw StatusException.unclassified(
                    "cannot merge lists without merge key for " + (field.type().map() == null ? "string" : "struct"));
        }
        List<JsonNode> merged = StrategicMergePatch.items(original);
        List<JsonNode> changes = new ArrayList<>();
        if (runDirectives(merged, patch, key, changes)) {
            merged = changes;
            changes = new ArrayList<>();
        }
        List<JsonNode> serverOrder = List.copyOf(merged);
        for (JsonNode change : changes) {
            mergeItem(merged, (ObjectNode) change, key, field.type());
        }
        return ElementOrder.arrange(merged, changes, serverOrder, key, original);
    }

    /** Deletes what {@code $patch: delete} names and collects plain items; true for {@code $patch: replace}. */
    private static boolean runDirectives(List<JsonNode> items, ArrayNode patch, String key, List<JsonNode> plainItems) {
        boolean replace = false;
        for (JsonNode item : patch) {
            JsonNode directive = item.get(PatchDirectives.MARKER);
            if (directive == null) {
                plainItems.add(item);
                continue;
            }
            switch (directive.asText()) {
                case PatchDirectives.DELETE -> delete(items, item, key);
                case PatchDirectives.REPLACE -> replace = true;
                case PatchDirectives.MERGE ->
                    throw StatusException.unclassified("merging lists cannot yet be specified in the patch");
                default -> throw PatchDirectives.badPatchType(directive, item);
            }
        }
        return replace;
    }

    private static void delete(List<JsonNode> items, JsonNode item, String key) {
        JsonNode value = keyOf(item, key);
        items.removeIf(present -> sameKey(present, key, value));
    }

    private static void mergeItem(List<JsonNode> merged, ObjectNode change, String key, TypeSchema type) {
        int index = indexOf(merged, key, keyOf(change, key));
        if (index < 0) {
            merged.add(change);
        } else {
            merged.set(index, StrategicMergePatch.mergeMap((ObjectNode) merged.get(index), change, type));
        }
    }

    static JsonNode keyOf(JsonNode item, String key) {
        JsonNode value = item.get(key);
        if (value == null) {
            throw StrategicMergePatch.noMergeKey(item, key);
        }
        return value;
    }

    static int indexOf(List<JsonNode> items, String key, @Nullable JsonNode value) {
        for (int i = 0; i < items.size(); i++) {
            if (sameKey(items.get(i), key, value)) {
                return i;
            }
        }
        return -1;
    }

    private static boolean sameKey(JsonNode item, String key, @Nullable JsonNode value) {
        JsonNode present = item.get(key);
        return present != null && value != null && Trees.equal(present, value);
    }
}
