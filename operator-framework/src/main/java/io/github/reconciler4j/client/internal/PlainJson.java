package io.github.reconciler4j.client.internal;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads JSON into maps and lists with Jackson's parser alone: data binding takes 400 classes, and a process start as well. */
final class PlainJson {

    private static final JsonFactory FACTORY = new JsonFactory();

    private PlainJson() {}

    /**
     * The object at the top of a document; empty if there is something else. Numbers are left as text.
     *
     * @throws IOException if it is no JSON
     */
    static Map<String, Object> object(byte[] json) throws IOException {
        try (JsonParser parser = FACTORY.createParser(json)) {
            return parser.nextToken() == JsonToken.START_OBJECT ? object(parser) : Map.of();
        }
    }

    private static Map<String, Object> object(JsonParser parser) throws IOException {
        Map<String, Object> object = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            Object value = value(parser);
            if (value != null) {
                object.put(name, value);
            }
        }
        return object;
    }

    private static List<Object> array(JsonParser parser) throws IOException {
        List<Object> array = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            Object value = value(parser);
            if (value != null) {
                array.add(value);
            }
        }
        return array;
    }

    private static @Nullable Object value(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> array(parser);
            case VALUE_NULL -> null;
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> parser.getText();
        };
    }

    /** The objects in a field; none if it is missing or something else. */
    static List<Map<?, ?>> objects(Map<?, ?> in, String field) {
        List<Map<?, ?>> objects = new ArrayList<>();
        for (Object value : list(in, field)) {
            if (value instanceof Map<?, ?> object) {
                objects.add(object);
            }
        }
        return objects;
    }

    /** The list in a field; empty if it is missing or something else. */
    static List<?> list(Map<?, ?> in, String field) {
        return in.get(field) instanceof List<?> list ? list : List.of();
    }

    /** The text in a field; {@code ""} if it is missing or something else. */
    static String text(Map<?, ?> in, String field) {
        return in.get(field) instanceof String text ? text : "";
    }
}
