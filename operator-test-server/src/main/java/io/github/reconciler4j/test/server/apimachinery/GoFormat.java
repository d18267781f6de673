package io.github.reconciler4j.test.server.apimachinery;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Values in the spelling of the API server's error messages, which is that of the Go language. Safe for use by many
 * threads.
 *
 * @since 0.1.0
 */
public final class GoFormat {

    private static final int SMALLEST_PLAIN_EXPONENT = -4;
    private static final int SMALLEST_LARGE_EXPONENT = 6;
    private static final int SMALLEST_LARGE_JSON_EXPONENT = 21;
    private static final int SMALLEST_PLAIN_JSON_EXPONENT = -6;

    private GoFormat() {}

    /** Spells a value as {@code %v} does: {@code map[a:1 b:[x y]]}, {@code <nil>}, fields in order of their names. */
    public static String value(JsonNode node) {
        if (node.isObject()) {
            Map<String, String> fields = new TreeMap<>();
            node.properties().forEach(field -> fields.put(field.getKey(), value(field.getValue())));
            List<String> words = new ArrayList<>();
            fields.forEach((name, text) -> words.add(name + ":" + text));
            return "map[" + String.join(" ", words) + "]";
        }
        if (node.isArray()) {
            List<String> words = new ArrayList<>();
            node.forEach(item -> words.add(value(item)));
            return "[" + String.join(" ", words) + "]";
        }
        if (node.isNull()) {
            return "<nil>";
        }
        return node.isFloatingPointNumber() ? number(node.doubleValue()) : node.asText();
    }

    /** Spells a value as {@code %#v} does: {@code map[string]interface {}{"a":1}}, texts in quotes. */
    public static String syntax(JsonNode node) {
        if (node.isObject()) {
            Map<String, String> fields = new TreeMap<>();
            node.properties().forEach(field -> fields.put(field.getKey(), syntax(field.getValue())));
            List<String> members = new ArrayList<>();
            fields.forEach((name, text) -> members.add(quoted(name) + ":" + text));
            return "map[string]interface {}{" + String.join(", ", members) + "}";
        }
        if (node.isArray()) {
            List<String> items = new ArrayList<>();
            node.forEach(item -> items.add(syntax(item)));
            return "[]interface {}{" + String.join(", ", items) + "}";
        }
        if (node.isTextual()) {
            return quoted(node.textValue());
        }
        return node.isNull() ? "interface {}(nil)" : value(node);
    }

    /** Spells a value as the server's JSON encoder does: no spaces, fields in order of their names. */
    public static String json(JsonNode node) {
        if (node.isObject()) {
            Map<String, String> fields = new TreeMap<>();
            node.properties().forEach(field -> fields.put(field.getKey(), json(field.getValue())));
            List<String> members = new ArrayList<>();
            fields.forEach((name, text) -> members.add(jsonText(name) + ":" + text));
            return "{" + String.join(",", members) + "}";
        }
        if (node.isArray()) {
            List<String> items = new ArrayList<>();
            node.forEach(item -> items.add(json(item)));
            return "[" + String.join(",", items) + "]";
        }
        if (node.isTextual()) {
            return jsonText(node.textValue());
        }
        return node.isFloatingPointNumber() ? jsonNumber(node.doubleValue()) : node.asText();
    }

    private static String jsonText(String text) {
        return TextNode.valueOf(text)
                .toString()
                .replace("<", "\\u003c")
                .replace(">", "\\u003e")
                .replace("&", "\\u0026");
    }

    /** Names the Go type that the server uses for a value: {@code map[string]interface {}}, {@code int64}, ... */
    public static String type(JsonNode node) {
        return switch (node.getNodeType()) {
            case OBJECT -> "map[string]interface {}";
            case ARRAY -> "[]interface {}";
            case NUMBER -> node.isIntegralNumber() ? "int64" : "float64";
            case BOOLEAN -> "bool";
            case NULL, MISSING -> "<nil>";
            default -> "string";
        };
    }

    /** Spells a number with a fraction part as {@code %v} does: {@code 0.5}, {@code 1e+06}. */
    public static String number(double number) {
        return number(number, SMALLEST_PLAIN_EXPONENT, SMALLEST_LARGE_EXPONENT);
    }

    /** Spells a number with a fraction part as the server's JSON encoder does: {@code 0.5}, {@code 1e+21}. */
    public static String jsonNumber(double number) {
        return number(number, SMALLEST_PLAIN_JSON_EXPONENT, SMALLEST_LARGE_JSON_EXPONENT);
    }

    private static String number(double number, int smallestPlain, int smallestLarge) {
        if (number == 0 || Double.isNaN(number) || Double.isInfinite(number)) {
            return number == 0 ? (1 / number < 0 ? "-0" : "0") : String.valueOf(number);
        }
        BigDecimal decimal = new BigDecimal(Double.toString(number)).stripTrailingZeros();
        int exponent = decimal.precision() - decimal.scale() - 1;
        if (exponent >= smallestPlain && exponent < smallestLarge) {
            return decimal.toPlainString();
        }
        String digits = decimal.unscaledValue().abs().toString();
        String mantissa = digits.length() == 1 ? digits : digits.charAt(0) + "." + digits.substring(1);
        String sign = exponent < 0 ? "-" : "+";
        return (number < 0 ? "-" : "") + mantissa + "e" + sign + "%02d".formatted(Math.abs(exponent));
    }

    /** Puts a text in double quotes as {@code %q} does. */
    public static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.codePoints().forEach(point -> appendQuoted(quoted, point));
        return quoted.append('"').toString();
    }

    private static void appendQuoted(StringBuilder quoted, int point) {
        switch (point) {
            case '"' -> quoted.append("\\\"");
            case '\\' -> quoted.append("\\\\");
            case '\n' -> quoted.append("\\n");
            case '\t' -> quoted.append("\\t");
            case '\r' -> quoted.append("\\r");
            case '\f' -> quoted.append("\\f");
            case '\b' -> quoted.append("\\b");
            case 0x07 -> quoted.append("\\a");
            case 0x0b -> quoted.append("\\v");
            default -> {
                if (point < ' ' || point == 0x7f) {
                    quoted.append("\\x%02x".formatted(point));
                } else {
                    quoted.appendCodePoint(point);
                }
            }
        }
    }
}
