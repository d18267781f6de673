package io.github.reconciler4j.test.server.apimachinery.apply;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.server.apimachinery.Trees;
import io.github.reconciler4j.test.server.apimachinery.TypeSchema.ScalarKind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What does not fit a type, with where it is. Used by one thread. */
final class TypeErrors {

    private final List<String> errors = new ArrayList<>();

    void add(List<PathElement> path, String message) {
        String place = spelled(path);
        errors.add(place.isEmpty() ? message : place + ": " + message);
    }

    boolean isEmpty() {
        return errors.isEmpty();
    }

    /** Spells a path as in messages: {@code .spec.ports[name="web"]}. */
    static String spelled(List<PathElement> path) {
        StringBuilder text = new StringBuilder();
        path.forEach(text::append);
        return text.toString();
    }

    /** Says what is wrong with a scalar, or returns null if nothing is. Null fits everything. */
    static @Nullable String scalarError(ScalarKind kind, @Nullable JsonNode node) {
        if (node == null || node.isNull()) {
            return null;
        }
        return switch (kind) {
            case NUMERIC -> node.isNumber() ? null : "expected numeric (int or float), got " + Trees.jsonType(node);
            case STRING ->
                node.isTextual()
                        ? null
                        : "expected string, got &value.valueUnstructured{Value:" + String.valueOf(node) + "}";
            case BOOLEAN -> node.isBoolean() ? null : "expected boolean, got " + spelled(node);
            case UNTYPED -> node.isContainerNode() ? "expected any scalar, got " + spelled(node) : null;
        };
    }

    /** Spells a value of a wrong type. */
    static String spelled(JsonNode node) {
        return "&{" + String.valueOf(node) + "}";
    }

    /** Returns one error as it is, several one per line below a heading. */
    @Override
    public String toString() {
        return errors.size() == 1 ? errors.get(0) : "errors:\n  " + String.join("\n  ", errors);
    }
}
