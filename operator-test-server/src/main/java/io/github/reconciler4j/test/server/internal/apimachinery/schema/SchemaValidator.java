package io.github.reconciler4j.test.server.internal.apimachinery.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldError;
import io.github.reconciler4j.test.server.internal.apimachinery.JsonValues;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
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

    /** Checks of texts and numbers against the keywords of a schema. Safe for use by multiple threads. */
    private static final class ScalarChecks {

        private static final Map<String, Optional<Pattern>> PATTERNS = new ConcurrentHashMap<>();

        private static final double MAX_JSON_INTEGER = (1L << 53) - 1;
        private static final double EPSILON = 1e-9;

        private ScalarChecks() {}

        /** Return the first thing that is wrong with a text, or null. */
        static @Nullable FieldError text(String text, SchemaNode schema, String path, String field) {
            int length = text.codePointCount(0, text.length());
            JsonNode max = schema.number("maxLength");
            if (max != null && length > max.longValue()) {
                return FieldError.tooLong(field, max.intValue());
            }
            JsonNode min = schema.number("minLength");
            if (min != null && length < min.longValue()) {
                return FieldError.invalid(
                        field, text, path + " in body should be at least " + min.longValue() + " chars long");
            }
            String pattern = schema.json.path("pattern").asText();
            if (!pattern.isEmpty() && !find(pattern, text)) {
                return FieldError.invalid(field, text, path + " in body should match '" + pattern + "'");
            }
            return null;
        }

        /** Return whether a text has a match for a pattern in Go's syntax; nothing matches a pattern that cannot be read. */
        static boolean find(String pattern, String text) {
            return PATTERNS.computeIfAbsent(pattern, ScalarChecks::compile)
                    .map(compiled -> compiled.matcher(text).find())
                    .orElse(false);
        }

        private static Optional<Pattern> compile(String pattern) {
            try {
                return Optional.of(Pattern.compile(pattern));
            } catch (PatternSyntaxException e) {
                return Optional.empty();
            }
        }

        static void number(JsonNode value, SchemaNode schema, String path, String field, SchemaResult result) {
            checkRange(value, "Checked", schema, path, result);
            checkMultiple(value, schema, path, field, result);
            JsonNode min = schema.number("minimum");
            if (min != null) {
                boolean exclusive = schema.json.path("exclusiveMinimum").asBoolean();
                checkRange(min, "Minimum boundary", schema, path, result);
                int order = compare(value, min);
                if (exclusive ? order <= 0 : order < 0) {
                    String words = exclusive
                            ? " in body should be greater than "
                            : " in body should be greater than or equal to ";
                    result.add(path + words, FieldError.invalid(field, value, path + words + spelled(min, value)));
                }
            }
            JsonNode max = schema.number("maximum");
            if (max != null) {
                boolean exclusive = schema.json.path("exclusiveMaximum").asBoolean();
                checkRange(max, "Maximum boundary", schema, path, result);
                int order = compare(value, max);
                if (exclusive ? order >= 0 : order > 0) {
                    String words =
                            exclusive ? " in body should be less than " : " in body should be less than or equal to ";
                    result.add(path + words, FieldError.invalid(field, value, path + words + spelled(max, value)));
                }
            }
        }

        private static int compare(JsonNode value, JsonNode limit) {
            return value.isIntegralNumber()
                    ? Long.compare(value.longValue(), limit.decimalValue().longValue())
                    : Double.compare(value.doubleValue(), limit.doubleValue());
        }

        /** Return the text of a limit: without its fraction for integers, as the server compares them. */
        private static String spelled(JsonNode limit, JsonNode value) {
            return value.isIntegralNumber()
                    ? String.valueOf(limit.decimalValue().longValue())
                    : String.valueOf(limit.doubleValue());
        }

        private static void checkMultiple(
                JsonNode value, SchemaNode schema, String path, String field, SchemaResult result) {
            JsonNode factor = schema.number("multipleOf");
            if (factor == null) {
                return;
            }
            boolean inRange = checkRange(factor, "MultipleOf", schema, path, result);
            boolean asInteger = value.isIntegralNumber() && inRange;
            boolean isMultiple;
            if (asInteger) {
                long step = factor.decimalValue().longValue();
                if (step <= 0) {
                    String message = "factor MultipleOf declared for " + path + " must be positive: " + step;
                    result.add(FieldError.invalid(field, LongNode.valueOf(step), message));
                    return;
                }
                isMultiple = value.longValue() % step == 0;
            } else {
                double step = factor.doubleValue();
                double times = step < 1 ? 1 / step * value.doubleValue() : value.doubleValue() / step;
                isMultiple = isInteger(times);
            }
            if (!isMultiple) {
                String limit = asInteger ? spelled(factor, value) : String.valueOf(factor.doubleValue());
                result.add(FieldError.invalid(field, value, path + " in body should be a multiple of " + limit));
            }
        }

        /** Return whether the server takes a number with a fraction part for an integer. */
        static boolean isInteger(double number) {
            if (Double.isNaN(number) || Math.abs(number) > MAX_JSON_INTEGER) {
                return false;
            }
            double whole = number < 0 ? Math.ceil(number) : Math.floor(number);
            double diff = Math.abs(number - whole);
            return diff == 0 || (whole != 0 && diff / (Math.abs(number) + Math.abs(whole)) < EPSILON);
        }

        /** Check that a number fits the declared type; the error has no field, as on the server. */
        private static boolean checkRange(
                JsonNode value, String prefix, SchemaNode schema, String path, SchemaResult result) {
            String type = schema.types.size() == 1 ? schema.types.get(0) : "";
            boolean fits = true;
            if (type.equals("integer")) {
                BigDecimal decimal = value.decimalValue();
                BigDecimal limit =
                        BigDecimal.valueOf(schema.format.equals("int32") ? Integer.MAX_VALUE : Long.MAX_VALUE);
                fits = decimal.stripTrailingZeros().scale() <= 0
                        && decimal.compareTo(limit) <= 0
                        && decimal.compareTo(limit.negate().subtract(BigDecimal.ONE)) >= 0;
            } else if (type.equals("number") && schema.format.equals("float")) {
                fits = Math.abs(value.doubleValue()) <= Float.MAX_VALUE;
            }
            if (!fits) {
                String format = schema.format.isEmpty() ? " (default format)" : " with format " + schema.format;
                result.addWithoutField(prefix + " value must be of type " + type + format + " in " + path);
            }
            return fits;
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
