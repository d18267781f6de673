package io.github.reconciler4j.test.server.apimachinery.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.StatusException;
import io.github.reconciler4j.test.server.apimachinery.Trees;
import io.github.reconciler4j.test.server.apimachinery.TypeSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Order of merged lists. Items that the patch names come in the order of the patch (or of its {@code $setElementOrder}),
 * the others in the order of the server, and both are interleaved by the server's order where it knows two of them.
 */
final class ElementOrder {

    private ElementOrder() {}

    /** Carries out all {@code $setElementOrder} directives of a patch, and takes them and their lists out of it. */
    static void mergeOrdered(ObjectNode original, ObjectNode patch, TypeSchema schema) {
        for (String directive : names(patch)) {
            if (!directive.startsWith(PatchDirectives.ELEMENT_ORDER)) {
                continue;
            }
            JsonNode order = patch.remove(directive);
            String name = PatchDirectives.orderedListName(directive);
            mergeOrdered(original, patch, list(order), name, schema);
        }
    }

    private static List<String> names(ObjectNode patch) {
        List<String> names = new ArrayList<>();
        patch.fieldNames().forEachRemaining(names::add);
        return names;
    }

    private static ArrayNode list(JsonNode node) {
        if (node instanceof ArrayNode list) {
            return list;
        }
        throw StatusException.unclassified("expected a []interface {}, but received a " + Trees.jsonType(node));
    }

    private static void mergeOrdered(
            ObjectNode original, ObjectNode patch, ArrayNode order, String name, TypeSchema schema) {
        ArrayNode present = original.has(name) ? list(original.get(name)) : null;
        ArrayNode changes = patch.has(name) ? list(patch.get(name)) : null;
        PatchField field = PatchField.lookupList(schema, name);
        ArrayNode none = original.arrayNode();
        checkOrder(changes == null ? none : changes, order, field.mergeKey());
        if (present == null && changes == null) {
            return;
        }
        List<JsonNode> serverOrder =
                present == null ? List.of() : ServerOrder.after(present, changes == null ? none : changes, field);
        ListMerge.elementType(present == null ? none : present, changes == null ? none : changes);
        ArrayNode merged = mergeContents(present, changes, field);
        original.set(
                name,
                arrange(
                        StrategicMergePatch.items(merged),
                        StrategicMergePatch.items(order),
                        serverOrder,
                        field.mergeKey(),
                        merged));
        patch.remove(name);
    }

    private static ArrayNode mergeContents(@Nullable ArrayNode present, @Nullable ArrayNode changes, PatchField field) {
        if (changes == null) {
            return Objects.requireNonNull(present);
        }
        if (present == null) {
            PatchDirectives.strip(changes);
            return changes;
        }
        return ListMerge.merge(present, changes, field);
    }

    /** Checks that the patch's items appear in the order list, in the same order. */
    private static void checkOrder(ArrayNode changes, ArrayNode order, String key) {
        if (changes.isEmpty() || order.isEmpty()) {
            return;
        }
        int next = 0;
        for (JsonNode item : changes) {
            if (item.has(PatchDirectives.MARKER)) {
                continue;
            }
            while (next < order.size() && !same(item, order.get(next), key)) {
                next++;
            }
            if (next == order.size()) {
                throw StatusException.unclassified("The order in patch list:\n" + String.valueOf(changes)
                        + "\n doesn't match " + PatchDirectives.ELEMENT_ORDER + " list:\n" + String.valueOf(order)
                        + "\n");
            }
            next++;
        }
    }

    private static boolean same(JsonNode left, JsonNode right, String key) {
        if (key.isEmpty()) {
            return Trees.equal(left, right);
        }
        return Trees.equal(ListMerge.keyOf(left, key), ListMerge.keyOf(right, key));
    }

    /**
     * Puts merged items in order.
     *
     * @param key merge key of the items, empty for scalars
     * @param factory any array, to make the result of the same kind
     */
    static ArrayNode arrange(
            List<JsonNode> merged,
            List<JsonNode> patchOrder,
            List<JsonNode> serverOrder,
            String key,
            ArrayNode factory) {
        List<JsonNode> fromPatch = new ArrayList<>();
        List<JsonNode> serverOnly = new ArrayList<>();
        for (JsonNode item : merged) {
            if (!key.isEmpty()) {
                ListMerge.keyOf(item, key);
            }
            (position(patchOrder, item, key) >= 0 ? fromPatch : serverOnly).add(item);
        }
        sort(fromPatch, patchOrder, key);
        sort(serverOnly, serverOrder, key);
        ArrayNode all = factory.arrayNode();
        interleave(serverOnly, fromPatch, serverOrder, key).forEach(all::add);
        return all;
    }

    private static int position(List<JsonNode> order, JsonNode item, String key) {
        for (int i = 0; i < order.size(); i++) {
            JsonNode other = order.get(i);
            if (key.isEmpty() ? Trees.equal(item, other) : Trees.equal(item.path(key), other.path(key))) {
                return i;
            }
        }
        return -1;
    }

    /** Sorts by insertion. Items that the order does not know move to the front, as they do on the server. */
    private static void sort(List<JsonNode> items, List<JsonNode> order, String key) {
        for (int i = 1; i < items.size(); i++) {
            for (int j = i; j > 0 && isBefore(items.get(j), items.get(j - 1), order, key); j--) {
                JsonNode moved = items.get(j);
                items.set(j, items.get(j - 1));
                items.set(j - 1, moved);
            }
        }
    }

    private static boolean isBefore(JsonNode left, JsonNode right, List<JsonNode> order, String key) {
        int leftPosition = position(order, left, key);
        int rightPosition = position(order, right, key);
        return leftPosition < 0 || rightPosition < 0 || leftPosition < rightPosition;
    }

    private static List<JsonNode> interleave(
            List<JsonNode> serverOnly, List<JsonNode> fromPatch, List<JsonNode> serverOrder, String key) {
        List<JsonNode> all = new ArrayList<>();
        int next = 0;
        for (JsonNode item : fromPatch) {
            int position = position(serverOrder, item, key);
            while (next < serverOnly.size() && position >= 0) {
                int other = position(serverOrder, serverOnly.get(next), key);
                if (other < 0 || other >= position) {
                    break;
                }
                all.add(serverOnly.get(next++));
            }
            all.add(item);
        }
        all.addAll(serverOnly.subList(next, serverOnly.size()));
        return all;
    }
}
