package io.github.reconciler4j.test.server.internal.apimachinery.apply;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.server.internal.apimachinery.JsonValues;
import io.github.reconciler4j.test.server.internal.apimachinery.TypeSchema;
import io.github.reconciler4j.test.server.internal.apimachinery.TypeSchema.ListType;
import io.github.reconciler4j.test.server.internal.apimachinery.TypeSchema.MapType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the paths in which two trees of one type differ. Used by one thread until it is made. */
final class TreeComparison {

    private final FieldSet removed = new FieldSet();
    private final FieldSet modified = new FieldSet();
    private final FieldSet added = new FieldSet();
    private final List<String> path = new ArrayList<>();

    /** The paths in which two trees differ; no path is in two of the sets. */
    record Differences(FieldSet removed, FieldSet modified, FieldSet added) {

        /** Return the differences without some paths and what is below them. */
        Differences without(FieldSet ignored) {
            return new Differences(
                    removed.recursiveDifference(ignored),
                    modified.recursiveDifference(ignored),
                    added.recursiveDifference(ignored));
        }
    }

    private TreeComparison() {}

    static Differences compare(JsonNode left, JsonNode right, TypeSchema type) {
        TreeComparison comparison = new TreeComparison();
        comparison.visit(left, right, type);
        return new Differences(comparison.removed, comparison.modified, comparison.added);
    }

    private void visit(@Nullable JsonNode left, @Nullable JsonNode right, TypeSchema type) {
        TypeDispatch leftPart = TypeDispatch.of(type, left);
        TypeDispatch rightPart = TypeDispatch.of(type, right);
        boolean isLeaf;
        if (right == null) {
            isLeaf = visitPart(leftPart, left, null, type);
        } else {
            if (left != null && leftPart != rightPart && !left.isNull() && !right.isNull()) {
                visitPart(leftPart, left, right, type);
            }
            isLeaf = visitPart(rightPart, left, right, type);
        }
        if (!isLeaf && left == null) {
            added.insert(path);
        } else if (!isLeaf && right == null) {
            removed.insert(path);
        }
    }

    /** Compare as one part of the type; true if the value was compared as a whole. */
    private boolean visitPart(TypeDispatch part, @Nullable JsonNode left, @Nullable JsonNode right, TypeSchema type) {
        if (part == TypeDispatch.MAP) {
            return visitMap(left, right, Objects.requireNonNull(type.map()));
        }
        if (part == TypeDispatch.LIST) {
            return visitList(left, right, Objects.requireNonNull(type.list()));
        }
        leaf(left, right);
        return true;
    }

    private void leaf(@Nullable JsonNode left, @Nullable JsonNode right) {
        if (left == null) {
            added.insert(path);
        } else if (right == null) {
            removed.insert(path);
        } else if (!JsonValues.equalByValue(left, right)) {
            modified.insert(path);
        }
    }

    private static boolean isFilled(@Nullable JsonNode node, boolean asMap) {
        return node != null && (asMap ? node.isObject() : node.isArray()) && !node.isEmpty();
    }

    private boolean visitMap(@Nullable JsonNode left, @Nullable JsonNode right, MapType map) {
        if (map.atomic() || (!isFilled(left, true) && !isFilled(right, true))) {
            leaf(left, right);
            return true;
        }
        Set<String> names = new LinkedHashSet<>();
        addNames(names, left);
        addNames(names, right);
        for (String name : names) {
            TypeSchema type = map.typeOf(name);
            path.add(FieldPath.field(name));
            visit(field(left, name), field(right, name), type == null ? TypeSchema.deduced() : type);
            path.remove(path.size() - 1);
        }
        return false;
    }

    private static void addNames(Set<String> names, @Nullable JsonNode node) {
        if (node != null) {
            node.fieldNames().forEachRemaining(names::add);
        }
    }

    private static @Nullable JsonNode field(@Nullable JsonNode node, String name) {
        return node == null ? null : node.get(name);
    }

    private boolean visitList(@Nullable JsonNode left, @Nullable JsonNode right, ListType list) {
        if (list.atomic() || (!isFilled(left, false) && !isFilled(right, false))) {
            leaf(left, right);
            return true;
        }
        Map<String, List<JsonNode>> before = items(left, list);
        Map<String, List<JsonNode>> after = items(right, list);
        Set<String> elements = new LinkedHashSet<>(before.keySet());
        after.keySet().stream().filter(element -> !before.containsKey(element)).forEach(elements::add);
        for (String element : elements) {
            path.add(element);
            visitItems(
                    before.getOrDefault(element, List.of()),
                    after.getOrDefault(element, List.of()),
                    list.element().get());
            path.remove(path.size() - 1);
        }
        return false;
    }

    private static Map<String, List<JsonNode>> items(@Nullable JsonNode node, ListType list) {
        Map<String, List<JsonNode>> items = new LinkedHashMap<>();
        if (node != null && node.isArray()) {
            for (JsonNode item : node) {
                items.computeIfAbsent(Objects.requireNonNull(FieldPath.item(list, item)), key -> new ArrayList<>())
                        .add(item);
            }
        }
        return items;
    }

    /** Compare the items of one identity; when there are several, they count as one value. */
    private void visitItems(List<JsonNode> before, List<JsonNode> after, TypeSchema type) {
        if (before.size() <= 1 && after.size() <= 1) {
            visit(before.isEmpty() ? null : before.get(0), after.isEmpty() ? null : after.get(0), type);
        } else if (before.size() > 1 && after.size() > 1) {
            if (!sameItems(before, after)) {
                modified.insert(path);
            }
        } else if (before.size() > 1) {
            if (!after.isEmpty()) {
                visit(null, after.get(0), type);
            }
            removed.insert(path);
        } else {
            if (!before.isEmpty()) {
                visit(before.get(0), null, type);
            }
            added.insert(path);
        }
    }

    private static boolean sameItems(List<JsonNode> before, List<JsonNode> after) {
        if (before.size() != after.size()) {
            return false;
        }
        for (int i = 0; i < before.size(); i++) {
            if (!JsonValues.equalByValue(before.get(i), after.get(i))) {
                return false;
            }
        }
        return true;
    }
}
