package io.github.reconciler4j.test.server.internal.apimachinery.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.github.reconciler4j.test.server.internal.apimachinery.TypeSchema;
import io.github.reconciler4j.test.server.internal.apimachinery.TypeSchema.FieldType;
import io.github.reconciler4j.test.server.internal.apimachinery.TypeSchema.ListType;
import io.github.reconciler4j.test.server.internal.apimachinery.TypeSchema.MapType;
import io.github.reconciler4j.test.server.internal.apimachinery.TypeSchema.ScalarKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code TypeSchema}s from OpenAPI v3 schemas. Named schemas are read once, when they are first needed. Safe for use
 * by multiple threads.
 */
final class TypeSchemaReader {

    private static final String QUANTITY = "io.k8s.apimachinery.pkg.api.resource.Quantity";
    private static final String RAW_EXTENSION = "io.k8s.apimachinery.pkg.runtime.RawExtension";

    private final Function<String, @Nullable JsonNode> definitions;
    private final boolean builtIn;
    private final Map<String, TypeSchema> named = new ConcurrentHashMap<>();

    /**
     * Create a reader.
     *
     * @param definitions finds a named schema, or returns null
     * @param builtIn whether objects of these types always hold their nested structs and zero values
     */
    TypeSchemaReader(Function<String, @Nullable JsonNode> definitions, boolean builtIn) {
        this.definitions = definitions;
        this.builtIn = builtIn;
    }

    /** Return the type of a named schema, or an untyped one if the schema does not exist. */
    TypeSchema named(String name) {
        TypeSchema present = named.get(name);
        if (present != null) {
            return present;
        }
        TypeSchema read = readNamed(name);
        TypeSchema earlier = named.putIfAbsent(name, read);
        return earlier == null ? read : earlier;
    }

    private TypeSchema readNamed(String name) {
        if (name.equals(QUANTITY)) {
            return TypeSchema.scalarOf(ScalarKind.UNTYPED);
        }
        JsonNode schema = definitions.apply(name);
        if (schema == null || name.equals(RAW_EXTENSION)) {
            return TypeSchema.untypedAtomic();
        }
        return read(name, schema, false);
    }

    /** Read a schema that has no name of its own. */
    TypeSchema read(JsonNode schema) {
        return read("", schema, false);
    }

    private TypeSchema read(String fullName, JsonNode schema, boolean inheritedPreserve) {
        String name = fullName.substring(fullName.lastIndexOf('.') + 1);
        String table = BuiltInTables.typeName(fullName);
        boolean preserve = inheritedPreserve
                || schema.path("x-kubernetes-preserve-unknown-fields").asBoolean();
        String type = schema.path("type").asText();
        return switch (type) {
            case "" -> new TypeSchema(name, ScalarKind.UNTYPED, list(schema, preserve), map(table, schema, preserve));
            case "object" -> new TypeSchema(name, null, null, map(table, schema, preserve));
            case "array" -> new TypeSchema(name, null, list(schema, preserve), null);
            default -> new TypeSchema(name, scalar(type, schema.path("format").asText()), null, null);
        };
    }

    private static ScalarKind scalar(String type, String format) {
        return switch (type) {
            case "integer", "number" -> ScalarKind.NUMERIC;
            case "boolean" -> ScalarKind.BOOLEAN;
            case "string" -> format.isEmpty() || format.equals("byte") ? ScalarKind.STRING : ScalarKind.UNTYPED;
            default -> ScalarKind.UNTYPED;
        };
    }

    /** Return the type that a schema stands for in another one, which may refer to a named one. */
    private Supplier<TypeSchema> reference(JsonNode schema, boolean preserve) {
        String name = SchemaRefs.nameIn(schema);
        if (name == null) {
            TypeSchema inlined = read("", schema, preserve);
            return () -> inlined;
        }
        String mapType = schema.path("x-kubernetes-map-type").asText();
        if (mapType.isEmpty()) {
            return () -> named(name);
        }
        return () -> named(name).withAtomicMap(mapType.equals("atomic"));
    }

    private MapType map(String table, JsonNode schema, boolean preserve) {
        Map<String, FieldType> fields = new LinkedHashMap<>();
        Set<String> required = new HashSet<>();
        schema.path("required").forEach(field -> required.add(field.asText()));
        if (builtIn) {
            required.addAll(BuiltInTables.get().nulls(table));
        }
        for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
            fields.put(property.getKey(), field(property.getValue(), required.contains(property.getKey()), preserve));
        }
        boolean atomic = schema.path("x-kubernetes-map-type").asText().equals("atomic");
        return new MapType(fields, elementOf(schema, preserve), atomic);
    }

    private @Nullable Supplier<TypeSchema> elementOf(JsonNode schema, boolean preserve) {
        JsonNode others = schema.path("additionalProperties");
        if (others.isObject()) {
            return reference(others, preserve);
        }
        boolean allowed =
                others.isMissingNode() ? preserve || schema.path("properties").isEmpty() : others.asBoolean();
        return allowed ? TypeSchema::deduced : null;
    }

    private FieldType field(JsonNode schema, boolean required, boolean preserve) {
        JsonNode defaultValue = schema.get("default");
        List<String> strategies = new ArrayList<>();
        for (String strategy :
                schema.path("x-kubernetes-patch-strategy").asText().split(",")) {
            if (!strategy.isEmpty()) {
                strategies.add(strategy);
            }
        }
        return new FieldType(
                reference(schema, preserve),
                defaultValue,
                List.copyOf(strategies),
                schema.path("x-kubernetes-patch-merge-key").asText(),
                builtIn ? emptyValue(defaultValue, required) : null);
    }

    private static @Nullable JsonNode emptyValue(@Nullable JsonNode defaultValue, boolean required) {
        if (defaultValue != null && isZero(defaultValue)) {
            return defaultValue;
        }
        return required ? NullNode.getInstance() : null;
    }

    private static boolean isZero(JsonNode value) {
        return switch (value.getNodeType()) {
            case OBJECT, ARRAY -> value.isEmpty();
            case STRING -> value.textValue().isEmpty();
            case NUMBER -> value.doubleValue() == 0;
            case BOOLEAN -> !value.booleanValue();
            default -> false;
        };
    }

    private ListType list(JsonNode schema, boolean preserve) {
        JsonNode items = schema.get("items");
        Supplier<TypeSchema> element = items == null ? TypeSchema::untypedAtomic : reference(items, preserve);
        List<String> keys = new ArrayList<>();
        String listType = schema.path("x-kubernetes-list-type").asText();
        String strategy = schema.path("x-kubernetes-patch-strategy").asText();
        if (listType.equals("map")) {
            schema.path("x-kubernetes-list-map-keys").forEach(key -> keys.add(key.asText()));
        } else if (listType.isEmpty() && schema.has("x-kubernetes-patch-merge-key")) {
            keys.add(schema.path("x-kubernetes-patch-merge-key").asText());
        }
        boolean atomic = listType.isEmpty()
                ? !strategy.equals("merge") && !strategy.equals("merge,retainKeys")
                : listType.equals("atomic");
        return new ListType(element, atomic, atomic ? List.of() : List.copyOf(keys));
    }
}
