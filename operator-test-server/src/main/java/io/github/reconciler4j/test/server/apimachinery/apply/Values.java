package io.github.reconciler4j.test.server.apimachinery.apply;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.server.apimachinery.FieldError;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Order and spelling of values in field paths. */
final class Values {

    private Values() {}

    /** Compares values: numbers, then texts, booleans, lists, maps, nulls; numbers by value whatever their form. */
    static int compare(JsonNode left, JsonNode right) {
        int byKind = Integer.compare(rank(left), rank(right));
        if (byKind != 0) {
            return byKind;
        }
        return switch (left.getNodeType()) {
            case NUMBER -> left.decimalValue().compareTo(right.decimalValue());
            case STRING -> left.textValue().compareTo(right.textValue());
            case BOOLEAN -> Boolean.compare(left.booleanValue(), right.booleanValue());
            case ARRAY -> compareLists(left, right);
            case OBJECT -> compareFields(fields(left), fields(right));
            default -> 0;
        };
    }

    private static int rank(JsonNode node) {
        return switch (node.getNodeType()) {
            case NUMBER -> 0;
            case STRING -> 1;
            case BOOLEAN -> 2;
            case ARRAY -> 3;
            case OBJECT -> 4;
            default -> 5;
        };
    }

    private static int compareLists(JsonNode left, JsonNode right) {
        for (int i = 0; i < Math.min(left.size(), right.size()); i++) {
            int byItem = compare(left.get(i), right.get(i));
            if (byItem != 0) {
                return byItem;
            }
        }
        return Integer.compare(left.size(), right.size());
    }

    /** Compares fields in order: first names, then values; fewer fields come first. */
    static int compareFields(SortedMap<String, JsonNode> left, SortedMap<String, JsonNode> right) {
        Iterator<Map.Entry<String, JsonNode>> others = right.entrySet().iterator();
        for (Map.Entry<String, JsonNode> field : left.entrySet()) {
            if (!others.hasNext()) {
                return 1;
            }
            Map.Entry<String, JsonNode> other = others.next();
            int byName = field.getKey().compareTo(other.getKey());
            int byField = byName != 0 ? byName : compare(field.getValue(), other.getValue());
            if (byField != 0) {
                return byField;
            }
        }
        return others.hasNext() ? -1 : 0;
    }

    private static SortedMap<String, JsonNode> fields(JsonNode object) {
        SortedMap<String, JsonNode> fields = new TreeMap<>();
        object.properties().forEach(field -> fields.put(field.getKey(), field.getValue()));
        return fields;
    }

    /** Spells a value as in messages: texts in quotes. */
    static String spelled(JsonNode node) {
        if (node.isNull()) {
            return "null";
        }
        if (node.isTextual()) {
            return FieldError.quoted(node.textValue());
        }
        if (node.isArray()) {
            List<String> items = new ArrayList<>();
            node.forEach(item -> items.add(spelled(item)));
            return "[" + String.join(",", items) + "]";
        }
        if (node.isObject()) {
            StringBuilder text = new StringBuilder();
            fields(node).forEach((name, value) -> text.append(name).append('=').append(spelled(value)));
            return text.toString();
        }
        return String.valueOf(node);
    }
}
