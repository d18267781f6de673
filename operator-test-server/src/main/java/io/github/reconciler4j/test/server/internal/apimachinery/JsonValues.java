package io.github.reconciler4j.test.server.internal.apimachinery;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/** Comparison and naming of JSON values as the API server does it. Safe for use by multiple threads. */
public final class JsonValues {
    private static final int LARGEST_PLAIN = 21;

    private JsonValues() {}

    /**
     * Return whether two values are the same. Integers compare by value regardless of their width, fields of objects without
     * regard to order, lists in order. An integer never equals a number with a fraction part, even {@code 1} and
     * {@code 1.0}: the server keeps the two apart.
     */
    public static boolean equal(JsonNode left, JsonNode right) {
        return equal(left, right, JsonValues::sameScalar);
    }

    /** Return whether two values are the same, with {@code 1} and {@code 1.0} counting as equal. */
    public static boolean equalByValue(JsonNode left, JsonNode right) {
        return equal(left, right, JsonValues::sameScalarByValue);
    }

    private static boolean equal(JsonNode left, JsonNode right, BiPredicate<JsonNode, JsonNode> scalars) {
        if (left.isObject() && right.isObject()) {
            return equalObjects((ObjectNode) left, (ObjectNode) right, scalars);
        }
        if (left.isArray() && right.isArray()) {
            return equalArrays((ArrayNode) left, (ArrayNode) right, scalars);
        }
        return scalars.test(left, right);
    }

    private static boolean equalObjects(ObjectNode left, ObjectNode right, BiPredicate<JsonNode, JsonNode> scalars) {
        if (left.size() != right.size()) {
            return false;
        }
        for (Map.Entry<String, JsonNode> field : left.properties()) {
            JsonNode other = right.get(field.getKey());
            if (other == null || !equal(field.getValue(), other, scalars)) {
                return false;
            }
        }
        return true;
    }

    private static boolean equalArrays(ArrayNode left, ArrayNode right, BiPredicate<JsonNode, JsonNode> scalars) {
        if (left.size() != right.size()) {
            return false;
        }
        Iterator<JsonNode> others = right.iterator();
        for (JsonNode item : left) {
            if (!equal(item, others.next(), scalars)) {
                return false;
            }
        }
        return true;
    }

    private static boolean sameScalar(JsonNode left, JsonNode right) {
        if (left.isIntegralNumber() && right.isIntegralNumber()) {
            return left.bigIntegerValue().equals(right.bigIntegerValue());
        }
        if (left.isNumber() && right.isNumber()) {
            return !left.isIntegralNumber()
                    && !right.isIntegralNumber()
                    && Double.compare(left.doubleValue(), right.doubleValue()) == 0;
        }
        return left.equals(right);
    }

    private static boolean sameScalarByValue(JsonNode left, JsonNode right) {
        if (left.isNumber() && right.isNumber()) {
            return left.decimalValue().compareTo(right.decimalValue()) == 0;
        }
        return left.equals(right);
    }

    /**
     * Return a tree as it is after the server has written and read it: numbers with a fraction part of zero have become
     * integers. The argument is not changed.
     */
    public static JsonNode stored(JsonNode node) {
        if (node instanceof ObjectNode object) {
            ObjectNode copy = object.objectNode();
            object.properties().forEach(field -> copy.set(field.getKey(), stored(field.getValue())));
            return copy;
        }
        if (node instanceof ArrayNode list) {
            ArrayNode copy = list.arrayNode();
            list.forEach(item -> copy.add(stored(item)));
            return copy;
        }
        double number = node.doubleValue();
        boolean isWhole = node.isFloatingPointNumber() && number == Math.rint(number) && Math.abs(number) < 1L << 53;
        return isWhole ? LongNode.valueOf((long) number) : node;
    }

    /** Return whether there is a value: neither absent nor JSON {@code null}. */
    public static boolean isPresent(@Nullable JsonNode node) {
        return node != null && !node.isNull() && !node.isMissingNode();
    }

    /** Return the name of the JSON type of a value, such as {@code object} or {@code bool}. */
    public static String jsonType(JsonNode node) {
        return switch (node.getNodeType()) {
            case OBJECT -> "object";
            case ARRAY -> "array";
            case STRING, BINARY, POJO -> "string";
            case NUMBER -> "number";
            case BOOLEAN -> "bool";
            case NULL, MISSING -> "null";
        };
    }

    /**
     * Return a value as the text that the server stores in keys of {@code managedFields} and in annotations: without
     * spaces, fields in the order of their names, and with characters escaped that have a meaning in HTML.
     */
    public static String canonical(JsonNode node) {
        if (node.isObject()) {
            Map<String, String> fields = new TreeMap<>();
            node.properties().forEach(field -> fields.put(field.getKey(), canonical(field.getValue())));
            List<String> members = new ArrayList<>();
            fields.forEach((name, text) -> members.add(escaped(FieldError.quoted(name)) + ":" + text));
            return "{" + String.join(",", members) + "}";
        }
        if (node.isArray()) {
            List<String> items = new ArrayList<>();
            node.forEach(item -> items.add(canonical(item)));
            return "[" + String.join(",", items) + "]";
        }
        if (node.isFloatingPointNumber()) {
            BigDecimal plain = node.decimalValue().stripTrailingZeros();
            return plain.precision() - plain.scale() <= LARGEST_PLAIN ? plain.toPlainString() : plain.toString();
        }
        return node.isTextual() ? escaped(node.toString()) : node.toString();
    }

    private static String escaped(String text) {
        return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026");
    }
}
