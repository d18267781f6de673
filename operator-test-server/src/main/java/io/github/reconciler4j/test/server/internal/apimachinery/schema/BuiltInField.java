package io.github.reconciler4j.test.server.internal.apimachinery.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The type of a field of a built-in kind, from its OpenAPI schema. Immutable.
 *
 * @param format the OpenAPI format of a scalar, empty for none
 * @param element the type of the items of a list or of the values of a map, null otherwise
 * @param schema the name of the schema of a struct, empty otherwise
 */
record BuiltInField(Form form, String format, @Nullable BuiltInField element, String schema) {
    private static final Map<String, Form> SPECIAL = Map.of(
            "io.k8s.apimachinery.pkg.api.resource.Quantity", Form.QUANTITY,
            "io.k8s.apimachinery.pkg.apis.meta.v1.Time", Form.TIME,
            "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime", Form.MICRO_TIME,
            "io.k8s.apimachinery.pkg.util.intstr.IntOrString", Form.INT_OR_STRING,
            "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1", Form.ANY,
            "io.k8s.apimachinery.pkg.runtime.RawExtension", Form.ANY);

    /** The form of values. */
    enum Form {
        STRING,
        INTEGER,
        NUMBER,
        BOOLEAN,
        BYTES,
        TIME,
        MICRO_TIME,
        QUANTITY,
        INT_OR_STRING,
        LIST,
        MAP,
        STRUCT,
        ANY
    }

    /** Return the types of the fields of a struct; {@code schemas} holds all named schemas. */
    static Map<String, BuiltInField> fieldsOf(String schema, JsonNode schemas) {
        Map<String, BuiltInField> fields = new LinkedHashMap<>();
        schemas.path(schema)
                .path("properties")
                .properties()
                .forEach(field -> fields.put(field.getKey(), of(field.getValue(), schemas)));
        return fields;
    }

    private static BuiltInField of(JsonNode schema, JsonNode schemas) {
        String reference = SchemaRefs.nameIn(schema);
        if (reference != null) {
            return named(reference, schemas);
        }
        String format = schema.path("format").asText();
        return switch (schema.path("type").asText()) {
            case "string" ->
                scalar(format.equals("byte") ? Form.BYTES : format.equals("date-time") ? Form.TIME : Form.STRING, "");
            case "integer" -> scalar(Form.INTEGER, format);
            case "number" -> scalar(Form.NUMBER, "");
            case "boolean" -> scalar(Form.BOOLEAN, "");
            case "array" -> new BuiltInField(Form.LIST, "", of(schema.path("items"), schemas), "");
            case "object" -> {
                JsonNode values = schema.path("additionalProperties");
                yield values.isObject()
                        ? new BuiltInField(Form.MAP, "", of(values, schemas), "")
                        : scalar(Form.ANY, "");
            }
            default -> scalar(Form.ANY, "");
        };
    }

    private static BuiltInField named(String name, JsonNode schemas) {
        Form special = SPECIAL.get(name);
        if (special != null) {
            return scalar(special, "");
        }
        JsonNode schema = schemas.path(name);
        boolean isStruct = schema.path("type").asText().equals("object") && !schema.has("additionalProperties");
        return isStruct ? new BuiltInField(Form.STRUCT, "", null, name) : of(schema, schemas);
    }

    private static BuiltInField scalar(Form form, String format) {
        return new BuiltInField(form, format, null, "");
    }
}
