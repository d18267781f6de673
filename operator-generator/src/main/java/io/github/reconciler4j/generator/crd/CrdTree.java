package io.github.reconciler4j.generator.crd;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The order of keys in a definition: what identifies an object first, everything else by name. */
final class CrdTree {

    private static final List<String> FIRST = List.of("apiVersion", "kind", "metadata", "name", "jsonPath");

    private static final Comparator<String> ORDER = Comparator.<String>comparingInt(key -> {
                int index = FIRST.indexOf(key);
                return index < 0 ? FIRST.size() : index;
            })
            .thenComparing(Comparator.naturalOrder());

    private CrdTree() {}

    static Map<String, Object> sorted(Map<String, Object> tree) {
        return sorted(tree, false);
    }

    private static Map<String, Object> sorted(Map<?, ?> map, boolean names) {
        Map<String, Object> ordered = names ? new TreeMap<>() : new TreeMap<>(ORDER);
        map.forEach((key, value) -> {
            if (value != null) {
                ordered.put(String.valueOf(key), value(value, "properties".equals(key) && !names));
            }
        });
        return new LinkedHashMap<>(ordered);
    }

    private static Object value(Object value, boolean names) {
        if (value instanceof Map<?, ?> map) {
            return sorted(map, names);
        }
        if (value instanceof List<?> list) {
            List<Object> items = new ArrayList<>();
            list.forEach(item -> items.add(value(item, false)));
            return items;
        }
        return value;
    }
}
