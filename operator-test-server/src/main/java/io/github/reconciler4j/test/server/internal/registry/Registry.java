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
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * All kinds that the server serves now. Reads see one state; changes replace it as a whole. Safe for use by multiple threads.
 */
public final class Registry {
    private record Key(String group, String version, String plural) {}

    private final ReentrantLock changeLock = new ReentrantLock();
    /** Replaced as a whole under {@code changeLock}; never changed. */
    private volatile Map<Key, ResourceType> types;

    private final ServedVersions served;

    /**
     * Create a registry with the kinds of Kubernetes.
     *
     * @param served which of them a version serves
     */
    public Registry(ServedVersions served) {
        this.served = served;
        Map<Key, ResourceType> builtIn = new LinkedHashMap<>();
        BuiltInKinds.rows().stream()
                .map(BuiltInKinds.Row::type)
                .filter(served::serves)
                .forEach(type -> builtIn.put(key(type), type));
        types = builtIn;
    }

    /** Return what the version of the server serves. */
    public ServedVersions served() {
        return served;
    }

    private static Key key(ResourceType type) {
        return new Key(type.group(), type.version(), type.plural());
    }

    /** Return the kind with this path, or null. */
    public @Nullable ResourceType find(String group, String version, String plural) {
        return types.get(new Key(group, version, plural));
    }

    /** Return the kind of this name, or null. */
    public @Nullable ResourceType findKind(String group, String version, String kind) {
        for (ResourceType type : types.values()) {
            if (type.group().equals(group)
                    && type.version().equals(version)
                    && type.kind().equals(kind)) {
                return type;
            }
        }
        return null;
    }

    /** Any version of a resource, or null. */
    public @Nullable ResourceType findAny(String group, String plural) {
        for (ResourceType type : types.values()) {
            if (type.is(group, plural)) {
                return type;
            }
        }
        return null;
    }

    public Collection<ResourceType> all() {
        return types.values();
    }

    /** Return the versions of a group, in the order of preference; empty for an unknown group. */
    public List<String> versions(String group) {
        List<String> versions = new ArrayList<>();
        for (ResourceType type : all()) {
            if (type.group().equals(group) && !versions.contains(type.version())) {
                versions.add(type.version());
            }
        }
        versions.sort(VersionOrder.INSTANCE);
        return versions;
    }

    /** Put the versions of one CustomResourceDefinition in the place of those it had; none removes them. */
    public void replaceCustom(String definition, List<ResourceType> versions) {
        change(after -> {
            after.values()
                    .removeIf(type ->
                            type.custom() != null && type.custom().definition().equals(definition));
            versions.forEach(type -> after.put(key(type), served.adapt(type)));
            return after;
        });
    }

    private void change(UnaryOperator<Map<Key, ResourceType>> change) {
        changeLock.lock();
        try {
            types = change.apply(new LinkedHashMap<>(types));
        } finally {
            changeLock.unlock();
        }
    }

    /** Orders API versions by preference: {@code v2, v1, v2beta1, v1beta2, v1alpha1}, then everything else by name. */
    public enum VersionOrder implements Comparator<String> {
        /** The only one. */
        INSTANCE;

        private static final Pattern FORM = Pattern.compile("v([1-9][0-9]*)(?:(alpha|beta)([1-9][0-9]*))?");

        @Override
        public int compare(String one, String other) {
            Matcher first = FORM.matcher(one);
            Matcher second = FORM.matcher(other);
            boolean firstFits = first.matches();
            boolean secondFits = second.matches();
            if (!firstFits || !secondFits) {
                return firstFits == secondFits ? one.compareTo(other) : firstFits ? -1 : 1;
            }
            int byStability = Integer.compare(stability(second), stability(first));
            if (byStability != 0) {
                return byStability;
            }
            int byMajor = Long.compare(number(second.group(1)), number(first.group(1)));
            return byMajor != 0 ? byMajor : Long.compare(number(second.group(3)), number(first.group(3)));
        }

        private static int stability(Matcher version) {
            String word = version.group(2);
            return word == null ? 2 : word.equals("beta") ? 1 : 0;
        }

        private static long number(String digits) {
            return digits == null ? 0 : digits.length() > 18 ? Long.MAX_VALUE : Long.parseLong(digits);
        }
    }

    /** The kinds every cluster has, read from a table beside this class; no model class is loaded for it. */
    public static final class BuiltInKinds {
        private static final String TABLE = "built-in-kinds.tsv";
        private static final String MODELS = "io.fabric8.kubernetes.api.model.";
        private static final List<String> ALL_VERBS =
                List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");
        private static final List<Row> ROWS = read();

        private BuiltInKinds() {}

        /**
         * A line of the table.
         *
         * @param modelClass the name of fabric8's class for it
         */
        public record Row(ResourceType type, String modelClass) {}

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
                    parts[0],
                    foreign ? kind[0] : "",
                    foreign ? kind[1] : "",
                    foreign ? kind[2] : kind[0],
                    verbs(parts[2]));
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
}
