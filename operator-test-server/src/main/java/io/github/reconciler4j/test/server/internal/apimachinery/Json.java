package io.github.reconciler4j.test.server.internal.apimachinery;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads, writes and walks JSON trees the way the server needs it. Stateless; safe for use by multiple threads. */
public final class Json {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private Json() {}

    public static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    public static ArrayNode array() {
        return JsonNodeFactory.instance.arrayNode();
    }

    public static ArrayNode strings(Iterable<String> values) {
        ArrayNode array = array();
        values.forEach(array::add);
        return array;
    }

    /**
     * Parse a whole document.
     *
     * @throws IOException if the text is no JSON or something follows it
     */
    public static JsonNode parse(byte[] json) throws IOException {
        return MAPPER.readTree(json);
    }

    public static ObjectNode parseOwn(byte[] json) {
        try {
            return (ObjectNode) MAPPER.readTree(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Return the tree as UTF-8 text without spaces. */
    public static byte[] bytes(JsonNode tree) {
        try {
            return MAPPER.writeValueAsBytes(tree);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Return the node at the path of field names, or a missing node. */
    public static JsonNode path(@Nullable JsonNode tree, String... path) {
        JsonNode node = at(tree, path);
        return node == null ? MissingNode.getInstance() : node;
    }

    /** Return the node at the path of field names, or null where the path ends early or holds a null. */
    public static @Nullable JsonNode at(@Nullable JsonNode tree, String... path) {
        JsonNode node = tree;
        for (String name : path) {
            if (node == null) {
                return null;
            }
            node = node.get(name);
        }
        return node == null || node.isNull() ? null : node;
    }

    /** Return the text at the path, empty if there is no string. */
    public static String text(@Nullable JsonNode tree, String... path) {
        JsonNode node = at(tree, path);
        return node != null && node.isTextual() ? node.textValue() : "";
    }

    /** Return the whole number at the path, or the given default. */
    public static long number(@Nullable JsonNode tree, long otherwise, String... path) {
        JsonNode node = at(tree, path);
        return node != null && node.isNumber() ? node.longValue() : otherwise;
    }

    /** Return the object at the path, or null. */
    public static @Nullable ObjectNode objectAt(@Nullable JsonNode tree, String... path) {
        return at(tree, path) instanceof ObjectNode object ? object : null;
    }

    /** Return the elements of the array at the path, empty without an array. */
    public static List<JsonNode> items(@Nullable JsonNode tree, String... path) {
        List<JsonNode> items = new ArrayList<>();
        if (at(tree, path) instanceof ArrayNode array) {
            array.forEach(items::add);
        }
        return items;
    }

    /** Return the strings of the array at the path, empty without an array. */
    public static List<String> texts(@Nullable JsonNode tree, String... path) {
        List<String> texts = new ArrayList<>();
        for (JsonNode item : items(tree, path)) {
            texts.add(item.asText());
        }
        return texts;
    }

    /** Return the string fields of the object at the path, sorted, empty without an object. */
    public static Map<String, String> stringMap(@Nullable JsonNode tree, String... path) {
        ObjectNode object = objectAt(tree, path);
        if (object == null || object.isEmpty()) {
            return Map.of();
        }
        Map<String, String> map = new TreeMap<>();
        object.properties()
                .forEach(field -> map.put(field.getKey(), field.getValue().asText()));
        return map;
    }

    /** Return the child object of that name, made when it is missing or something else. */
    public static ObjectNode child(ObjectNode parent, String name) {
        return parent.get(name) instanceof ObjectNode object ? object : parent.putObject(name);
    }

    /** Return the metadata of an object, made when it is missing. */
    public static ObjectNode metadata(ObjectNode object) {
        return child(object, "metadata");
    }

    /** Set a field, or remove it if the value is null. */
    public static void setOrRemove(ObjectNode object, String name, @Nullable JsonNode value) {
        if (value == null) {
            object.remove(name);
        } else {
            object.set(name, value);
        }
    }

    /** Return the same object with the named fields first, in this order, as far as they are there. */
    public static ObjectNode withFirst(ObjectNode object, String... names) {
        Map<String, JsonNode> fields = new LinkedHashMap<>();
        for (String name : names) {
            JsonNode value = object.get(name);
            if (value != null) {
                fields.put(name, value);
            }
        }
        object.properties().forEach(field -> fields.putIfAbsent(field.getKey(), field.getValue()));
        return new ObjectNode(JsonNodeFactory.instance, fields);
    }

    /** Return whether two trees mean the same: the order of fields and the class of numbers do not count. */
    public static boolean same(JsonNode one, JsonNode other) {
        return one.equals(Json::compare, other);
    }

    private static int compare(JsonNode one, JsonNode other) {
        if (one.isNumber() && other.isNumber()) {
            return one.decimalValue().compareTo(other.decimalValue());
        }
        return one.equals(other) ? 0 : 1;
    }
}
