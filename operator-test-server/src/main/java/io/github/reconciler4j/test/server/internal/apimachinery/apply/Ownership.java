package io.github.reconciler4j.test.server.internal.apimachinery.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.TypeSchema;
import io.github.reconciler4j.test.server.internal.apimachinery.TypeSchema.ListType;
import io.github.reconciler4j.test.server.internal.apimachinery.TypeSchema.MapType;
import io.github.reconciler4j.test.server.internal.apimachinery.apply.ManagedFields.Entry;
import io.github.reconciler4j.test.server.internal.apimachinery.apply.TreeComparison.Differences;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Updates the owners of fields when an object changes. Used by one thread. */
final class Ownership {

    private final TypeSchema type;
    private final FieldSet ignored;

    /** Create the fields in {@code ignored}, and those below them, are never owned through this endpoint. */
    Ownership(TypeSchema type, FieldSet ignored) {
        this.type = type;
        this.ignored = ignored;
    }

    /** Return how two objects differ, without what this endpoint ignores. */
    Differences compare(JsonNode before, JsonNode after) {
        return TreeComparison.compare(before, after, type).without(ignored);
    }

    /** Return the fields of an object that can be owned through this endpoint. */
    FieldSet fieldsOf(JsonNode node) {
        return FieldLister.fieldsOf(node, type).recursiveDifference(ignored);
    }

    /** Find the fields that others own and that a change sets. */
    static Conflicts conflicts(ManagedFields managers, ManagerId self, Differences differences) {
        FieldSet touched = differences.modified().union(differences.added());
        Conflicts conflicts = new Conflicts();
        for (ManagerId id : managers.ids()) {
            Entry entry = managers.get(id);
            FieldSet conflict = entry == null ? new FieldSet() : entry.set().intersection(touched);
            if (!id.equals(self) && !conflict.isEmpty()) {
                conflicts.add(id, conflict);
            }
        }
        return conflicts;
    }

    /** Take from the others what a change sets or removes; owners of nothing vanish, {@code self} too. */
    static void takeFromOthers(ManagedFields managers, ManagerId self, Differences differences) {
        FieldSet taken = differences.modified().union(differences.added());
        for (ManagerId id : managers.ids()) {
            Entry entry = managers.get(id);
            if (entry != null) {
                FieldSet set = entry.set();
                managers.put(
                        id,
                        id.equals(self)
                                ? entry
                                : entry.with(set.difference(taken).difference(differences.removed())));
            }
        }
    }

    /** Remove fields that an applier owned and no longer applies, and that no other manager owns. */
    JsonNode prune(JsonNode merged, ManagedFields managers, @Nullable Entry last) {
        if (last == null || last.set().isEmpty()) {
            return merged;
        }
        FieldSet lastFields = last.set().withNamedFields(type);
        JsonNode pruned = removed(merged, lastFields);
        pruned = addBackOwned(merged, pruned, managers);
        FieldSet prunedFields = FieldLister.fieldsOf(pruned, type).withNamedFields(type);
        FieldSet mergedFields = FieldLister.fieldsOf(merged, type).withNamedFields(type);
        return removed(merged, mergedFields.difference(prunedFields).intersection(lastFields));
    }

    private JsonNode addBackOwned(JsonNode merged, JsonNode pruned, ManagedFields managers) {
        FieldSet owned = new FieldSet();
        for (Entry entry : managers.all()) {
            owned = owned.union(entry.set());
        }
        FieldSet mergedFields = FieldLister.fieldsOf(merged, type).withNamedFields(type);
        FieldSet prunedFields = FieldLister.fieldsOf(pruned, type).withNamedFields(type);
        return removed(merged, mergedFields.difference(prunedFields.union(owned.withNamedFields(type))));
    }

    private JsonNode removed(JsonNode node, FieldSet unwanted) {
        JsonNode rest = ItemRemover.remove(node, unwanted, type);
        return rest.isObject() ? rest : JsonNodeFactory.instance.objectNode();
    }

    /** Takes paths out of a tree. */
    private static final class ItemRemover {

        private ItemRemover() {}

        /** Return the tree without the given paths; a map or list that loses its last item becomes null. */
        static JsonNode remove(JsonNode node, FieldSet unwanted, TypeSchema type) {
            return switch (TypeDispatch.of(type, node)) {
                case MAP -> removeFields(node, unwanted, Objects.requireNonNull(type.map()));
                case LIST -> removeItems(node, unwanted, Objects.requireNonNull(type.list()));
                default -> node;
            };
        }

        private static JsonNode removeFields(JsonNode node, FieldSet unwanted, MapType map) {
            if (!node.isObject() || map.atomic()) {
                return NullNode.getInstance();
            }
            ObjectNode kept = ((ObjectNode) node).objectNode();
            for (Map.Entry<String, JsonNode> field : node.properties()) {
                String element = FieldPath.field(field.getKey());
                if (unwanted.hasMember(element)) {
                    continue;
                }
                TypeSchema type = map.typeOf(field.getKey());
                FieldSet below = unwanted.below(element);
                kept.set(
                        field.getKey(),
                        below.isEmpty()
                                ? field.getValue()
                                : remove(field.getValue(), below, type == null ? TypeSchema.deduced() : type));
            }
            return kept.isEmpty() ? NullNode.getInstance() : kept;
        }

        private static JsonNode removeItems(JsonNode node, FieldSet unwanted, ListType list) {
            if (!node.isArray() || list.atomic()) {
                return NullNode.getInstance();
            }
            ArrayNode kept = ((ArrayNode) node).arrayNode();
            for (JsonNode item : node) {
                String element = FieldPath.item(list, item);
                if (element == null) {
                    kept.add(item);
                    continue;
                }
                if (unwanted.hasMember(element)) {
                    continue;
                }
                FieldSet below = unwanted.below(element);
                kept.add(
                        below.isEmpty()
                                ? item
                                : remove(item, below, list.element().get()));
            }
            return kept.isEmpty() ? NullNode.getInstance() : kept;
        }
    }

    /** Lists the paths of a tree that can be owned. Used by one thread. */
    private static final class FieldLister {

        private final FieldSet set = new FieldSet();
        private final List<String> path = new ArrayList<>();

        private FieldLister() {}

        /** Return the paths of a tree that fits its type. */
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
                path.add(FieldPath.field(field.getKey()));
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
            Map<String, Integer> counts = new HashMap<>();
            node.forEach(item -> {
                String element = FieldPath.item(list, item);
                if (element != null) {
                    counts.merge(element, 1, Integer::sum);
                }
            });
            for (JsonNode item : node) {
                String element = FieldPath.item(list, item);
                if (element == null) {
                    continue;
                }
                path.add(element);
                set.insert(path);
                if (counts.getOrDefault(element, 0) == 1) {
                    visit(item, list.element().get());
                }
                path.remove(path.size() - 1);
            }
        }
    }
}
