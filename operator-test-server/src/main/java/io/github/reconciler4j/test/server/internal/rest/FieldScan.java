package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.github.reconciler4j.test.server.apimachinery.FieldError;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The fields of a document in their order, and those that come twice in one object. Immutable.
 *
 * @param fields all fields that were met
 * @param duplicates whether any of them is there twice
 * @param yaml whether the document is YAML
 */
record FieldScan(List<Field> fields, boolean duplicates, boolean yaml) {
    private static final JsonFactory JSON_FACTORY = new JsonFactory();
    private static final JsonFactory YAML_FACTORY = new YAMLFactory();

    /** A document of which nothing is to be said. */
    static final FieldScan NONE = new FieldScan(List.of(), false, false);

    /**
     * A field.
     *
     * @param path where it is, such as {@code spec.ports[0].name}
     * @param name its name
     * @param line the line it is in, from 1
     * @param duplicate whether its object had a field of that name already
     */
    record Field(String path, String name, int line, boolean duplicate) {
        /** What the server says of a second field of the same name. */
        String complaint(boolean inYaml) {
            return inYaml
                    ? "line " + line + ": key " + FieldError.quoted(name) + " already set in map"
                    : "duplicate field " + FieldError.quoted(path);
        }
    }

    /** Walks through a document; one that cannot be read has no fields. */
    static FieldScan of(byte[] document, boolean yaml) {
        try (JsonParser parser = (yaml ? YAML_FACTORY : JSON_FACTORY).createParser(document)) {
            List<Field> fields = new Walk(parser).walk();
            return new FieldScan(fields, fields.stream().anyMatch(Field::duplicate), yaml);
        } catch (IOException e) {
            return NONE;
        }
    }

    /** What is said of the duplicates, in order. */
    List<String> complaints() {
        return fields.stream()
                .filter(Field::duplicate)
                .map(field -> field.complaint(yaml))
                .toList();
    }

    /** One level of nesting; {@code index} is that of the current item in a list, and -1 in an object. */
    private static final class Level {
        private final String path;
        private final Set<String> names = new HashSet<>();
        private int index;

        Level(String path, boolean list) {
            this.path = path;
            this.index = list ? 0 : -1;
        }
    }

    /** Reads one document. */
    private static final class Walk {
        private final JsonParser parser;
        private final Deque<Level> levels = new ArrayDeque<>();
        private final List<Field> fields = new ArrayList<>();
        private String current = "";

        Walk(JsonParser parser) {
            this.parser = parser;
        }

        List<Field> walk() throws IOException {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                Level level = levels.peek();
                if (token == JsonToken.FIELD_NAME && level != null) {
                    name(level, parser.currentName());
                } else if (token.isStructEnd()) {
                    levels.pop();
                } else {
                    value(level, token);
                }
            }
            return fields;
        }

        private void name(Level level, String name) {
            current = level.path.isEmpty() ? name : level.path + "." + name;
            int line = parser.currentTokenLocation().getLineNr();
            fields.add(new Field(current, name, line, !level.names.add(name)));
        }

        private void value(@org.jspecify.annotations.Nullable Level level, JsonToken token) {
            String path = level != null && level.index >= 0 ? level.path + "[" + level.index++ + "]" : current;
            if (token.isStructStart()) {
                levels.push(new Level(path, token == JsonToken.START_ARRAY));
            }
        }
    }
}
