package io.github.reconciler4j.test.server.internal.apimachinery.schema;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** The protobuf messages of built-in types, from a table beside this class. Loaded when first needed. */
final class ProtobufMessages {
    /** The message with the kind of an encoded object, which the tables do not contain. */
    static final String TYPE_META = "TypeMeta";

    private static final String TABLE = "built-in-protobuf.tsv.gz";
    private static final Map<String, Map<Integer, Field>> MESSAGES = read();

    private ProtobufMessages() {}

    /**
     * A field of a message.
     *
     * @param kind {@code o} for one value, {@code r} for a list, {@code m} for a map of texts to values
     * @param type the type of its values, a scalar or a message
     */
    record Field(String name, char kind, String type) {}

    /** Return the field of a message with that number, or null. */
    static @Nullable Field field(String message, int number) {
        return MESSAGES.getOrDefault(message, Map.of()).get(number);
    }

    private static Map<String, Map<Integer, Field>> read() {
        Map<String, Map<Integer, Field>> messages = new HashMap<>();
        messages.put(TYPE_META, Map.of(1, new Field("apiVersion", 'o', "string"), 2, new Field("kind", 'o', "string")));
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(Objects.requireNonNull(ProtobufMessages.class.getResourceAsStream(TABLE), TABLE)),
                StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                String[] cells = line.split("\t");
                if (!line.startsWith("#") && cells.length == 2) {
                    messages.put(cells[0], parse(cells[1]));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return messages;
    }

    /** Return the JSON name of a field. A few names start with a capital letter in messages but not in JSON. */
    private static String jsonName(String name) {
        return name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
    }

    private static Map<Integer, Field> parse(String cell) {
        Map<Integer, Field> fields = new HashMap<>();
        for (String text : cell.split(" ")) {
            String[] parts = text.split(":");
            fields.put(Integer.parseInt(parts[0]), new Field(jsonName(parts[1]), parts[2].charAt(0), parts[3]));
        }
        return fields;
    }
}
