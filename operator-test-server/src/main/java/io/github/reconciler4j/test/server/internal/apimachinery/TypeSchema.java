package io.github.reconciler4j.test.server.internal.apimachinery;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The type of a value for merges: whether it is a scalar, a list or a map, and how its parts are owned. A type that
 * may be several of these (a field without a declared type) has several parts. Types may refer to each other in circles,
 * so parts hold suppliers. Immutable; safe for use by multiple threads.
 *
 * @param name name of the type for error messages, such as {@code DeploymentSpec}; empty for a nameless one
 * @param scalar what kind of scalar it may be, if any
 * @param list what kind of list it may be, if any
 * @param map what kind of map or struct it may be, if any
 */
public record TypeSchema(
        String name,
        @Nullable ScalarKind scalar,
        @Nullable ListType list,
        @Nullable MapType map) {

    /** The values of a scalar. */
    public enum ScalarKind {
        /** Text. */
        STRING,
        /** Integers and numbers with a fraction part. */
        NUMERIC,
        /** True or false. */
        BOOLEAN,
        /** Any scalar. */
        UNTYPED
    }

    /**
     * A list.
     *
     * @param atomic whether it is owned as a whole; otherwise it is a set (no keys) or an associative list
     * @param keys fields that identify an item of an associative list
     */
    public record ListType(Supplier<TypeSchema> element, boolean atomic, List<String> keys) {}

    /**
     * A map or a struct.
     *
     * @param element type of all other fields; null if there may be no others
     * @param atomic whether it is owned as a whole
     */
    public record MapType(
            Map<String, FieldType> fields, @Nullable Supplier<TypeSchema> element, boolean atomic) {

        /** Return the type of a field, or null. */
        public @Nullable TypeSchema typeOf(String field) {
            FieldType declared = fields.get(field);
            if (declared != null) {
                return declared.type().get();
            }
            return element == null ? null : element.get();
        }
    }

    /**
     * A declared field of a struct.
     *
     * @param defaultValue its default, which counts when it is a key of an associative list
     * @param patchStrategies {@code merge}, {@code replace} or {@code retainKeys}, for strategic merge patches
     * @param patchMergeKey the field that identifies an item in strategic merge patches, may be empty
     * @param emptyValue what the field holds in an object in which nothing is set yet; null if it is absent then
     */
    public record FieldType(
            Supplier<TypeSchema> type,
            @Nullable JsonNode defaultValue,
            List<String> patchStrategies,
            String patchMergeKey,
            @Nullable JsonNode emptyValue) {}

    private static final TypeSchema UNTYPED_ATOMIC = new TypeSchema(
            "",
            ScalarKind.UNTYPED,
            new ListType(TypeSchema::untypedAtomic, true, List.of()),
            new MapType(Map.of(), TypeSchema::untypedAtomic, true));

    private static final TypeSchema DEDUCED = new TypeSchema(
            "",
            ScalarKind.UNTYPED,
            new ListType(TypeSchema::untypedAtomic, true, List.of()),
            new MapType(Map.of(), TypeSchema::deduced, false));

    /** Return the type of values of which nothing is known and that are owned as a whole. */
    public static TypeSchema untypedAtomic() {
        return UNTYPED_ATOMIC;
    }

    /** Return the type of values of which nothing is known: maps are owned field by field, lists as a whole. */
    public static TypeSchema deduced() {
        return DEDUCED;
    }

    public static TypeSchema scalarOf(ScalarKind kind) {
        return new TypeSchema("", kind, null, null);
    }

    /**
     * Return an object of this type in which nothing is set: empty for custom resources, with the nested structs and
     * zero values that are always there for built-in kinds.
     */
    public ObjectNode emptyObject() {
        ObjectNode empty = JsonNodeFactory.instance.objectNode();
        if (map != null) {
            map.fields().forEach((field, type) -> {
                JsonNode value = type.emptyValue();
                if (value != null) {
                    empty.set(field, value.isObject() ? type.type().get().emptyObject() : value);
                }
            });
        }
        return empty;
    }

    /** Return the same type with its map part owned as a whole or field by field. */
    public TypeSchema withAtomicMap(boolean atomic) {
        if (map == null || map.atomic() == atomic) {
            return this;
        }
        return new TypeSchema(name, scalar, list, new MapType(map.fields(), map.element(), atomic));
    }
}
