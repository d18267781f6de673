package io.github.reconciler4j.test.server.internal.apimachinery.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldError;
import io.github.reconciler4j.test.server.internal.apimachinery.JsonValues;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks values against schemas, in the order of kube-apiserver. An update may keep invalid values that it does not change. Safe for use by multiple threads.
 */
final class SchemaValidator {

    private SchemaValidator() {}

    /**
     * Check a value.
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
            checkType(value, schema, path, field, result);
        }
        result.merge(Combinations.check(value, schema, path, before));
        if (value.isTextual()) {
            checkText(value.textValue(), schema, path, field, result);
        } else if (value.isNumber()) {
            ScalarChecks.number(value, schema, path, field, result);
        } else if (value.isArray()) {
            checkList(value, schema, path, before, result);
        }
        checkEnum(value, schema, field, result);
        if (value.isObject()) {
            checkObject(value, schema, path, before, result);
        }
        return result;
    }

    /** Return the field of an error; unknown at the root. */
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
        return value.isNumber() ? JsonValues.jsonType(value) : "";
    }

    /** Return the name of the type of a value as JSON schema names it. */
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
        if (Formats.isKnown(schema.format)) {
            if (!Formats.matches(schema.format, text)) {
                String message = path + " in body must be of type " + schema.format + ": " + FieldError.quoted(text);
                result.add(FieldError.typeInvalid(field, TextNode.valueOf(text), message));
            }
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
            spelled.add(option.isTextual() ? option.textValue() : JsonValues.canonical(option));
        }
        result.add(FieldError.notSupported(field, value, spelled));
    }

    /** Return whether a value is an option; next to an integer the server drops the fraction of a number. */
    private static boolean isOption(JsonNode value, JsonNode option) {
        if (value.isFloatingPointNumber() && option.isIntegralNumber()) {
            return (long) value.doubleValue() == option.longValue();
        }
        return JsonValues.equalByValue(option, value) && !value.isNull();
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
        for (String name : schema.embeddedResource ? List.of("apiVersion", "kind") : List.<String>of()) {
            String field = fieldOf(path + "." + name);
            if (!object.has(name)) {
                result.add(FieldError.required(field, ""));
            } else if (object.path(name).asText().isEmpty()) {
                result.add(FieldError.invalid(field, object.path(name), "must not be empty"));
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

    /** {@code allOf}, {@code anyOf}, {@code oneOf} and {@code not}. Safe for use by multiple threads. */
    private static final class Combinations {

        private Combinations() {}

        static SchemaResult check(JsonNode value, SchemaNode schema, String path, @Nullable Correlation before) {
            SchemaResult result = new SchemaResult();
            checkAnyOf(value, schema, path, before, result);
            checkOneOf(value, schema, path, before, result);
            checkAllOf(value, schema, path, before, result);
            if (schema.not != null
                    && SchemaValidator.validate(value, schema.not, path, before).isValid()) {
                result.addWithoutField(FieldError.quoted(path) + " must not validate the schema (not)");
            }
            return result;
        }

        private static void checkAnyOf(
                JsonNode value, SchemaNode schema, String path, @Nullable Correlation before, SchemaResult result) {
            SchemaResult closest = null;
            for (SchemaNode option : schema.anyOf) {
                SchemaResult found = SchemaValidator.validate(value, option, path, before);
                if (found.isValid()) {
                    result.merge(found);
                    return;
                }
                closest = closer(closest, found);
            }
            if (closest != null) {
                result.addWithoutField(FieldError.quoted(path) + " must validate at least one schema (anyOf)");
                result.merge(closest);
            }
        }

        private static SchemaResult closer(@Nullable SchemaResult closest, SchemaResult found) {
            return closest == null || found.errors().size() < closest.errors().size() ? found : closest;
        }

        private static void checkOneOf(
                JsonNode value, SchemaNode schema, String path, @Nullable Correlation before, SchemaResult result) {
            if (schema.oneOf.isEmpty()) {
                return;
            }
            SchemaResult closest = null;
            SchemaResult valid = null;
            int count = 0;
            for (SchemaNode option : schema.oneOf) {
                SchemaResult found = SchemaValidator.validate(value, option, path, before);
                if (found.isValid()) {
                    valid = count++ == 0 ? found : valid;
                } else {
                    closest = closer(closest, found);
                }
            }
            if (count == 1 && valid != null) {
                result.merge(valid);
                return;
            }
            String reason = count == 0 ? "Found none valid" : "Found " + count + " valid alternatives";
            result.addWithoutField(
                    FieldError.quoted(path) + " must validate one and only one schema (oneOf). " + reason);
            if (count == 0 && closest != null) {
                result.merge(closest);
            }
        }

        private static void checkAllOf(
                JsonNode value, SchemaNode schema, String path, @Nullable Correlation before, SchemaResult result) {
            int valid = 0;
            for (SchemaNode part : schema.allOf) {
                SchemaResult found = SchemaValidator.validate(value, part, path, before);
                valid += found.isValid() ? 1 : 0;
                result.merge(found);
            }
            if (valid != schema.allOf.size()) {
                String reason = valid == 0 ? ". None validated" : "";
                result.addWithoutField(FieldError.quoted(path) + " must validate all the schemas (allOf)" + reason);
            }
        }
    }
}
