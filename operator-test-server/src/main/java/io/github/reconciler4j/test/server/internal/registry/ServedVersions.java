package io.github.reconciler4j.test.server.internal.registry;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** What a minor version of Kubernetes serves, read from a table beside this class. Immutable. */
public final class ServedVersions {
    /** Lists as streams of watch events. */
    public static final String WATCH_LIST = "WatchList";

    private static final String SELECTABLE_FIELDS = "CustomResourceFieldSelectors";
    private static final String TABLE = "served-versions.tsv";

    /** The oldest and the newest minor version that the table is for. */
    private static final int OLDEST = 30;

    private static final int NEWEST = 37;

    private final Set<List<String>> missing = new HashSet<>();
    private final Map<String, Boolean> gates = new HashMap<>();

    private ServedVersions(int minor) {
        try (InputStream table = Objects.requireNonNull(ServedVersions.class.getResourceAsStream(TABLE), TABLE)) {
            new String(table.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(line -> line.split("\t"))
                    .forEach(cells -> read(cells, minor));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Return what a minor version serves.
     *
     * @throws IllegalArgumentException if the table does not know it
     */
    public static ServedVersions of(int minor) {
        if (minor < OLDEST || minor > NEWEST) {
            throw new IllegalArgumentException("The API server in this JVM offers Kubernetes 1." + OLDEST + " to 1."
                    + NEWEST + ", but not 1." + minor + ": choose one of these");
        }
        return new ServedVersions(minor);
    }

    private void read(String[] cells, int minor) {
        if (cells[0].equals("kind") && Integer.parseInt(cells[4]) > minor) {
            missing.add(List.of(cells[1].equals("-") ? "" : cells[1], cells[2], cells[3]));
        } else if (cells[0].equals("gate")) {
            gates.put(cells[1], false);
            for (String state : cells[2].split(" ")) {
                String[] from = state.split(":");
                if (Integer.parseInt(from[0]) <= minor) {
                    gates.put(cells[1], from[1].equals("on"));
                }
            }
        }
    }

    /** Return whether a kind of Kubernetes is served. */
    boolean serves(ResourceType type) {
        return !missing.contains(List.of(type.group(), type.version(), type.kind()));
    }

    /** Return whether a feature gate is on by default. */
    public boolean isEnabled(String gate) {
        return Objects.requireNonNull(gates.get(gate), gate);
    }

    /** Return a version of a custom kind without what is not served. */
    ResourceType adapt(ResourceType type) {
        CustomVersion custom = type.custom();
        return custom == null || isEnabled(SELECTABLE_FIELDS)
                ? type
                : type.withCustom(custom.withoutSelectableFields());
    }
}
