package io.github.reconciler4j.test.server.internal.apimachinery.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Decodes objects of built-in kinds as the API server does: drops fields it does not know, nulls and zeros that mean
 * nothing, refuses values of a wrong type, and fills in the defaults that depend on nothing but the object. Safe for use by
 * multiple threads.
 */
public final class BuiltInDecoder {

    /** Loads on first use. */
    private static final class Holder {
        static final BuiltInDecoder DECODER = new BuiltInDecoder();
    }

    private final JsonNode schemas = BuiltInTypes.get().schemas();
    private final BuiltInTables tables = BuiltInTables.get();
    private final Map<String, BuiltInStruct> structs = new ConcurrentHashMap<>();

    private BuiltInDecoder() {}

    public static BuiltInDecoder get() {
        return Holder.DECODER;
    }

    /**
     * Decode an object in place; objects of kinds that are not built in stay as they are.
     *
     * @return the paths of the fields that the server does not know, in the order of the object
     * @throws StatusException 400 if a value has a wrong type; the object may have
     *     changed by then
     */
    public List<String> decode(String apiVersion, String kind, ObjectNode object) {
        List<String> unknown = new ArrayList<>();
        BuiltInTypes.get()
                .schemaName(apiVersion, kind)
                .ifPresent(schema -> new Run(unknown).struct(object, schema, ""));
        return unknown;
    }

    /** Like {@link #decode}, for {@code metadata} alone, as custom resources need it. */
    public List<String> decodeMetadata(ObjectNode object) {
        List<String> unknown = new ArrayList<>();
        if (object.get("metadata") instanceof ObjectNode metadata) {
            new Run(unknown).struct(metadata, BuiltInTypes.OBJECT_META, "metadata");
        }
        return unknown;
    }

    /** Return the schema of the struct that a field holds, alone, in a list or in a map; empty for other fields. */
    public Optional<String> structOf(String schema, String field) {
        BuiltInField type = struct(schema).fields().get(field);
        if (type != null && type.form() == BuiltInField.Form.LIST && type.element() != null) {
            type = type.element();
        }
        return type != null && type.form() == BuiltInField.Form.STRUCT ? Optional.of(type.schema()) : Optional.empty();
    }

    BuiltInStruct struct(String schema) {
        BuiltInStruct present = structs.get(schema);
        return present != null
                ? present
                : Objects.requireNonNull(
                        structs.computeIfAbsent(schema, name -> BuiltInStruct.of(name, schemas, tables)));
    }

    /** One decoding. Used by one thread. */
    private final class Run {
        private final List<String> unknown;

        Run(List<String> unknown) {
            this.unknown = unknown;
        }

        void struct(ObjectNode object, String schema, String path) {
            BuiltInStruct struct = BuiltInDecoder.this.struct(schema);
            for (String name : names(object)) {
                field(object, name, struct, child(path, name));
            }
            List<String> given = names(object);
            struct.complete(object);
            for (String name : names(object)) {
                if (!given.contains(name) && object.path(name).isContainerNode()) {
                    field(object, name, struct, child(path, name));
                }
            }
        }

        private void field(ObjectNode object, String name, BuiltInStruct struct, String path) {
            BuiltInField type = struct.fields().get(name);
            JsonNode value = object.path(name);
            if (type == null) {
                unknown.add(path);
                object.remove(name);
            } else if (value.isNull()) {
                object.remove(name);
            } else {
                JsonNode decoded = value(value, type, path);
                if (struct.leavesOut(name, decoded, type)) {
                    object.remove(name);
                } else {
                    object.set(name, decoded);
                }
            }
        }

        private JsonNode value(JsonNode value, BuiltInField type, String path) {
            BuiltInField element = type.element();
            switch (type.form()) {
                case STRUCT -> {
                    struct((ObjectNode) container(value.isObject(), value, type, path), type.schema(), path);
                    return value;
                }
                case MAP -> {
                    ObjectNode map = (ObjectNode) container(value.isObject(), value, type, path);
                    for (String key : names(map)) {
                        map.set(key, item(map.path(key), Objects.requireNonNull(element), child(path, key)));
                    }
                    return map;
                }
                case LIST -> {
                    ArrayNode list = (ArrayNode) container(value.isArray(), value, type, path);
                    for (int i = 0; i < list.size(); i++) {
                        String at = path + "[" + i + "]";
                        list.set(i, item(list.path(i), Objects.requireNonNull(element), at));
                    }
                    return list;
                }
                default -> {
                    return ScalarDecoder.decode(value, type, path);
                }
            }
        }

        /** Decode an element, where null means the zero of its type. */
        private JsonNode item(JsonNode item, BuiltInField type, String path) {
            if (!item.isNull()) {
                return value(item, type, path);
            }
            return switch (type.form()) {
                case STRING -> TextNode.valueOf("");
                case STRUCT -> {
                    ObjectNode zero = JsonNodeFactory.instance.objectNode();
                    struct(zero, type.schema(), path);
                    yield zero;
                }
                default -> item;
            };
        }

        private JsonNode container(boolean fits, JsonNode value, BuiltInField type, String path) {
            if (!fits) {
                throw ScalarDecoder.mismatch(value, type, path);
            }
            return value;
        }
    }

    private static String child(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    private static List<String> names(ObjectNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    /**
     * A struct into which the server decodes objects of built-in kinds. Immutable.
     *
     * @param fields the types of its fields
     * @param always what the server writes for fields that are not set
     * @param keepsZero fields of which a zero is something else than nothing
     * @param defaults rows of the table of defaults, in order
     */
    private record BuiltInStruct(
            Map<String, BuiltInField> fields,
            Map<String, JsonNode> always,
            Set<String> keepsZero,
            List<BuiltInTables.Default> defaults) {

        static BuiltInStruct of(String schemaName, JsonNode schemas, BuiltInTables tables) {
            String key = BuiltInTables.typeName(schemaName);
            JsonNode schema = schemas.path(schemaName);
            Map<String, JsonNode> always = new LinkedHashMap<>();
            schema.path("properties").properties().forEach(property -> {
                JsonNode value = property.getValue().get("default");
                boolean omitted = tables.omitted(key).contains(property.getKey())
                        && (value == null
                                || value.asText().isEmpty()
                                || value.asText().equals("0"));
                if (value != null && !omitted) {
                    always.put(property.getKey(), value);
                }
            });
            schema.path("required").forEach(name -> always.putIfAbsent(name.asText(), NullNode.getInstance()));
            tables.nulls(key).forEach(name -> always.putIfAbsent(name, NullNode.getInstance()));
            return new BuiltInStruct(
                    BuiltInField.fieldsOf(schemaName, schemas), always, tables.keptZeros(key), tables.defaults(key));
        }

        /** Fill in what is not set. */
        void complete(ObjectNode object) {
            for (BuiltInTables.Default row : defaults) {
                if (!object.hasNonNull(row.field()) && row.applies(object)) {
                    object.set(row.field(), row.value().deepCopy());
                }
            }
            always.forEach((field, value) -> {
                if (!object.has(field)) {
                    object.set(field, value.deepCopy());
                }
            });
        }

        /** Return whether a decoded value is left out when the object is written. */
        boolean leavesOut(String field, JsonNode value, @Nullable BuiltInField type) {
            if (type == null || isZero(always.get(field))) {
                return false;
            }
            return switch (type.form()) {
                case LIST, MAP -> value.isEmpty();
                case STRING, BYTES -> value.asText().isEmpty() && !keepsZero.contains(field);
                case INTEGER, NUMBER -> value.decimalValue().signum() == 0 && !keepsZero.contains(field);
                case BOOLEAN -> !value.booleanValue() && !keepsZero.contains(field);
                default -> false;
            };
        }

        /** Return whether a value is written although it is empty. */
        private static boolean isZero(@Nullable JsonNode value) {
            return value != null
                    && (value.isContainerNode()
                            || value.isNull()
                            || value.asText().isEmpty()
                            || value.asText().equals("0")
                            || value.isBoolean() && !value.booleanValue());
        }
    }
}
