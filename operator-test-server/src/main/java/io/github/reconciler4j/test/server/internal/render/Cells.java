package io.github.reconciler4j.test.server.internal.render;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.Json;
import io.github.reconciler4j.test.server.apimachinery.StatusException;
import io.github.reconciler4j.test.server.apimachinery.selector.LabelSelector;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Short ways to say what a cell shows. Paths are field names with dots between them. */
final class Cells {
    static final String NONE = "<none>";

    private Cells() {}

    static @Nullable JsonNode at(@Nullable JsonNode object, String path) {
        return Json.at(object, path.split("\\."));
    }

    /** The text, number or boolean at the path; empty when there is none. */
    static Function<ObjectNode, String> value(String path) {
        return valueOr(path, "");
    }

    static Function<ObjectNode, String> valueOr(String path, String otherwise) {
        return object -> {
            JsonNode value = at(object, path);
            return value == null ? otherwise : value.asText();
        };
    }

    static String text(@Nullable JsonNode object, String path) {
        JsonNode value = at(object, path);
        return value == null ? "" : value.asText();
    }

    static long number(@Nullable JsonNode object, String path) {
        JsonNode value = at(object, path);
        return value == null ? 0 : value.asLong();
    }

    static boolean flag(@Nullable JsonNode object, String path) {
        JsonNode value = at(object, path);
        return value != null && value.asBoolean();
    }

    static int size(@Nullable JsonNode object, String path) {
        JsonNode value = at(object, path);
        return value == null ? 0 : value.size();
    }

    static List<JsonNode> items(@Nullable JsonNode object, String path) {
        return Json.items(object, path.split("\\."));
    }

    /** One field of each element, with commas between. */
    static String joined(@Nullable JsonNode object, String path, String field) {
        return items(object, path).stream().map(item -> text(item, field)).collect(Collectors.joining(","));
    }

    /** Labels as {@code key=value,...}. */
    static String labels(@Nullable JsonNode object, String path) {
        Map<String, String> labels = Json.stringMap(object, path.split("\\."));
        return labels.isEmpty()
                ? NONE
                : labels.entrySet().stream()
                        .map(label -> label.getKey() + "=" + label.getValue())
                        .collect(Collectors.joining(","));
    }

    /** A label selector as text. */
    static String selector(@Nullable JsonNode object, String path) {
        JsonNode selector = at(object, path);
        try {
            String text = LabelSelector.of(selector == null ? MissingNode.getInstance() : selector)
                    .toString();
            return text.isEmpty() ? NONE : text;
        } catch (StatusException e) {
            return "<error>";
        }
    }

    static boolean hasCondition(@Nullable JsonNode object, String type) {
        return items(object, "status.conditions").stream()
                .anyMatch(condition -> text(condition, "type").equals(type)
                        && text(condition, "status").equals("True"));
    }
}
