package io.github.reconciler4j.test.server.apimachinery.schema;

import static java.time.format.DateTimeFormatter.ISO_INSTANT;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.github.reconciler4j.test.server.apimachinery.FieldError;
import io.github.reconciler4j.test.server.apimachinery.StatusException;
import io.github.reconciler4j.test.server.apimachinery.Trees;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads scalars of built-in kinds as the server's decoder does. Stateless; safe for use by many threads. */
final class GoValues {
    private static final Pattern FRACTION = Pattern.compile("(\\.[0-9]+)?(Z|[+-][0-9:]+)$");
    private static final Pattern PLAIN_TIME =
            Pattern.compile("[12]\\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\\d|2[0-8])T(?:[01]\\d|2[0-3])(?::[0-5]\\d){2}Z");
    private static final int MICRO_DIGITS = 6;
    private static final DateTimeFormatter MICROS = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'");

    private GoValues() {}

    /**
     * Returns the value as the server would spell it.
     *
     * @param place where it is, in the words of errors: {@code DeploymentSpec.spec.replicas}
     * @throws StatusException if it cannot be decoded into the type
     */
    static JsonNode decode(JsonNode value, GoType type, String place) {
        return switch (type.kind()) {
            case STRING -> require(value.isTextual(), value, type, place);
            case BOOLEAN -> require(value.isBoolean(), value, type, place);
            case NUMBER -> require(value.isNumber(), value, type, place);
            case INTEGER -> integer(value, type, place);
            case INT_OR_STRING -> value.isTextual() ? value : integer(value, type, place);
            case BYTES -> bytes(value, type, place);
            case TIME -> time(value, type, place);
            case QUANTITY -> quantity(value);
            default -> value;
        };
    }

    private static JsonNode require(boolean fits, JsonNode value, GoType type, String place) {
        if (!fits) {
            throw mismatch(value, type, place);
        }
        return value;
    }

    static StatusException mismatch(JsonNode value, GoType type, String place) {
        boolean number = value.isNumber() && type.kind() == GoType.Kind.INTEGER;
        String shown = Trees.jsonType(value) + (number ? " " + value.asText() : "");
        return StatusException.badRequest(
                "json: cannot unmarshal " + shown + " into Go struct field " + place + " of type " + type.name());
    }

    private static JsonNode integer(JsonNode value, GoType type, String place) {
        if (value.isFloatingPointNumber()) {
            BigDecimal decimal = value.decimalValue();
            boolean whole = decimal.stripTrailingZeros().scale() <= 0;
            require(whole, value, type, place);
            return LongNode.valueOf(decimal.longValue());
        }
        boolean fits = value.isIntegralNumber()
                && (type.name().equals("int64") ? value.canConvertToLong() : value.canConvertToInt());
        return require(fits, value, type, place);
    }

    private static JsonNode bytes(JsonNode value, GoType type, String place) {
        require(value.isTextual(), value, type, place);
        try {
            java.util.Base64.getDecoder().decode(value.textValue().replaceAll("[\r\n]", ""));
            return value;
        } catch (IllegalArgumentException e) {
            throw StatusException.badRequest("illegal base64 data at input byte " + firstWrong(value.textValue()));
        }
    }

    private static int firstWrong(String text) {
        int at = 0;
        while (at < text.length()
                && (Character.isLetterOrDigit(text.charAt(at)) || "+/".indexOf(text.charAt(at)) >= 0)) {
            at++;
        }
        return at;
    }

    private static JsonNode time(JsonNode value, GoType type, String place) {
        require(value.isTextual(), value, type, place);
        String text = value.textValue();
        boolean micro = type.name().endsWith("MicroTime");
        if (!micro && PLAIN_TIME.matcher(text).matches()) {
            return value; // nearly all times are those that the server itself wrote
        }
        String layout = micro ? "2006-01-02T15:04:05.000000Z07:00" : "2006-01-02T15:04:05Z07:00";
        try {
            OffsetDateTime time = OffsetDateTime.parse(text).withOffsetSameInstant(ZoneOffset.UTC);
            Matcher fraction = FRACTION.matcher(text);
            int digits = fraction.find() && fraction.group(1) != null
                    ? fraction.group(1).length() - 1
                    : 0;
            if (micro && digits != MICRO_DIGITS) {
                throw unparsable(text, layout, text.substring(fraction.start()), ".000000");
            }
            return TextNode.valueOf(
                    micro
                            ? MICROS.format(time)
                            : time.truncatedTo(ChronoUnit.SECONDS).format(ISO_INSTANT));
        } catch (DateTimeException e) {
            throw unparsable(text, layout, text, "2006");
        }
    }

    private static StatusException unparsable(String text, String layout, String rest, String wanted) {
        return StatusException.badRequest("parsing time " + FieldError.quoted(text) + " as \"" + layout
                + "\": cannot parse " + FieldError.quoted(rest) + " as \"" + wanted + "\"");
    }

    private static JsonNode quantity(JsonNode value) {
        String canonical =
                value.isValueNode() ? Quantities.canonical(value.asText()).orElse("") : "";
        if (canonical.isEmpty()) {
            throw StatusException.badRequest(
                    "quantities must match the regular expression" + " '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
        }
        return TextNode.valueOf(canonical);
    }
}
