package io.github.reconciler4j.generator.output;

import io.github.reconciler4j.generator.GeneratorException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Merges what people say about their operator, a part of a ClusterServiceVersion, into the generated one. */
final class BundleBase {

    /** What follows from the operator. */
    private static final List<String> GENERATED = List.of(
            "metadata.name", "metadata.namespace", "spec.version", "spec.install", "spec.webhookdefinitions", "status");

    private BundleBase() {}

    /**
     * Returns the generated tree with the values of a base. Maps are merged, and descriptions of kinds by name and version. Any
     * other value of the base replaces the generated one.
     *
     * @throws GeneratorException if the base has a field that follows from the operator, or describes a kind that it does not own
     */
    static Map<String, Object> merge(Map<String, Object> generated, Map<String, Object> base) {
        for (String key : List.of("apiVersion", "kind")) {
            Object value = base.getOrDefault(key, generated.get(key));
            if (!Objects.equals(value, generated.get(key))) {
                throw new GeneratorException("The base of the bundle must be a ClusterServiceVersion of "
                        + generated.get("apiVersion") + ", but its " + key + " is " + value);
            }
        }
        for (String path : GENERATED) {
            if (at(base, path.split("\\.")) != null) {
                throw new GeneratorException("The base of the bundle must not have " + path
                        + ", which follows from the operator: remove it (R4J-727)");
            }
        }
        return maps(generated, base);
    }

    private static Map<String, Object> maps(Map<?, ?> generated, Map<?, ?> base) {
        Map<String, Object> merged = new LinkedHashMap<>();
        generated.forEach((key, value) -> merged.put(String.valueOf(key), value));
        base.forEach((key, value) -> {
            if (value != null) { // a key without a value says nothing
                merged.merge(String.valueOf(key), value, (old, now) -> merge(String.valueOf(key), old, now));
            }
        });
        return merged;
    }

    private static Object merge(String key, Object generated, Object base) {
        if (generated instanceof Map<?, ?> one && base instanceof Map<?, ?> other) {
            return maps(one, other);
        }
        return key.equals("owned") && generated instanceof List<?> list ? owned(list, base) : base;
    }

    private static List<Object> owned(List<?> generated, Object base) {
        List<Object> merged = new ArrayList<>(generated);
        for (Object described : base instanceof List<?> list ? list : List.of(base)) {
            int index = 0;
            while (index < merged.size() && !isSame(merged.get(index), described)) {
                index++;
            }
            if (index == merged.size()) {
                throw new GeneratorException("The base of the bundle describes " + at(described, "name")
                        + " in version "
                        + at(described, "version") + ", which the operator does not have: correct name and version in"
                        + " spec.customresourcedefinitions.owned (R4J-728)");
            }
            merged.set(index, maps((Map<?, ?>) merged.get(index), (Map<?, ?>) described));
        }
        return merged;
    }

    private static boolean isSame(Object generated, @Nullable Object described) {
        return described instanceof Map<?, ?>
                && Objects.equals(at(generated, "name"), at(described, "name"))
                && Objects.equals(at(generated, "version"), at(described, "version"));
    }

    /** Returns the value at a path, null if it does not exist. */
    static @Nullable Object at(@Nullable Object tree, String... path) {
        Object current = tree;
        for (String key : path) {
            current = current instanceof Map<?, ?> map ? map.get(key) : null;
        }
        return current;
    }
}
