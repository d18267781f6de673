package io.github.reconciler4j.test.server.internal.apimachinery.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.JsonValues;
import io.github.reconciler4j.test.server.internal.apimachinery.TypeSchema;
import io.github.reconciler4j.test.server.internal.apimachinery.TypeSchema.FieldType;
import io.github.reconciler4j.test.server.internal.apimachinery.TypeSchema.ListType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Elements of field paths, as {@code FieldsV1} writes them: {@code f:name} for a field, {@code k:{...}} for an item of an
 * associative list, {@code v:...} for an item of a set, {@code i:...} for a position. Stateless.
 */
final class FieldPath {
    private static final String KINDS = "fkvi";

    /** The order of elements in {@code managedFields}: first by kind. */
    static final Comparator<String> ORDER = Comparator.<String>comparingInt(element -> KINDS.indexOf(element.charAt(0)))
            .thenComparing(Comparator.naturalOrder());

    private FieldPath() {}

    static String field(String name) {
        return "f:" + name;
    }

    /** Return the element of a list item, or null if the item cannot be identified. */
    static @Nullable String item(ListType list, JsonNode item) {
        if (list.keys().isEmpty()) {
            return item.isContainerNode() || item.isNull() ? null : "v:" + JsonValues.canonical(item);
        }
        ObjectNode keys = Json.object();
        for (String name : list.keys()) {
            JsonNode value = item.has(name) ? item.get(name) : defaultOf(list, name);
            if (item.isObject() && value != null) {
                keys.set(name, value);
            }
        }
        return keys.isEmpty() ? null : "k:" + JsonValues.canonical(keys);
    }

    private static @Nullable JsonNode defaultOf(ListType list, String name) {
        TypeSchema element = list.element().get();
        FieldType field = element.map() == null ? null : element.map().fields().get(name);
        return field == null ? null : field.defaultValue();
    }

    /**
     * Return an element in its canonical form, or null for an element of an unknown kind.
     *
     * @throws IllegalArgumentException if it cannot be read
     */
    static @Nullable String parse(String text) {
        if (text.length() < 2 || text.charAt(1) != ':') {
            throw new IllegalArgumentException("missing colon: " + text);
        }
        return switch (text.charAt(0)) {
            case 'f', 'i' -> text;
            case 'k', 'v' -> text.substring(0, 2) + JsonValues.canonical(content(text));
            default -> null;
        };
    }

    private static JsonNode content(String element) {
        try {
            return Json.parse(element.substring(2).getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new IllegalArgumentException("not a value: " + element, e);
        }
    }

    /** Return a path as messages show it, such as {@code .spec.ports[name="web"]}. */
    static String text(List<String> path) {
        return path.stream().map(FieldPath::text).collect(Collectors.joining());
    }

    private static String text(String element) {
        String content = element.substring(2);
        return switch (element.charAt(0)) {
            case 'f' -> "." + content;
            case 'v' -> "[=" + content + "]";
            case 'k' ->
                content(element).properties().stream()
                        .map(key -> key.getKey() + "=" + key.getValue())
                        .collect(Collectors.joining(",", "[", "]"));
            default -> "[" + content + "]";
        };
    }
}
