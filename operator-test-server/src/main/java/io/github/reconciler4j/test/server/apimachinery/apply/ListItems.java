package io.github.reconciler4j.test.server.apimachinery.apply;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.server.apimachinery.FieldError;
import io.github.reconciler4j.test.server.apimachinery.TypeSchema;
import io.github.reconciler4j.test.server.apimachinery.TypeSchema.FieldType;
import io.github.reconciler4j.test.server.apimachinery.TypeSchema.ListType;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What identifies the items of sets and associative lists. */
final class ListItems {

    /** An item that cannot be identified. */
    static final class UnidentifiedException extends Exception {

        private static final long serialVersionUID = 1L;

        UnidentifiedException(String message) {
            super(message);
        }
    }

    private ListItems() {}

    /**
     * Returns the path element of an item.
     *
     * @throws UnidentifiedException if the item has no identity, with the server's reason
     */
    static PathElement elementOf(ListType list, JsonNode item) throws UnidentifiedException {
        return list.keys().isEmpty() ? setItem(item) : keyedItem(list, item);
    }

    private static PathElement setItem(JsonNode item) throws UnidentifiedException {
        if (item.isObject()) {
            throw new UnidentifiedException("associative list without keys has an element that's a map type");
        }
        if (item.isArray()) {
            throw new UnidentifiedException("not supported: associative list with lists as elements");
        }
        if (item.isNull()) {
            throw new UnidentifiedException("associative list without keys has an element that's an explicit null");
        }
        return new PathElement.Value(item);
    }

    private static PathElement keyedItem(ListType list, JsonNode item) throws UnidentifiedException {
        if (item.isNull()) {
            throw new UnidentifiedException("associative list with keys may not have a null element");
        }
        if (!item.isObject()) {
            throw new UnidentifiedException("associative list with keys may not have non-map elements");
        }
        TreeMap<String, JsonNode> keys = new TreeMap<>();
        for (String name : list.keys()) {
            JsonNode value = item.has(name) ? item.get(name) : defaultOf(list, name);
            if (value != null) {
                keys.put(name, value);
            }
        }
        if (keys.isEmpty()) {
            throw new UnidentifiedException("associative list with keys has an element that omits all key fields "
                    + quoted(list.keys()) + " (and doesn't have default values for any key fields)");
        }
        return new PathElement.Key(keys);
    }

    private static @Nullable JsonNode defaultOf(ListType list, String name) {
        TypeSchema element = list.element().get();
        FieldType field = element.map() == null ? null : element.map().fields().get(name);
        return field == null ? null : field.defaultValue();
    }

    private static String quoted(List<String> names) {
        return names.stream().map(FieldError::quoted).collect(Collectors.joining(" ", "[", "]"));
    }
}
