package io.github.reconciler4j.test.server.internal.apimachinery.schema;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.server.internal.apimachinery.JsonValues;
import org.jspecify.annotations.Nullable;

/** A value and what stood in its place before the update. Immutable. */
record Correlation(JsonNode value, JsonNode old, SchemaNode schema) {

    /** Return the pair of a field, or null if it was not there before or is not declared. */
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

    /** Return the pair of an item; only items of associative lists have one. */
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
            if (!JsonValues.equal(left.path(key), right.path(key))) {
                return false;
            }
        }
        return true;
    }

    boolean isSame() {
        return JsonValues.equal(value, old);
    }
}
