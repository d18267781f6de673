package io.github.reconciler4j.test.server.internal.apimachinery.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldError;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldErrors;
import io.github.reconciler4j.test.server.internal.apimachinery.JsonValues;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Checks that sets and associative lists hold nothing twice. Safe for use by multiple threads. */
final class ListChecks {

    private ListChecks() {}

    /** Return whether two items of a list are the same. */
    static boolean hasDuplicates(JsonNode list) {
        for (int i = 0; i < list.size(); i++) {
            for (int j = 0; j < i; j++) {
                if (JsonValues.equal(list.get(i), list.get(j))) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Return the duplicate items of lists. */
    static List<FieldError> check(JsonNode tree, SchemaNode schema) {
        FieldErrors errors = new FieldErrors();
        check(tree, schema, "", errors);
        return errors;
    }

    private static void check(JsonNode node, @Nullable SchemaNode schema, String path, FieldErrors errors) {
        if (schema == null) {
            return;
        }
        if (node.isArray()) {
            checkList(node, schema, path, errors);
            for (int i = 0; i < node.size(); i++) {
                check(node.get(i), schema.items, path + "[" + i + "]", errors);
            }
        } else if (node.isObject()) {
            for (Map.Entry<String, JsonNode> field : node.properties()) {
                SchemaNode declared = schema.properties.get(field.getKey());
                String name = field.getKey();
                if (declared != null) {
                    check(field.getValue(), declared, path.isEmpty() ? name : path + "." + name, errors);
                } else {
                    check(field.getValue(), schema.additionalProperties, path + "[" + name + "]", errors);
                }
            }
        }
    }

    private static void checkList(JsonNode list, SchemaNode schema, String path, FieldErrors errors) {
        if (schema.listType.equals("set")) {
            List<JsonNode> items = new ArrayList<>();
            list.forEach(items::add);
            addDuplicates(items, path, errors);
        } else if (schema.listType.equals("map")) {
            checkMap(list, schema, path, errors);
        }
    }

    private static void checkMap(JsonNode list, SchemaNode schema, String path, FieldErrors errors) {
        List<JsonNode> keys = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            JsonNode item = list.get(i);
            if (!item.isObject() && !item.isNull()) {
                errors.invalid(path + "[" + i + "]", item, "must be an object for an array of list-type map");
                return;
            }
            ObjectNode key = JsonNodeFactory.instance.objectNode();
            for (String name : schema.listMapKeys) {
                if (item.has(name)) {
                    key.set(name, item.get(name));
                }
            }
            keys.add(key);
        }
        addDuplicates(keys, path, errors);
    }

    /** Reports the second of several same values, once. */
    private static void addDuplicates(List<JsonNode> values, String path, FieldErrors errors) {
        Map<String, Integer> seen = new HashMap<>();
        for (int i = 0; i < values.size(); i++) {
            JsonNode value = values.get(i);
            String identity = JsonValues.jsonType(value) + JsonValues.canonical(value);
            if (seen.merge(identity, 1, Integer::sum) == 2) {
                errors.duplicate(path + "[" + i + "]", value);
            }
        }
    }
}
