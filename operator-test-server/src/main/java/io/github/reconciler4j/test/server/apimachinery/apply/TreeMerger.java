package io.github.reconciler4j.test.server.apimachinery.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.TypeSchema;
import io.github.reconciler4j.test.server.apimachinery.TypeSchema.MapType;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Merges an applied tree into a live one: what is applied wins, what is not applied stays. */
final class TreeMerger {

    private TreeMerger() {}

    /** Merges trees that fit the type; null if nothing comes out. The result shares nodes with its sources. */
    static @Nullable JsonNode merge(@Nullable JsonNode live, @Nullable JsonNode applied, TypeSchema type) {
        TypeDispatch part = TypeDispatch.of(type, applied == null || applied.isNull() ? live : applied);
        return switch (part) {
            case MAP -> mergeMap(live, applied, Objects.requireNonNull(type.map()));
            case LIST -> ListMerger.merge(live, applied, Objects.requireNonNull(type.list()));
            default -> appliedOrLive(live, applied);
        };
    }

    static @Nullable JsonNode appliedOrLive(@Nullable JsonNode live, @Nullable JsonNode applied) {
        return applied != null ? applied : live;
    }

    private static @Nullable JsonNode mergeMap(@Nullable JsonNode live, @Nullable JsonNode applied, MapType map) {
        if (map.atomic() || (!isFilled(live) && !isFilled(applied))) {
            return appliedOrLive(live, applied);
        }
        Set<String> names = new LinkedHashSet<>();
        if (live != null) {
            live.fieldNames().forEachRemaining(names::add);
        }
        if (applied != null) {
            applied.fieldNames().forEachRemaining(names::add);
        }
        ObjectNode merged = JsonNodeFactory.instance.objectNode();
        for (String name : names) {
            TypeSchema type = map.typeOf(name);
            JsonNode value = merge(
                    live == null ? null : live.get(name),
                    applied == null ? null : applied.get(name),
                    type == null ? TypeSchema.deduced() : type);
            if (value != null) {
                merged.set(name, value);
            }
        }
        return merged.isEmpty() ? null : merged;
    }

    private static boolean isFilled(@Nullable JsonNode node) {
        return node != null && node.isObject() && !node.isEmpty();
    }
}
