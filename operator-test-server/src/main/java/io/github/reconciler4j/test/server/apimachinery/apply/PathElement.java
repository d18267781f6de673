package io.github.reconciler4j.test.server.apimachinery.apply;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.reconciler4j.test.server.apimachinery.FieldError;
import io.github.reconciler4j.test.server.apimachinery.Trees;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * One step of a field path: a field of a map, an item of an associative list by its keys, an item of a set by its value,
 * or an item of a list by its position. Ordered as the server orders them; {@code toString} is the server's spelling in
 * messages. Immutable.
 */
sealed interface PathElement extends Comparable<PathElement> {

    /** Reads elements that are not JSON documents of their own. */
    JsonMapper MAPPER = JsonMapper.builder().build();

    /** Returns the form in {@code FieldsV1}, such as {@code f:spec}. */
    String serialized();

    /** Returns the place of this kind of element among the kinds. */
    int rank();

    /** A field of a map or struct. */
    record Field(String name) implements PathElement {

        @Override
        public String serialized() {
            return "f:" + name;
        }

        @Override
        public int rank() {
            return 0;
        }

        @Override
        public String toString() {
            return "." + name;
        }
    }

    /** An item of an associative list; keys in order of their names. */
    record Key(TreeMap<String, JsonNode> keys) implements PathElement {

        @Override
        public String serialized() {
            List<String> members = new ArrayList<>();
            keys.forEach((name, value) -> members.add(FieldError.quoted(name) + ":" + Trees.canonical(value)));
            return "k:{" + String.join(",", members) + "}";
        }

        @Override
        public int rank() {
            return 1;
        }

        @Override
        public String toString() {
            return keys.entrySet().stream()
                    .map(key -> key.getKey() + "=" + Values.spelled(key.getValue()))
                    .collect(Collectors.joining(",", "[", "]"));
        }
    }

    /** An item of a set. */
    record Value(JsonNode value) implements PathElement {

        @Override
        public String serialized() {
            return "v:" + Trees.canonical(value);
        }

        @Override
        public int rank() {
            return 2;
        }

        @Override
        public String toString() {
            return "[=" + Values.spelled(value) + "]";
        }
    }

    /** An item of a list by its position. */
    record Index(int index) implements PathElement {

        @Override
        public String serialized() {
            return "i:" + index;
        }

        @Override
        public int rank() {
            return 3;
        }

        @Override
        public String toString() {
            return "[" + index + "]";
        }
    }

    @Override
    default int compareTo(PathElement other) {
        if (this instanceof Field left && other instanceof Field right) {
            return left.name.compareTo(right.name);
        }
        if (this instanceof Key left && other instanceof Key right) {
            return Values.compareFields(left.keys, right.keys);
        }
        if (this instanceof Value left && other instanceof Value right) {
            return Values.compare(left.value, right.value);
        }
        if (this instanceof Index left && other instanceof Index right) {
            return Integer.compare(left.index, right.index);
        }
        return Integer.compare(rank(), other.rank());
    }

    /**
     * Reads the form in {@code FieldsV1}; empty for a kind of element that is not known.
     *
     * @throws IllegalArgumentException if it cannot be read
     */
    static Optional<PathElement> parse(String text) {
        if (text.length() < 2 || text.charAt(1) != ':') {
            throw new IllegalArgumentException("missing colon: " + text);
        }
        String content = text.substring(2);
        return switch (text.charAt(0)) {
            case 'f' -> Optional.of(new Field(content));
            case 'v' -> Optional.of(new Value(read(content)));
            case 'k' -> Optional.of(new Key(keys(read(content))));
            case 'i' -> Optional.of(new Index(Integer.parseInt(content)));
            default -> Optional.empty();
        };
    }

    private static TreeMap<String, JsonNode> keys(JsonNode object) {
        TreeMap<String, JsonNode> keys = new TreeMap<>(Comparator.naturalOrder());
        for (Map.Entry<String, JsonNode> key : object.properties()) {
            keys.put(key.getKey(), key.getValue());
        }
        return keys;
    }

    private static JsonNode read(String json) {
        try {
            return MAPPER.readTree(json);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not a value", e);
        }
    }
}
