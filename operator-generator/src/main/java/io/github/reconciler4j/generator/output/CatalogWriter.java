package io.github.reconciler4j.generator.output;

import static io.github.reconciler4j.generator.output.BundleBase.at;

import io.github.reconciler4j.generator.GeneratorException;
import io.github.reconciler4j.generator.yaml.Yaml;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Writes a file-based catalog of the Operator Lifecycle Manager. It describes the package, its channels and its bundles. Bundles of
 * earlier releases stay.
 */
final class CatalogWriter {

    /** What consoles show of a bundle before it is installed. */
    private static final List<String> SHOWN = List.of(
            "description",
            "displayName",
            "installModes",
            "keywords",
            "links",
            "maintainers",
            "maturity",
            "minKubeVersion",
            "provider");

    private final String name;
    private final Map<String, Object> version;
    private final OutputOptions options;

    /**
     * @param name the name of the package
     * @param version the ClusterServiceVersion
     */
    CatalogWriter(String name, Map<String, Object> version, OutputOptions options) {
        this.name = name;
        this.version = version;
        this.options = options;
    }

    void addTo(ManagedFiles files) {
        String path = name + "/catalog.yaml";
        String before = files.read(path);
        List<Map<String, Object>> blobs =
                before == null ? new ArrayList<>() : new ArrayList<>(Yaml.readAll(before, path));
        replace(blobs, blob -> is(blob, "olm.package", ""), describedPackage());
        for (String channel : options.channels()) {
            Predicate<Map<String, Object>> same = blob -> is(blob, "olm.channel", channel);
            replace(blobs, same, channel(channel, blobs.stream().filter(same).findFirst()));
        }
        String bundle = bundleName();
        replace(blobs, blob -> is(blob, "olm.bundle", bundle), bundle());
        files.put(path, Yaml.writeAll(blobs));
    }

    private static boolean is(Map<String, Object> blob, String schema, String name) {
        return schema.equals(blob.get("schema")) && (name.isEmpty() || name.equals(blob.get("name")));
    }

    private static void replace(
            List<Map<String, Object>> blobs, Predicate<Map<String, Object>> same, Map<String, Object> now) {
        for (int i = 0; i < blobs.size(); i++) {
            if (same.test(blobs.get(i))) {
                blobs.set(i, now);
                return;
            }
        }
        blobs.add(now);
    }

    private String bundleName() {
        return String.valueOf(at(version, "metadata", "name"));
    }

    private Map<String, Object> describedPackage() {
        Map<String, Object> described = new LinkedHashMap<>();
        described.put("schema", "olm.package");
        described.put("name", name);
        described.put("defaultChannel", options.channels().get(0));
        described.put("description", Objects.requireNonNull(at(version, "spec", "description")));
        if (at(version, "spec", "icon") instanceof List<?> icons && !icons.isEmpty()) {
            described.put("icon", Objects.requireNonNull(icons.get(0)));
        }
        return described;
    }

    /** Returns the channel with this bundle at its end, unless it is in it already. */
    private Map<String, Object> channel(String channel, Optional<Map<String, Object>> before) {
        List<Object> entries = new ArrayList<>();
        before.map(blob -> blob.get("entries")).ifPresent(known -> entries.addAll((List<?>) known));
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("name", bundleName());
        int index = indexOf(entries, bundleName());
        Object replaced = at(version, "spec", "replaces");
        if (replaced == null) {
            replaced = index < 0 ? head(channel, entries) : at(entries.get(index), "replaces");
        }
        put(entry, "replaces", replaced);
        put(entry, "skips", at(version, "spec", "skips"));
        put(entry, "skipRange", at(version, "metadata", "annotations", "olm.skipRange"));
        if (index < 0) {
            entries.add(entry);
        } else {
            entries.set(index, entry);
        }
        Map<String, Object> written = new LinkedHashMap<>();
        written.put("schema", "olm.channel");
        written.put("package", name);
        written.put("name", channel);
        written.put("entries", entries);
        return written;
    }

    private static int indexOf(List<Object> entries, String bundle) {
        for (int i = 0; i < entries.size(); i++) {
            if (bundle.equals(at(entries.get(i), "name"))) {
                return i;
            }
        }
        return -1;
    }

    /** Returns the newest bundle of a channel, which no other replaces or skips; null if the channel is empty. */
    private static @Nullable Object head(String channel, List<Object> entries) {
        List<Object> heads = new ArrayList<>();
        entries.forEach(entry -> heads.add(Objects.requireNonNull(at(entry, "name"))));
        for (Object entry : entries) {
            heads.remove(at(entry, "replaces"));
            if (at(entry, "skips") instanceof List<?> skips) {
                heads.removeAll(skips);
            }
        }
        if (heads.size() > 1) {
            throw new GeneratorException("The channel " + channel + " of the catalog has several newest bundles: "
                    + heads + ". Set spec.replaces in the base of the bundle (R4J-729)");
        }
        return heads.isEmpty() ? null : heads.get(0);
    }

    private Map<String, Object> bundle() {
        Map<String, Object> spec = map(at(version, "spec"));
        List<Object> properties = new ArrayList<>();
        Map<String, Object> release = new LinkedHashMap<>();
        release.put("packageName", name);
        release.put("version", Objects.requireNonNull(spec.get("version")));
        properties.add(property("olm.package", release));
        if (at(spec, "customresourcedefinitions", "owned") instanceof List<?> owned) {
            for (Object kind : owned) {
                Map<String, Object> value = new LinkedHashMap<>();
                String plural = String.valueOf(at(kind, "name"));
                value.put("group", plural.substring(plural.indexOf('.') + 1));
                value.put("kind", Objects.requireNonNull(at(kind, "kind")));
                value.put("version", Objects.requireNonNull(at(kind, "version")));
                properties.add(property("olm.gvk", value));
            }
        }
        Map<String, Object> shown = new LinkedHashMap<>();
        put(shown, "annotations", at(version, "metadata", "annotations"));
        put(shown, "crdDescriptions", spec.get("customresourcedefinitions"));
        SHOWN.forEach(key -> put(shown, key, spec.get(key)));
        properties.add(property("olm.csv.metadata", shown));
        Map<String, Object> bundle = new LinkedHashMap<>();
        bundle.put("schema", "olm.bundle");
        bundle.put("name", bundleName());
        bundle.put("package", name);
        bundle.put("image", options.image() + "-bundle:" + options.version());
        bundle.put("properties", properties);
        return bundle;
    }

    private static Map<String, Object> property(String type, Map<String, Object> value) {
        Map<String, Object> property = new LinkedHashMap<>();
        property.put("type", type);
        property.put("value", value);
        return property;
    }

    private static Map<String, Object> map(@Nullable Object tree) {
        Map<String, Object> map = new LinkedHashMap<>();
        ((Map<?, ?>) Objects.requireNonNull(tree)).forEach((key, value) -> map.put(String.valueOf(key), value));
        return map;
    }

    private static void put(Map<String, Object> tree, String key, @Nullable Object value) {
        if (value != null) {
            tree.put(key, value);
        }
    }
}
