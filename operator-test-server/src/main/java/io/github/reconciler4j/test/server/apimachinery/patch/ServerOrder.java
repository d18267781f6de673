package io.github.reconciler4j.test.server.apimachinery.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.ArrayList;
import java.util.List;

/**
 * The order of a live list as {@code $setElementOrder} sees it on the server. There the merge before works in the live
 * list's own array: items that it deletes make the others move up, and items that it adds take the places at the end that
 * become free, so that they count as known to the server. Used by one thread.
 */
final class ServerOrder {

    private final List<JsonNode> array;
    private int length;
    private boolean inPlace = true;

    private ServerOrder(ArrayNode present) {
        this.array = StrategicMergePatch.items(present);
        this.length = array.size();
    }

    /** Returns the order that the server sees after it has merged the changes. */
    static List<JsonNode> after(ArrayNode present, ArrayNode changes, PatchField field) {
        ServerOrder order = new ServerOrder(present);
        if (field.isMerged() && !field.mergeKey().isEmpty()) {
            order.merge(changes, field.mergeKey());
        }
        return order.array;
    }

    private void merge(ArrayNode changes, String key) {
        List<JsonNode> added = new ArrayList<>();
        boolean replaced = false;
        for (JsonNode change : changes) {
            String directive = change.path(PatchDirectives.MARKER).asText();
            if (directive.equals(PatchDirectives.DELETE)) {
                delete(change, key);
            } else if (directive.isEmpty()) {
                added.add(change);
            } else {
                replaced = true;
            }
        }
        if (!replaced) {
            added.forEach(item -> add(item, key));
        }
    }

    private void delete(JsonNode item, String key) {
        int index = ListMerge.indexOf(array.subList(0, length), key, item.get(key));
        while (index >= 0) {
            for (int i = index; i < length - 1; i++) {
                array.set(i, array.get(i + 1));
            }
            length--;
            index = ListMerge.indexOf(array.subList(0, length), key, item.get(key));
        }
    }

    private void add(JsonNode item, String key) {
        if (ListMerge.indexOf(array.subList(0, length), key, item.get(key)) >= 0) {
            return;
        }
        inPlace = inPlace && length < array.size();
        if (inPlace) {
            array.set(length++, item);
        }
    }
}
