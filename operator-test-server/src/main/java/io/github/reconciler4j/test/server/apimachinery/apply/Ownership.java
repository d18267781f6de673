package io.github.reconciler4j.test.server.apimachinery.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.TypeSchema;
import io.github.reconciler4j.test.server.apimachinery.TypeSchema.ListType;
import io.github.reconciler4j.test.server.apimachinery.TypeSchema.MapType;
import io.github.reconciler4j.test.server.apimachinery.apply.ManagedFields.Entry;
import io.github.reconciler4j.test.server.apimachinery.apply.TreeComparison.Differences;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a change of an object does to the owners of its fields. Used by one thread. */
final class Ownership {

    private final TypeSchema type;
    private final FieldSet ignored;

    /** The fields in {@code ignored}, and those below them, are never owned through this endpoint. */
    Ownership(TypeSchema type, FieldSet ignored) {
        this.type = type;
        this.ignored = ignored;
    }

    /** Returns how two objects differ, without what this endpoint ignores. */
    Differences compare(JsonNode before, JsonNode after) {
        return TreeComparison.compare(before, after, type).without(ignored);
    }

    /** Returns the fields of an object that can be owned through this endpoint. */
    FieldSet fieldsOf(JsonNode node) {
        return FieldLister.fieldsOf(node, type).recursiveDifference(ignored);
    }

    /** Finds the fields that others own and that a change sets. */
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

    /** Takes from the others what a change sets or removes; owners of nothing vanish, {@code self} too. */
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

    /** Removes what an applier owned, does not apply any more, and nobody else owns. */
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

        /** Returns the tree without the given paths; a map or list that loses its last item becomes null. */
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
                PathElement element = new PathElement.Field(field.getKey());
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
                PathElement element;
                try {
                    element = ListItems.elementOf(list, item);
                } catch (ListItems.UnidentifiedException e) {
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
}
