package io.github.reconciler4j.test.server.internal.apimachinery.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldError;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Checks of texts and numbers against the keywords of a schema. Safe for use by multiple threads. */
final class ScalarChecks {

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
                String words =
                        exclusive ? " in body should be greater than " : " in body should be greater than or equal to ";
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
            BigDecimal limit = BigDecimal.valueOf(schema.format.equals("int32") ? Integer.MAX_VALUE : Long.MAX_VALUE);
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
