package io.github.reconciler4j.test.server.internal.apimachinery.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.JsonValues;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.apimachinery.TypeSchema;
import io.github.reconciler4j.test.server.internal.apimachinery.TypeSchema.FieldType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Strategic merge patch: a merge patch that merges lists by key. It supports {@code $patch} (replace, delete), {@code
 * $deleteFromPrimitiveList}, {@code $setElementOrder} and {@code $retainKeys}. Stateless; safe for use by multiple threads.
 */
public final class StrategicMergePatch {
    private static final String MARKER = "$patch";
    private static final String RETAIN_KEYS = "$retainKeys";
    private static final String DELETE_FROM_LIST = "$deleteFromPrimitiveList";
    private static final String ELEMENT_ORDER = "$setElementOrder";

    /** How a field merges. The type is that of the items if the field is a list, and the key may be empty. */
    private record Field(TypeSchema type, boolean merges, boolean replaces, String key) {

        static Field of(TypeSchema owner, String name) {
            FieldType field = owner.map() == null ? null : owner.map().fields().get(name);
            if (field == null) {
                throw StatusException.unclassified("unable to find the field '" + name + "' in " + owner.name());
            }
            TypeSchema type = field.type().get();
            List<String> strategies = field.patchStrategies();
            return new Field(
                    type.list() == null ? type : type.list().element().get(),
                    strategies.contains("merge"),
                    strategies.contains("replace"),
                    field.patchMergeKey());
        }
    }

    private StrategicMergePatch() {}

    /**
     * Return the document with the patch merged in. Neither argument changes.
     *
     * @param schema type of the document, with its patch strategies and merge keys
     * @throws StatusException 400 for a patch of a wrong form, 500 without a reason for patches that kube-apiserver does not
     *     classify, such as one with an item without its merge key
     */
    public static JsonNode apply(JsonNode doc, JsonNode patch, TypeSchema schema) {
        if (patch.isNull()) {
            return doc.deepCopy();
        }
        if (!patch.isObject()) {
            throw StatusException.badRequest(
                    "the patch is not an object but of the type " + JsonValues.jsonType(patch));
        }
        return mergeMap((ObjectNode) doc.deepCopy(), patch.deepCopy(), schema);
    }

    private static ObjectNode mergeMap(ObjectNode original, ObjectNode patch, TypeSchema schema) {
        JsonNode directive = patch.remove(MARKER);
        if (directive != null) {
            return switch (directive.asText()) {
                case "replace" -> patch;
                case "delete" -> patch.objectNode();
                default -> throw unknown(directive);
            };
        }
        retainKeys(original, patch);
        for (String name : names(patch)) {
            if (name.startsWith(ELEMENT_ORDER)) {
                mergeOrdered(original, patch, list(patch.remove(name)), listName(name), schema);
            }
        }
        patch.properties().forEach(field -> {
            if (field.getKey().startsWith(DELETE_FROM_LIST)) {
                deleteFromList(original, listName(field.getKey()), field.getValue());
            } else {
                mergeField(original, field.getKey(), field.getValue(), schema);
            }
        });
        return original;
    }

    private static List<String> names(ObjectNode patch) {
        List<String> names = new ArrayList<>();
        patch.fieldNames().forEachRemaining(names::add);
        return names;
    }

    private static StatusException unknown(JsonNode directive) {
        return StatusException.unclassified("unknown patch type: " + directive);
    }

    private static String listName(String directive) {
        int slash = directive.indexOf('/');
        if (slash < 0) {
            throw StatusException.badRequest("the directive '" + directive + "' names no list");
        }
        return directive.substring(slash + 1);
    }

    private static ArrayNode list(JsonNode node) {
        if (node instanceof ArrayNode list) {
            return list;
        }
        throw StatusException.unclassified(
                "expected a list, but received a value of the type " + JsonValues.jsonType(node));
    }

    /** Remove fields that {@code $retainKeys} does not list from the original. */
    private static void retainKeys(ObjectNode original, ObjectNode patch) {
        JsonNode directive = patch.remove(RETAIN_KEYS);
        if (directive == null) {
            return;
        }
        if (!directive.isArray()) {
            throw StatusException.badRequest("invalid patch format of retainKeys");
        }
        Set<String> retained = new HashSet<>();
        directive.forEach(name -> retained.add(name.asText()));
        for (Map.Entry<String, JsonNode> field : patch.properties()) {
            boolean isKnown = field.getKey().startsWith("$") || retained.contains(field.getKey());
            if (!isKnown && !field.getValue().isNull()) {
                throw StatusException.badRequest("invalid patch format of retainKeys");
            }
        }
        original.retain(retained);
    }

    private static void deleteFromList(ObjectNode original, String name, JsonNode unwanted) {
        if (unwanted.isNull()) {
            original.remove(name);
        } else if (original.get(name) instanceof ArrayNode present && unwanted instanceof ArrayNode) {
            ArrayNode kept = present.arrayNode();
            present.forEach(item -> {
                if (position(items(unwanted), item, "") < 0) {
                    kept.add(item);
                }
            });
            original.set(name, kept);
        }
    }

    private static void mergeField(ObjectNode original, String name, JsonNode value, TypeSchema schema) {
        JsonNode present = original.get(name);
        if (value.isNull()) {
            original.remove(name);
        } else if (present instanceof ObjectNode target && value instanceof ObjectNode changes) {
            Field field = Field.of(schema, name);
            original.set(name, field.replaces() ? changes : mergeMap(target, changes, field.type()));
        } else if (present instanceof ArrayNode target && value instanceof ArrayNode changes) {
            original.set(name, mergeList(target, changes, Field.of(schema, name)));
        } else {
            if (present == null || !JsonValues.jsonType(present).equals(JsonValues.jsonType(value))) {
                removeNulls(value);
            }
            if (removeDirectives(value)) {
                original.set(name, value);
            } else {
                original.remove(name);
            }
        }
    }

    private static void removeNulls(JsonNode value) {
        if (value instanceof ObjectNode object) {
            object.properties().removeIf(field -> field.getValue().isNull());
        }
        value.forEach(StrategicMergePatch::removeNulls);
    }

    /** Remove maps with a {@code $patch} directive from a new value. Return false if the value is such a map. */
    private static boolean removeDirectives(JsonNode value) {
        if (value instanceof ObjectNode object) {
            object.properties().removeIf(field -> !removeDirectives(field.getValue()));
        } else if (value instanceof ArrayNode list) {
            List<JsonNode> kept = items(list);
            kept.removeIf(item -> !removeDirectives(item));
            list.removeAll().addAll(kept);
        }
        return !value.has(MARKER);
    }

    private static void mergeOrdered(
            ObjectNode original, ObjectNode patch, ArrayNode order, String name, TypeSchema schema) {
        boolean isPresent = original.has(name);
        boolean isPatched = patch.has(name);
        ArrayNode present = isPresent ? list(original.get(name)) : Json.array();
        ArrayNode changes = isPatched ? list(patch.remove(name)) : Json.array();
        Field field = Field.of(schema, name);
        checkOrder(changes, items(order), field.key());
        if (!isPresent) {
            removeDirectives(changes);
        }
        if (isPresent || isPatched) {
            ArrayNode merged = !isPatched ? present : !isPresent ? changes : mergeList(present, changes, field);
            original.set(name, arrange(items(merged), items(order), items(present), field.key()));
        }
    }

    private static void checkOrder(ArrayNode changes, List<JsonNode> order, String key) {
        int last = -1;
        for (JsonNode item : changes) {
            int position = position(order, item, key);
            if (!item.has(MARKER) && !order.isEmpty() && position <= last) {
                throw StatusException.unclassified("The order in patch list doesn't match $setElementOrder list");
            }
            last = item.has(MARKER) ? last : position;
        }
    }

    private static ArrayNode mergeList(ArrayNode present, ArrayNode changes, Field field) {
        if (!field.merges() || present.isEmpty() && changes.isEmpty()) {
            return changes;
        }
        Set<String> types = new HashSet<>();
        present.forEach(item -> types.add(JsonValues.jsonType(item)));
        changes.forEach(item -> types.add(JsonValues.jsonType(item)));
        if (types.size() > 1) {
            throw StatusException.unclassified("list element types are not identical: " + types);
        }
        if (!types.contains("object")) {
            List<JsonNode> union = items(present);
            changes.forEach(item -> {
                if (position(union, item, "") < 0) {
                    union.add(item);
                }
            });
            return arrange(union, items(changes), items(present), "");
        }
        if (field.key().isEmpty()) {
            throw StatusException.unclassified("cannot merge lists without merge key");
        }
        return mergeObjects(items(present), changes, field);
    }

    private static ArrayNode mergeObjects(List<JsonNode> merged, ArrayNode patch, Field field) {
        List<JsonNode> changes = new ArrayList<>();
        boolean replaces = false;
        for (JsonNode item : patch) {
            JsonNode directive = item.path(MARKER);
            switch (directive.asText()) {
                case "" -> changes.add(item);
                case "delete" -> {
                    key(item, field.key());
                    merged.removeIf(present -> same(present, item, field.key()));
                }
                case "replace" -> replaces = true;
                default -> throw unknown(directive);
            }
        }
        if (replaces) {
            return patch.arrayNode().addAll(changes);
        }
        List<JsonNode> serverOrder = List.copyOf(merged);
        for (JsonNode change : changes) {
            key(change, field.key());
            int index = position(merged, change, field.key());
            if (index < 0) {
                merged.add(change);
            } else {
                merged.set(index, mergeMap((ObjectNode) merged.get(index), (ObjectNode) change, field.type()));
            }
        }
        return arrange(merged, changes, serverOrder, field.key());
    }

    private static JsonNode key(JsonNode item, String key) {
        if (!item.has(key)) {
            throw StatusException.unclassified("map: " + item + " does not contain declared merge key: " + key);
        }
        return item.path(key);
    }

    /**
     * Return merged items in order: those of the patch in its order, the others in that of the server, both interleaved by
     * the order of the server.
     */
    private static ArrayNode arrange(
            List<JsonNode> merged, List<JsonNode> patchOrder, List<JsonNode> serverOrder, String key) {
        if (!key.isEmpty()) {
            merged.forEach(item -> key(item, key));
        }
        List<JsonNode> ordered = new ArrayList<>(merged);
        ordered.removeIf(item -> position(patchOrder, item, key) < 0);
        ordered.sort(Comparator.comparingInt(item -> position(patchOrder, item, key)));
        List<JsonNode> others = new ArrayList<>(merged);
        others.removeIf(item -> position(patchOrder, item, key) >= 0);
        others.sort(Comparator.comparingInt(item -> position(serverOrder, item, key)));
        ArrayNode all = Json.array();
        for (JsonNode item : ordered) {
            int place = position(serverOrder, item, key);
            while (!others.isEmpty() && position(serverOrder, others.get(0), key) < place) {
                all.add(others.remove(0));
            }
            all.add(item);
        }
        return all.addAll(others);
    }

    private static int position(List<JsonNode> items, JsonNode wanted, String key) {
        for (int i = 0; i < items.size(); i++) {
            if (same(items.get(i), wanted, key)) {
                return i;
            }
        }
        return -1;
    }

    private static boolean same(JsonNode left, JsonNode right, String key) {
        return key.isEmpty() ? JsonValues.equal(left, right) : JsonValues.equal(left.path(key), right.path(key));
    }

    private static List<JsonNode> items(JsonNode list) {
        List<JsonNode> items = new ArrayList<>();
        list.forEach(items::add);
        return items;
    }
}
