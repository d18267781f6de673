package io.github.reconciler4j.test.server.apimachinery.schema;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.server.apimachinery.Trees;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A value and what stood in its place before the update. Immutable. */
record Correlation(JsonNode value, JsonNode old, SchemaNode schema) {

    /** Returns the pair of a field, or null if it was not there before or is not declared. */
    @Nullable
    Correlation field(String name) {
        SchemaNode field = schema.field(name);
        JsonNode newValue = value.get(name);
        JsonNode oldValue = old.get(name);
        if (field == null || newValue == null || oldValue == null || !old.isObject() || !value.isObject()) {
            return null;
        }
        return new Correlation(newValue, oldValue, field);
    }

    /** Returns the pair of an item; only items of associative lists have one. */
    @Nullable
    Correlation item(int index) {
        JsonNode item = value.get(index);
        if (schema.items == null
                || !schema.listType.equals("map")
                || !old.isArray()
                || item == null
                || !item.isObject()) {
            return null;
        }
        for (JsonNode candidate : old) {
            if (sameKeys(item, candidate)) {
                return new Correlation(item, candidate, schema.items);
            }
        }
        return null;
    }

    private boolean sameKeys(JsonNode left, JsonNode right) {
        for (String key : schema.listMapKeys) {
            if (!Trees.equal(left.path(key), right.path(key))) {
                return false;
            }
        }
        return true;
    }

    /** Tells whether nothing has changed; a field that is not declared counts as changed. */
    boolean isSame() {
        if (value.isObject() && old.isObject()) {
            return sameFields();
        }
        if (value.isArray() && old.isArray()) {
            return sameItems();
        }
        return Trees.equal(value, old);
    }

    private boolean sameFields() {
        if (value.size() != old.size()) {
            return false;
        }
        for (Map.Entry<String, JsonNode> entry : value.properties()) {
            Correlation child = field(entry.getKey());
            if (child == null || !child.isSame()) {
                return false;
            }
        }
        return true;
    }

    private boolean sameItems() {
        if (value.size() != old.size()) {
            return false;
        }
        if (!schema.listType.equals("map")) {
            return Trees.equal(value, old);
        }
        for (int i = 0; i < value.size(); i++) {
            Correlation child = item(i);
            if (child == null || !child.isSame()) {
                return false;
            }
        }
        return true;
    }
}
