package io.github.reconciler4j.test.server.internal.apimachinery.cel;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.NullableType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.cel.common.types.StructTypeReference;
import io.github.reconciler4j.test.server.internal.apimachinery.schema.CelNames;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The types that rules see, made from the schemas of custom resources. Filled by one thread, then only read. */
@SuppressWarnings("Immutable") // the types are complete before the first expression is compiled
final class CelSchema implements CelTypeProvider {
    private final Map<String, StructType> structs = new HashMap<>();

    @Override
    public ImmutableCollection<CelType> types() {
        return ImmutableList.copyOf(structs.values());
    }

    @Override
    public Optional<CelType> findType(String name) {
        return Optional.ofNullable(structs.get(name));
    }

    /** Return the type of values of a schema; null for values that rules cannot see. {@code name} is that of structs in it. */
    @Nullable
    CelType type(JsonNode schema, String name, boolean resource) {
        CelType type = plainType(schema, name, resource);
        return type != null && schema.path("nullable").asBoolean() && !(type instanceof StructTypeReference)
                ? NullableType.create(type)
                : type;
    }

    private @Nullable CelType plainType(JsonNode schema, String name, boolean resource) {
        if (schema.path("x-kubernetes-int-or-string").asBoolean()) {
            return SimpleType.DYN;
        }
        return switch (schema.path("type").asText()) {
            case "object" -> object(schema, name, resource);
            case "array" -> {
                CelType items = schema.has("items") ? type(schema.path("items"), name + ".@idx", false) : null;
                yield items == null ? null : ListType.create(items);
            }
            case "string" -> text(schema.path("format").asText());
            case "integer" -> SimpleType.INT;
            case "number" -> SimpleType.DOUBLE;
            case "boolean" -> SimpleType.BOOL;
            default -> null;
        };
    }

    private static CelType text(String format) {
        return switch (format) {
            case "byte" -> SimpleType.BYTES;
            case "duration" -> SimpleType.DURATION;
            case "date", "date-time" -> SimpleType.TIMESTAMP;
            default -> SimpleType.STRING;
        };
    }

    private @Nullable CelType object(JsonNode schema, String name, boolean resource) {
        JsonNode values = schema.path("additionalProperties");
        if (values.isObject()) {
            CelType value = type(values, name + ".@elem", false);
            return value == null ? null : MapType.create(SimpleType.STRING, value);
        }
        Map<String, CelType> fields = new LinkedHashMap<>();
        schema.path("properties").properties().forEach(property -> {
            CelType type = type(property.getValue(), name + "." + property.getKey(), false);
            CelNames.escaped(property.getKey()).ifPresent(field -> {
                if (type != null) {
                    fields.put(field, type);
                }
            });
        });
        if (resource || schema.path("x-kubernetes-embedded-resource").asBoolean()) {
            fields.put("apiVersion", SimpleType.STRING);
            fields.put("kind", SimpleType.STRING);
            fields.put(
                    "metadata",
                    struct(name + ".metadata", Map.of("name", SimpleType.STRING, "generateName", SimpleType.STRING)));
        }
        return struct(name, fields);
    }

    private CelType struct(String name, Map<String, CelType> fields) {
        ImmutableMap<String, CelType> copy = ImmutableMap.copyOf(fields);
        structs.put(
                name,
                StructType.create(
                        name, ImmutableSet.copyOf(copy.keySet()), field -> Optional.ofNullable(copy.get(field))));
        return StructTypeReference.create(name);
    }
}
