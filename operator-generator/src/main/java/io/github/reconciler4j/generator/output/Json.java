package io.github.reconciler4j.generator.output;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** JSON with indentation, whose order of keys is that of the tree. */
final class Json {

    private Json() {}

    static String write(Object tree) {
        return text(tree, 0) + "\n";
    }

    private static String text(@Nullable Object node, int indent) {
        String margin = "\n" + " ".repeat(indent + 2);
        if (node instanceof Map<?, ?> map) {
            return map.isEmpty()
                    ? "{}"
                    : map.entrySet().stream()
                            .map(entry -> margin + string(String.valueOf(entry.getKey())) + ": "
                                    + text(entry.getValue(), indent + 2))
                            .collect(Collectors.joining(",", "{", "\n" + " ".repeat(indent) + "}"));
        }
        if (node instanceof List<?> list) {
            return list.stream().map(item -> text(item, indent)).collect(Collectors.joining(", ", "[", "]"));
        }
        return node instanceof String text ? string(text) : String.valueOf(node);
    }

    private static String string(String text) {
        return '"'
                + text.replace("\\", "\\\\")
                        .replace("\"", "\\\"")
                        .replace("\n", "\\n")
                        .replace("\t", "\\t")
                        .replace("\r", "\\r")
                + '"';
    }
}
