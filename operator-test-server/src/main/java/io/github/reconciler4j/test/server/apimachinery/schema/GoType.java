package io.github.reconciler4j.test.server.apimachinery.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The type into which the server decodes a value of a built-in kind, read from an OpenAPI schema. Immutable.
 *
 * @param kind what it is
 * @param name how the server's errors call it, such as {@code int32} or {@code []v1.Container}
 * @param element type of the items of a list or of the values of a map; null for other kinds
 * @param schema name of the schema of a struct; empty for other kinds
 */
record GoType(Kind kind, String name, @Nullable GoType element, String schema) {
    private static final String PREFIX = "io.k8s.";
    private static final Map<String, Kind> SPECIAL = Map.of(
            "io.k8s.apimachinery.pkg.api.resource.Quantity", Kind.QUANTITY,
            "io.k8s.apimachinery.pkg.apis.meta.v1.Time", Kind.TIME,
            "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime", Kind.TIME,
            "io.k8s.apimachinery.pkg.util.intstr.IntOrString", Kind.INT_OR_STRING,
            "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1", Kind.ANY,
            "io.k8s.apimachinery.pkg.runtime.RawExtension", Kind.ANY);

    /** The kinds of types. */
    enum Kind {
        STRING,
        INTEGER,
        NUMBER,
        BOOLEAN,
        BYTES,
        TIME,
        QUANTITY,
        INT_OR_STRING,
        LIST,
        MAP,
        STRUCT,
        ANY
    }

    /** Reads a type; {@code schemas} are all named schemas. */
    static GoType of(JsonNode schema, JsonNode schemas) {
        String reference = SchemaRefs.nameIn(schema);
        if (reference != null) {
            return named(reference, schemas);
        }
        String format = schema.path("format").asText();
        return switch (schema.path("type").asText()) {
            case "string" -> text(format);
            case "integer" -> simple(Kind.INTEGER, format.isEmpty() ? "int64" : format);
            case "number" -> simple(Kind.NUMBER, "float64");
            case "boolean" -> simple(Kind.BOOLEAN, "bool");
            case "array" -> {
                GoType item = of(schema.path("items"), schemas);
                yield new GoType(Kind.LIST, "[]" + item.name(), item, "");
            }
            case "object" -> map(schema, schemas);
            default -> simple(Kind.ANY, "interface {}");
        };
    }

    private static GoType text(String format) {
        return switch (format) {
            case "byte" -> simple(Kind.BYTES, "[]uint8");
            case "date-time" -> simple(Kind.TIME, "string");
            default -> simple(Kind.STRING, "string");
        };
    }

    private static GoType map(JsonNode schema, JsonNode schemas) {
        JsonNode values = schema.path("additionalProperties");
        if (!values.isObject()) {
            return simple(Kind.ANY, "interface {}");
        }
        GoType value = of(values, schemas);
        return new GoType(Kind.MAP, "map[string]" + value.name(), value, "");
    }

    private static GoType named(String name, JsonNode schemas) {
        String[] parts = name.split("\\.");
        String shown = parts[parts.length - 2] + "." + parts[parts.length - 1];
        Kind special = SPECIAL.get(name);
        if (special != null) {
            return simple(special, special == Kind.INT_OR_STRING ? "int32" : shown);
        }
        JsonNode schema = schemas.path(name);
        boolean isStruct = schema.path("type").asText().equals("object") && !schema.has("additionalProperties");
        return isStruct ? new GoType(Kind.STRUCT, shown, null, name) : of(schema, schemas);
    }

    private static GoType simple(Kind kind, String name) {
        return new GoType(kind, name, null, "");
    }

    /** The type of a struct. */
    static GoType struct(String schema) {
        return new GoType(Kind.STRUCT, schema, null, schema);
    }

    /** The fields of a struct. */
    static Map<String, GoType> fields(String schema, JsonNode schemas) {
        Map<String, GoType> fields = new LinkedHashMap<>();
        schemas.path(schema)
                .path("properties")
                .properties()
                .forEach(field -> fields.put(field.getKey(), of(field.getValue(), schemas)));
        return fields;
    }

    /** The last part of the name of a schema, which is the name of its struct. */
    static String structName(String schema) {
        return schema.substring(schema.lastIndexOf('.') + 1);
    }

    /** The name of a schema in our tables: {@code apps.v1.DeploymentSpec}. */
    static String tableName(String schema) {
        return schema.startsWith(PREFIX + "api.") ? schema.substring((PREFIX + "api.").length()) : schema;
    }
}
