package io.github.reconciler4j.test.server.internal.registry;

import io.github.reconciler4j.test.server.internal.registry.ResourceType.Trait;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The kinds every cluster has, read from a table beside this class; no model class is loaded for it.
 *
 * @since 0.1.0
 */
public final class BuiltInKinds {
    private static final String TABLE = "built-in-kinds.tsv";
    private static final String MODELS = "io.fabric8.kubernetes.api.model.";
    private static final List<String> ALL_VERBS =
            List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");
    private static final List<Row> ROWS = read();

    private BuiltInKinds() {}

    /**
     * A line of the table.
     *
     * @param type the kind
     * @param modelClass the name of fabric8's class for it
     * @since 0.1.0
     */
    public record Row(ResourceType type, String modelClass) {}

    /** All of them, in the order of discovery. */
    public static List<Row> rows() {
        return ROWS;
    }

    private static List<Row> read() {
        InputStream table = Objects.requireNonNull(BuiltInKinds.class.getResourceAsStream(TABLE), TABLE);
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(table, StandardCharsets.UTF_8))) {
            List<Row> rows = new ArrayList<>();
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                if (!line.startsWith("#") && !line.isBlank()) {
                    rows.add(row(line.split("\t", -1)));
                }
            }
            return List.copyOf(rows);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Row row(String[] cells) {
        String kind = cells[2];
        KindNames names =
                new KindNames(kind, kind + "List", cells[3], cells[4], list(cells[6], ","), list(cells[7], ","));
        Set<Trait> traits = EnumSet.noneOf(Trait.class);
        list(cells[10], ",").forEach(word -> traits.add(trait(word)));
        Map<String, Subresource> subresources = new LinkedHashMap<>();
        list(cells[9], ";").forEach(text -> {
            Subresource subresource = subresource(text);
            subresources.put(subresource.name(), subresource);
        });
        ResourceType type = new ResourceType(
                cells[0].equals("-") ? "" : cells[0],
                cells[1],
                names,
                cells[5].equals("namespaced"),
                verbs(cells[8]),
                subresources,
                traits,
                cells[1],
                null);
        return new Row(type, MODELS + cells[11]);
    }

    private static Trait trait(String word) {
        return Trait.valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    private static Subresource subresource(String text) {
        String[] parts = text.split(":");
        String[] kind = parts[1].split("/");
        boolean foreign = kind.length == 3;
        return new Subresource(
                parts[0], foreign ? kind[0] : "", foreign ? kind[1] : "", foreign ? kind[2] : kind[0], verbs(parts[2]));
    }

    private static List<String> verbs(String cell) {
        return switch (cell) {
            case "all" -> ALL_VERBS;
            case "rw" -> Subresource.READ_WRITE;
            default -> list(cell, ",");
        };
    }

    private static List<String> list(String cell, String separator) {
        return cell.equals("-") ? List.of() : Arrays.asList(cell.split(separator));
    }
}
