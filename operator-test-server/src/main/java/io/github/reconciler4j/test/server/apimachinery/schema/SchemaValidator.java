package io.github.reconciler4j.test.server.apimachinery.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.github.reconciler4j.test.server.apimachinery.FieldError;
import io.github.reconciler4j.test.server.apimachinery.Trees;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks values against schemas with the server's words, in the server's order of checks. In an update, what was wrong
 * before and has not changed is forgiven. Safe for use by many threads.
 */
final class SchemaValidator {

    private SchemaValidator() {}

    /**
     * Checks a value.
     *
     * @param path path of the value from the root of the schema, as messages spell it; empty for the root
     * @param before the value before an update, paired with this one; null for a new value
     */
    static SchemaResult validate(JsonNode value, SchemaNode schema, String path, @Nullable Correlation before) {
        SchemaResult result = check(value, schema, path, before);
        if (before != null && !result.isValid() && before.isSame()) {
            result.forgive();
        }
        return result;
    }

    private static SchemaResult check(JsonNode value, SchemaNode schema, String path, @Nullable Correlation before) {
        SchemaResult result = new SchemaResult();
        String field = fieldOf(path);
        if (value.isNull()) {
            checkType(value, schema, path, field, result);
            checkEnum(value, schema, field, result);
            return result;
        }
        if (!schema.types.isEmpty() || !schema.format.isEmpty()) {
            if (checkType(value, schema, path, field, result)) {
                result.countMatch();
            }
            result.countMatch();
        }
        result.merge(Combinations.check(value, schema, path, before));
        result.countMatch();
        if (value.isTextual()) {
            checkText(value.textValue(), schema, path, field, result);
        } else if (value.isNumber()) {
            ScalarChecks.number(value, schema, path, field, result);
            result.countMatch();
            result.countMatch();
        } else if (value.isArray()) {
            checkList(value, schema, path, before, result);
            result.countMatch();
            result.countMatch();
        }
        checkEnum(value, schema, field, result);
        result.countMatch();
        if (value.isObject()) {
            checkObject(value, schema, path, before, result);
            result.countMatch();
        }
        result.countMatch();
        return result;
    }

    /** Returns the field of an error; unknown at the root. */
    private static String fieldOf(String path) {
        String field = path.startsWith(".") ? path.substring(1) : path;
        return field.isEmpty() ? "<nil>" : field;
    }

    private static boolean checkType(
            JsonNode value, SchemaNode schema, String path, String field, SchemaResult result) {
        if (schema.types.isEmpty() || (value.isNull() && schema.nullable)) {
            return true;
        }
        String actual = typeOf(value);
        boolean isFormatted = value.isTextual() && !schema.format.isEmpty();
        boolean fits = schema.types.contains(actual)
                || (actual.equals("integer") && schema.types.contains("number"))
                || (actual.equals("number")
                        && schema.types.contains("integer")
                        && ScalarChecks.isInteger(value.doubleValue()))
                || (isFormatted && !schema.types.contains("integer") && !schema.types.contains("number"));
        if (!fits && !schema.format.isEmpty() && !value.isTextual() && !value.isArray() && !value.isNull()) {
            String format = formatOf(value);
            String message = path + " in body must be of type " + schema.format + ": " + FieldError.quoted(format);
            result.add(FieldError.typeInvalid(field, TextNode.valueOf(format), message));
        } else if (!fits) {
            String expected = String.join(",", schema.types);
            String message = path + " in body must be of type " + expected + ": " + FieldError.quoted(actual);
            result.add(FieldError.typeInvalid(field, TextNode.valueOf(actual), message));
        }
        return fits;
    }

    private static String formatOf(JsonNode value) {
        return value.isNumber() ? Trees.jsonType(value) : "";
    }

    /** Names the type of a value in the words of JSON schema. */
    static String typeOf(JsonNode value) {
        return switch (value.getNodeType()) {
            case OBJECT -> "object";
            case ARRAY -> "array";
            case NUMBER -> value.isIntegralNumber() ? "integer" : "number";
            case BOOLEAN -> "boolean";
            case NULL, MISSING -> "null";
            default -> "string";
        };
    }

    private static void checkText(String text, SchemaNode schema, String path, String field, SchemaResult result) {
        FieldError error = ScalarChecks.text(text, schema, path, field);
        if (error != null) {
            result.add(error);
        }
        result.countMatch();
        if (Formats.isKnown(schema.format)) {
            if (!Formats.matches(schema.format, text)) {
                String message = path + " in body must be of type " + schema.format + ": " + FieldError.quoted(text);
                result.add(FieldError.typeInvalid(field, TextNode.valueOf(text), message));
            }
            result.countMatch();
        }
    }

    private static void checkEnum(JsonNode value, SchemaNode schema, String field, SchemaResult result) {
        JsonNode allowed = schema.json.path("enum");
        if (allowed.isEmpty()) {
            return;
        }
        List<String> spelled = new ArrayList<>();
        for (JsonNode option : allowed) {
            if (isOption(value, option)) {
                return;
            }
            spelled.add(option.isTextual() ? option.textValue() : Trees.canonical(option));
        }
        result.add(FieldError.notSupported(field, value, spelled));
    }

    /** Tells whether a value is an option; next to an integer the server drops the fraction of a number. */
    private static boolean isOption(JsonNode value, JsonNode option) {
        if (value.isFloatingPointNumber() && option.isIntegralNumber()) {
            return (long) value.doubleValue() == option.longValue();
        }
        return Trees.equalByValue(option, value) && !value.isNull();
    }

    private static void checkList(
            JsonNode list, SchemaNode schema, String path, @Nullable Correlation before, SchemaResult result) {
        if (schema.items != null) {
            for (int i = 0; i < list.size(); i++) {
                Correlation pair = before == null ? null : before.item(i);
                result.merge(validate(list.get(i), schema.items, path + "[" + i + "]", pair));
            }
        }
        String field = fieldOf(path);
        JsonNode min = schema.number("minItems");
        if (min != null && list.size() < min.longValue()) {
            String message = path + " in body should have at least " + min.longValue() + " items";
            result.add(new FieldError(field, "FieldValueInvalid", "Invalid value: " + list.size() + ": " + message));
        }
        JsonNode max = schema.number("maxItems");
        if (max != null && list.size() > max.longValue()) {
            result.add(FieldError.tooMany(field, list.size(), max.longValue()));
        }
        if (schema.json.path("uniqueItems").asBoolean() && ListChecks.hasDuplicates(list)) {
            result.add(FieldError.invalid(field, "", path + " in body shouldn't contain duplicates"));
        }
    }

    private static void checkObject(
            JsonNode object, SchemaNode schema, String path, @Nullable Correlation before, SchemaResult result) {
        checkSize(object, schema, path, result);
        for (Map.Entry<String, JsonNode> entry : object.properties()) {
            String name = entry.getKey();
            SchemaNode declared = schema.properties.get(name);
            if (declared != null) {
                String child = path.isEmpty() ? name : path + "." + name;
                result.merge(validate(entry.getValue(), declared, child, pair(before, path, name)));
            } else if (schema.additionalProperties != null) {
                String child = path + "." + name;
                result.merge(validate(entry.getValue(), schema.additionalProperties, child, pair(before, path, name)));
            } else if (schema.forbidsOtherFields()) {
                String message = path + "." + name + " in body is a forbidden property";
                result.add(message, FieldError.invalid(fieldOf(path), name, message));
            }
        }
        for (String name : schema.required) {
            if (!object.has(name)) {
                result.add(FieldError.required(fieldOf(path + "." + name), ""));
            }
        }
    }

    private static @Nullable Correlation pair(@Nullable Correlation before, String path, String name) {
        boolean isVersionOrKind = path.isEmpty() && (name.equals("kind") || name.equals("apiVersion"));
        return before == null || isVersionOrKind ? null : before.field(name);
    }

    private static void checkSize(JsonNode object, SchemaNode schema, String path, SchemaResult result) {
        String field = fieldOf(path);
        JsonNode min = schema.number("minProperties");
        if (min != null && object.size() < min.longValue()) {
            String message = path + " in body should have at least " + min.longValue() + " properties";
            result.add(new FieldError(field, "FieldValueInvalid", "Invalid value: " + object.size() + ": " + message));
        }
        JsonNode max = schema.number("maxProperties");
        if (max != null && object.size() > max.longValue()) {
            result.add(FieldError.tooMany(field, object.size(), max.longValue()));
        }
    }
}
