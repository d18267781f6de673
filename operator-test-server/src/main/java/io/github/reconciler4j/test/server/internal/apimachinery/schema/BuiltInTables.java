package io.github.reconciler4j.test.server.internal.apimachinery.schema;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Properties of built-in types that OpenAPI does not contain, from two tables beside this class: defaults, and fields that keep a
 * zero. Immutable.
 */
public final class BuiltInTables {
    private static final String API = "io.k8s.api.";
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private final Map<String, List<Default>> defaults = new HashMap<>();
    private final Map<String, Set<String>> kept = new HashMap<>();
    private final Map<String, Set<String>> omitted = new HashMap<>();
    private final Map<String, Set<String>> nulls = new HashMap<>();

    /** Loads on first use. */
    private static final class Holder {
        static final BuiltInTables TABLES = new BuiltInTables();
    }

    static BuiltInTables get() {
        return Holder.TABLES;
    }

    private BuiltInTables() {
        read(
                BuiltInTables.class,
                "built-in-defaults.tsv",
                cells -> defaults.computeIfAbsent(cells[0], type -> new ArrayList<>())
                        .add(Default.of(cells)));
        read(BuiltInTables.class, "built-in-fields.tsv", cells -> {
            kept.put(cells[0], names(cells[1]));
            omitted.put(cells[0], names(cells[2]));
            nulls.put(cells[0], names(cells[3]));
        });
    }

    /**
     * A default of one field.
     *
     * @param otherField a field on which it depends; empty for none
     * @param otherValues what that field must be
     */
    record Default(String field, JsonNode value, String otherField, List<String> otherValues) {
        static Default of(String[] cells) {
            try {
                String[] condition = cells.length > 3 ? cells[3].split("=", 2) : new String[] {"", ""};
                return new Default(
                        cells[1], MAPPER.readTree(cells[2]), condition[0], List.of(condition[1].split("\\|")));
            } catch (JsonProcessingException e) {
                throw new UncheckedIOException(e);
            }
        }

        boolean applies(ObjectNode object) {
            return otherField.isEmpty()
                    || otherValues.contains(object.path(otherField).asText());
        }
    }

    List<Default> defaults(String type) {
        return defaults.getOrDefault(type, List.of());
    }

    /** Return the scalar fields that say something when they are zero, empty or false. */
    Set<String> keptZeros(String type) {
        return kept.getOrDefault(type, Set.of());
    }

    /** Return the fields that the server leaves out although OpenAPI gives them a default. */
    Set<String> omitted(String type) {
        return omitted.getOrDefault(type, Set.of());
    }

    /** Return the optional fields that are null when they are not set. */
    Set<String> nulls(String type) {
        return nulls.getOrDefault(type, Set.of());
    }

    private static Set<String> names(String cell) {
        return cell.equals("-") ? Set.of() : Set.copyOf(Arrays.asList(cell.split(",")));
    }

    /** Return the name of a schema in the tables, such as {@code apps.v1.DeploymentSpec}. */
    public static String typeName(String schema) {
        return schema.startsWith(API) ? schema.substring(API.length()) : schema;
    }

    /** Call the consumer with the cells of each row of a table beside a class. */
    public static void read(Class<?> type, String table, Consumer<String[]> row) {
        InputStream stream = Objects.requireNonNull(type.getResourceAsStream(table), table);
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                if (!line.startsWith("#") && !line.isBlank()) {
                    row.accept(line.split("\t"));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
