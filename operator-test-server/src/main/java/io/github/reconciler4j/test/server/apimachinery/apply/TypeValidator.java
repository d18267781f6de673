package io.github.reconciler4j.test.server.apimachinery.apply;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.server.apimachinery.TypeSchema;
import io.github.reconciler4j.test.server.apimachinery.TypeSchema.ListType;
import io.github.reconciler4j.test.server.apimachinery.TypeSchema.MapType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;

/** Checks that a tree fits a type. Used by one thread. */
final class TypeValidator {

    private final TypeErrors errors = new TypeErrors();
    private final boolean allowDuplicates;
    private final List<PathElement> path = new ArrayList<>();

    private TypeValidator(boolean allowDuplicates) {
        this.allowDuplicates = allowDuplicates;
    }

    /** Returns what does not fit; {@code allowDuplicates} lets sets and associative lists hold an item twice. */
    static TypeErrors validate(JsonNode node, TypeSchema type, boolean allowDuplicates) {
        TypeValidator validator = new TypeValidator(allowDuplicates);
        validator.visit(node, type);
        return validator.errors;
    }

    private void visit(JsonNode node, TypeSchema type) {
        switch (TypeDispatch.of(type, node)) {
            case MAP -> visitMap(node, Objects.requireNonNull(type.map()));
            case LIST -> visitList(node, Objects.requireNonNull(type.list()));
            case SCALAR -> {
                String error = TypeErrors.scalarError(Objects.requireNonNull(type.scalar()), node);
                if (error != null) {
                    errors.add(path, error);
                }
            }
            case NONE -> errors.add(path, "schema error: invalid atom: inlined");
        }
    }

    private void visitMap(JsonNode node, MapType map) {
        if (node.isNull()) {
            return;
        }
        if (!node.isObject()) {
            errors.add(path, "expected map, got " + TypeErrors.spelled(node));
            return;
        }
        for (Map.Entry<String, JsonNode> field : node.properties()) {
            path.add(new PathElement.Field(field.getKey()));
            TypeSchema type = map.typeOf(field.getKey());
            if (type == null) {
                errors.add(path, "field not declared in schema");
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
            errors.add(path, "expected list, got " + TypeErrors.spelled(node));
            return;
        }
        TreeSet<PathElement> observed = new TreeSet<>();
        for (int i = 0; i < node.size(); i++) {
            PathElement element;
            try {
                element = list.atomic() ? new PathElement.Index(i) : ListItems.elementOf(list, node.get(i));
            } catch (ListItems.UnidentifiedException e) {
                errors.add(path, "element " + i + ": " + e.getMessage());
                return;
            }
            if (!observed.add(element) && !allowDuplicates) {
                errors.add(path, "duplicate entries for key " + element);
            }
            path.add(element);
            visit(node.get(i), list.element().get());
            path.remove(path.size() - 1);
        }
    }
}
