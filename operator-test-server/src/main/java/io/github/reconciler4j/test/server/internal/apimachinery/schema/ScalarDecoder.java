package io.github.reconciler4j.test.server.internal.apimachinery.schema;

import static java.time.format.DateTimeFormatter.ISO_INSTANT;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.github.reconciler4j.test.server.internal.apimachinery.JsonValues;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.regex.Pattern;

/** Decodes scalars of built-in kinds. Stateless; safe for use by multiple threads. */
final class ScalarDecoder {
    /** The form of nearly all times, which the server itself wrote. */
    private static final Pattern PLAIN_TIME =
            Pattern.compile("[12]\\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\\d|2[0-8])T(?:[01]\\d|2[0-3])(?::[0-5]\\d){2}Z");

    private static final Pattern MICRO_TIME = Pattern.compile(".*\\.\\d{6}(Z|[+-][0-9:]+)");
    private static final DateTimeFormatter MICROS = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'");

    private ScalarDecoder() {}

    /**
     * Return the value as the server writes it.
     *
     * @throws StatusException 400 if the value does not fit the type
     */
    static JsonNode decode(JsonNode value, BuiltInField type, String path) {
        return switch (type.form()) {
            case STRING -> require(value.isTextual(), value, type, path);
            case BOOLEAN -> require(value.isBoolean(), value, type, path);
            case NUMBER -> require(value.isNumber(), value, type, path);
            case INTEGER -> integer(value, type, path);
            case INT_OR_STRING -> value.isTextual() ? value : integer(value, type, path);
            case BYTES -> bytes(value, type, path);
            case TIME, MICRO_TIME -> time(value, type, path);
            case QUANTITY ->
                TextNode.valueOf(Quantities.canonical(value.isValueNode() ? value.asText() : "")
                        .orElseThrow(() -> mismatch(value, type, path)));
            default -> value;
        };
    }

    private static JsonNode require(boolean fits, JsonNode value, BuiltInField type, String path) {
        if (!fits) {
            throw mismatch(value, type, path);
        }
        return value;
    }

    static StatusException mismatch(JsonNode value, BuiltInField type, String path) {
        return StatusException.badRequest("cannot decode " + JsonValues.jsonType(value) + " into field " + path
                + " of type " + type.form().name().toLowerCase(java.util.Locale.ROOT));
    }

    private static JsonNode integer(JsonNode value, BuiltInField type, String path) {
        if (value.isFloatingPointNumber()) {
            require(value.decimalValue().stripTrailingZeros().scale() <= 0, value, type, path);
            return LongNode.valueOf(value.longValue());
        }
        boolean isShort = type.format().equals("int32") || type.form() == BuiltInField.Form.INT_OR_STRING;
        boolean fits = value.isIntegralNumber() && (isShort ? value.canConvertToInt() : value.canConvertToLong());
        return require(fits, value, type, path);
    }

    private static JsonNode bytes(JsonNode value, BuiltInField type, String path) {
        require(value.isTextual(), value, type, path);
        try {
            Base64.getDecoder().decode(value.textValue().replaceAll("[\r\n]", ""));
            return value;
        } catch (IllegalArgumentException e) {
            throw mismatch(value, type, path);
        }
    }

    private static JsonNode time(JsonNode value, BuiltInField type, String path) {
        require(value.isTextual(), value, type, path);
        String text = value.textValue();
        boolean isMicro = type.form() == BuiltInField.Form.MICRO_TIME;
        if (!isMicro && PLAIN_TIME.matcher(text).matches()) {
            return value;
        }
        require(!isMicro || MICRO_TIME.matcher(text).matches(), value, type, path);
        try {
            OffsetDateTime time = OffsetDateTime.parse(text).withOffsetSameInstant(ZoneOffset.UTC);
            return TextNode.valueOf(
                    isMicro
                            ? MICROS.format(time)
                            : time.truncatedTo(ChronoUnit.SECONDS).format(ISO_INSTANT));
        } catch (DateTimeException e) {
            throw mismatch(value, type, path);
        }
    }
}
