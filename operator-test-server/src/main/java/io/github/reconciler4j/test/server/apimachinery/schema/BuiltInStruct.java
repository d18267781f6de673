package io.github.reconciler4j.test.server.apimachinery.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A struct into which the server decodes objects of built-in kinds. Immutable.
 *
 * @param fields the types of its fields
 * @param always what the server writes for fields that are not set
 * @param keepsZero fields of which a zero is something else than nothing
 * @param defaults rows of the table of defaults, in order
 */
record BuiltInStruct(
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

    /** Fills in what is not set. */
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

    /** Tells whether a decoded value is left out when the object is written. */
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

    /** Tells whether there is a value that is written although it says nothing. */
    private static boolean isZero(@Nullable JsonNode value) {
        return value != null
                && (value.isContainerNode()
                        || value.isNull()
                        || value.asText().isEmpty()
                        || value.asText().equals("0")
                        || value.isBoolean() && !value.booleanValue());
    }
}
