package io.github.reconciler4j.test.server.apimachinery.apply;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.server.apimachinery.TypeSchema;
import io.github.reconciler4j.test.server.apimachinery.TypeSchema.ListType;
import io.github.reconciler4j.test.server.apimachinery.TypeSchema.MapType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;

/** Lists the paths of a tree that can be owned. Used by one thread. */
final class FieldLister {

    private final FieldSet set = new FieldSet();
    private final List<PathElement> path = new ArrayList<>();

    private FieldLister() {}

    /** Returns the paths of a tree that fits its type. */
    static FieldSet fieldsOf(JsonNode node, TypeSchema type) {
        FieldLister lister = new FieldLister();
        lister.visit(node, type);
        return lister.set;
    }

    private void visit(JsonNode node, TypeSchema type) {
        switch (TypeDispatch.of(type, node)) {
            case MAP -> visitMap(node, Objects.requireNonNull(type.map()));
            case LIST -> visitList(node, Objects.requireNonNull(type.list()));
            default -> set.insert(path);
        }
    }

    private void visitMap(JsonNode node, MapType map) {
        if (map.atomic()) {
            set.insert(path);
            return;
        }
        for (Map.Entry<String, JsonNode> field : node.properties()) {
            JsonNode value = field.getValue();
            TypeSchema type = map.typeOf(field.getKey());
            path.add(new PathElement.Field(field.getKey()));
            visit(value, type == null ? TypeSchema.deduced() : type);
            boolean isEmpty = value.isNull() || (value.isObject() && value.isEmpty());
            if (isEmpty || !map.fields().containsKey(field.getKey())) {
                set.insert(path);
            }
            path.remove(path.size() - 1);
        }
    }

    private void visitList(JsonNode node, ListType list) {
        if (list.atomic()) {
            set.insert(path);
            return;
        }
        TreeSet<PathElement> duplicates = duplicates(node, list);
        for (JsonNode item : node) {
            Optional<PathElement> element = elementOf(list, item);
            if (element.isEmpty()) {
                continue;
            }
            path.add(element.get());
            set.insert(path);
            if (!duplicates.contains(element.get())) {
                visit(item, list.element().get());
            }
            path.remove(path.size() - 1);
        }
    }

    private static TreeSet<PathElement> duplicates(JsonNode node, ListType list) {
        TreeSet<PathElement> seen = new TreeSet<>();
        TreeSet<PathElement> duplicates = new TreeSet<>();
        for (JsonNode item : node) {
            elementOf(list, item).filter(element -> !seen.add(element)).ifPresent(duplicates::add);
        }
        return duplicates;
    }

    private static Optional<PathElement> elementOf(ListType list, JsonNode item) {
        try {
            return Optional.of(ListItems.elementOf(list, item));
        } catch (ListItems.UnidentifiedException e) {
            return Optional.empty();
        }
    }
}
