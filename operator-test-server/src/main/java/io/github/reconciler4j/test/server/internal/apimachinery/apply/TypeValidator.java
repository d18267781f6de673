package io.github.reconciler4j.test.server.internal.apimachinery.apply;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.server.internal.apimachinery.TypeSchema;
import io.github.reconciler4j.test.server.internal.apimachinery.TypeSchema.ListType;
import io.github.reconciler4j.test.server.internal.apimachinery.TypeSchema.MapType;
import io.github.reconciler4j.test.server.internal.apimachinery.TypeSchema.ScalarKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Checks that a tree fits a type. Used by one thread. */
final class TypeValidator {

    private final List<String> errors = new ArrayList<>();
    private final boolean allowDuplicates;
    private final List<String> path = new ArrayList<>();

    private TypeValidator(boolean allowDuplicates) {
        this.allowDuplicates = allowDuplicates;
    }

    /** Return the errors; {@code allowDuplicates} permits duplicate items of sets and associative lists. */
    static List<String> validate(JsonNode node, TypeSchema type, boolean allowDuplicates) {
        TypeValidator validator = new TypeValidator(allowDuplicates);
        validator.visit(node, type);
        return validator.errors;
    }

    private void visit(JsonNode node, TypeSchema type) {
        switch (TypeDispatch.of(type, node)) {
            case MAP -> visitMap(node, Objects.requireNonNull(type.map()));
            case LIST -> visitList(node, Objects.requireNonNull(type.list()));
            case SCALAR -> {
                ScalarKind kind = Objects.requireNonNull(type.scalar());
                if (!node.isNull() && !fits(kind, node)) {
                    add("expected " + kind.name().toLowerCase(Locale.ROOT) + ", got " + node);
                }
            }
            case NONE -> add("schema error: invalid atom: inlined");
        }
    }

    private void add(String message) {
        errors.add(path.isEmpty() ? message : FieldPath.text(path) + ": " + message);
    }

    private static boolean fits(ScalarKind kind, JsonNode node) {
        return switch (kind) {
            case NUMERIC -> node.isNumber();
            case STRING -> node.isTextual();
            case BOOLEAN -> node.isBoolean();
            case UNTYPED -> node.isValueNode();
        };
    }

    private void visitMap(JsonNode node, MapType map) {
        if (node.isNull()) {
            return;
        }
        if (!node.isObject()) {
            add("expected map, got " + node);
            return;
        }
        for (Map.Entry<String, JsonNode> field : node.properties()) {
            path.add(FieldPath.field(field.getKey()));
            TypeSchema type = map.typeOf(field.getKey());
            if (type == null) {
                add("field not declared in schema");
            } else {
                visit(field.getValue(), type);
            }
            path.remove(path.size() - 1);
            if (type == null) {
                return;
            }
        }
    }

    private void visitList(JsonNode node, ListType list) {
        if (node.isNull()) {
            return;
        }
        if (!node.isArray()) {
            add("expected list, got " + node);
            return;
        }
        Set<String> observed = new HashSet<>();
        for (int i = 0; i < node.size(); i++) {
            String element = list.atomic() ? "i:" + i : FieldPath.item(list, node.get(i));
            if (element == null) {
                add("element " + i + " has no identity in the list");
                return;
            }
            if (!observed.add(element) && !allowDuplicates) {
                add("duplicate entries for key " + FieldPath.text(List.of(element)));
            }
            path.add(element);
            visit(node.get(i), list.element().get());
            path.remove(path.size() - 1);
        }
    }
}
