package io.github.reconciler4j.test.server.apimachinery.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.TypeSchema;
import io.github.reconciler4j.test.server.apimachinery.TypeSchema.ListType;
import io.github.reconciler4j.test.server.apimachinery.TypeSchema.MapType;
import java.util.Map;
import java.util.Objects;

/** Takes paths out of a tree. */
final class ItemRemover {

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
            kept.add(below.isEmpty() ? item : remove(item, below, list.element().get()));
        }
        return kept.isEmpty() ? NullNode.getInstance() : kept;
    }
}
