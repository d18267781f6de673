package io.github.reconciler4j.test.server.apimachinery.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Fills in defaults and drops nulls that may not be there. Changes the trees given to it. */
final class Defaulter {

    private Defaulter() {}

    /** Adds defaults for fields that are missing, or null where null is not allowed. */
    static void addDefaults(JsonNode node, @Nullable SchemaNode schema) {
        if (schema == null) {
            return;
        }
        if (node instanceof ObjectNode object) {
            for (Map.Entry<String, SchemaNode> property : schema.properties.entrySet()) {
                JsonNode value = object.get(property.getKey());
                JsonNode defaultValue = property.getValue().defaultValue;
                if (defaultValue != null && (value == null || isForbiddenNull(value, property.getValue()))) {
                    object.set(property.getKey(), defaultValue.deepCopy());
                }
            }
            for (String name : names(object)) {
                SchemaNode field = schema.field(name);
                if (field != null && field == schema.additionalProperties && isForbiddenNull(object.get(name), field)) {
                    object.set(name, copyOf(field.defaultValue));
                }
                addDefaults(object.path(name), field);
            }
        } else if (node instanceof ArrayNode list) {
            for (int i = 0; i < list.size(); i++) {
                if (schema.items != null && isForbiddenNull(list.get(i), schema.items)) {
                    list.set(i, copyOf(schema.items.defaultValue));
                }
                addDefaults(list.path(i), schema.items);
            }
        }
    }

    private static JsonNode copyOf(@Nullable JsonNode value) {
        return value == null ? NullNode.getInstance() : value.deepCopy();
    }

    private static boolean isForbiddenNull(JsonNode value, SchemaNode schema) {
        return value.isNull() && !schema.nullable;
    }

    /** Drops null fields where null is not allowed and no default takes their place. */
    static void dropForbiddenNulls(JsonNode node, @Nullable SchemaNode schema) {
        if (node instanceof ObjectNode object) {
            for (String name : names(object)) {
                SchemaNode field = schema == null ? null : schema.field(name);
                JsonNode value = object.path(name);
                if (field != null && isForbiddenNull(value, field) && field.defaultValue == null) {
                    object.remove(name);
                } else {
                    dropForbiddenNulls(value, field);
                }
            }
        } else {
            node.forEach(item -> dropForbiddenNulls(item, schema == null ? null : schema.items));
        }
    }

    private static List<String> names(ObjectNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
