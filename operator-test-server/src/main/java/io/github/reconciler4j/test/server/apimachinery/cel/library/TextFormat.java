package io.github.reconciler4j.test.server.apimachinery.cel.library;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import io.github.reconciler4j.test.server.apimachinery.FieldError;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Puts values into a text by the clauses in it: {@code %s %d %f %e %b %x %X %o}. */
final class TextFormat {
    private static final int DEFAULT_PRECISION = 6;
    private static final double NANOS = 1e9;
    private static final String RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

    private final String pattern;
    private final List<?> values;
    private int used;
    private int place;

    private TextFormat(String pattern, List<?> values) {
        this.pattern = pattern;
        this.values = values;
    }

    /**
     * Returns the text.
     *
     * @throws IllegalArgumentException if the clauses do not fit the values
     */
    static String format(String pattern, List<?> values) {
        return new TextFormat(pattern, values).text();
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        while (place < pattern.length()) {
            char next = pattern.charAt(place++);
            if (next != '%') {
                text.append(next);
            } else if (place < pattern.length() && pattern.charAt(place) == '%') {
                place++;
                text.append('%');
            } else {
                int precision = precision();
                if (place >= pattern.length()) {
                    throw new IllegalArgumentException("unexpected end of string");
                }
                text.append(clause(pattern.charAt(place++), precision, value()));
            }
        }
        return text.toString();
    }

    private Object value() {
        if (used >= values.size()) {
            throw new IllegalArgumentException("index " + used + " out of range");
        }
        return values.get(used++);
    }

    private int precision() {
        if (place >= pattern.length() || pattern.charAt(place) != '.') {
            return DEFAULT_PRECISION;
        }
        int start = ++place;
        while (place < pattern.length() && Character.isDigit(pattern.charAt(place))) {
            place++;
        }
        return Integer.parseInt(pattern.substring(start, place));
    }

    private static String clause(char clause, int precision, Object value) {
        return switch (clause) {
            case 's' -> spelled(value);
            case 'd' -> value instanceof Double ? wrong("decimal", value) : spelled(value);
            case 'f' -> fixed(precision, value);
            case 'e' -> scientific(precision, value);
            case 'b' ->
                value instanceof Boolean truth ? (truth ? "1" : "0") : Long.toBinaryString(whole("binary", value));
            case 'o' -> Long.toOctalString(whole("octal", value));
            case 'x' -> hex(value);
            case 'X' -> hex(value).toUpperCase(Locale.ROOT);
            default ->
                throw new IllegalArgumentException(
                        "could not parse formatting clause: unrecognized formatting clause \"" + clause + "\"");
        };
    }

    private static String fixed(int precision, Object value) {
        double number = number("fixed-point", value);
        return Double.isFinite(number) ? String.format(Locale.ROOT, "%,." + precision + "f", number) : infinite(number);
    }

    private static String infinite(double number) {
        return Double.isNaN(number) ? "NaN" : number > 0 ? "∞" : "-∞";
    }

    private static String scientific(int precision, Object value) {
        double number = number("scientific", value);
        if (!Double.isFinite(number)) {
            return infinite(number);
        }
        String[] parts =
                String.format(Locale.ROOT, "%." + precision + "e", number).split("e");
        StringBuilder power = new StringBuilder(parts[0]).append("×10");
        parts[1].chars()
                .filter(sign -> sign != '+')
                .forEach(sign -> power.append(sign == '-' ? '⁻' : RAISED.charAt(sign - '0')));
        return power.toString();
    }

    private static String hex(Object value) {
        if (value instanceof String text) {
            return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
        }
        return value instanceof CelByteString bytes
                ? HexFormat.of().formatHex(bytes.toByteArray())
                : Long.toHexString(whole("hex", value));
    }

    private static long whole(String name, Object value) {
        if (value instanceof UnsignedLong number) {
            return number.longValue();
        }
        return value instanceof Long number ? number : Long.parseLong(wrong(name, value));
    }

    private static double number(String name, Object value) {
        return value instanceof Number number ? number.doubleValue() : Double.parseDouble(wrong(name, value));
    }

    private static String wrong(String name, Object value) {
        throw new IllegalArgumentException(
                "error during formatting: " + name + " clause can only be used on numbers, was given "
                        + value.getClass().getSimpleName());
    }

    private static String spelled(Object value) {
        if (value instanceof Double number) {
            return number.isInfinite() ? (number > 0 ? "Infinity" : "-Infinity") : plain(number);
        }
        if (value instanceof Duration time) {
            return plain(time.toNanos() / NANOS) + "s";
        }
        if (value instanceof CelByteString bytes) {
            return bytes.toStringUtf8();
        }
        if (value instanceof List<?> list) {
            return "[" + String.join(", ", list.stream().map(TextFormat::inside).toList()) + "]";
        }
        if (value instanceof Map<?, ?> map) {
            TreeMap<String, String> sorted = new TreeMap<>();
            map.forEach((key, one) -> sorted.put(inside(key), inside(one)));
            List<String> pairs = sorted.entrySet().stream()
                    .map(pair -> pair.getKey() + ":" + pair.getValue())
                    .toList();
            return "{" + String.join(", ", pairs) + "}";
        }
        return value instanceof NullValue ? "null" : String.valueOf(value);
    }

    /** In lists and maps values look as they would in an expression. */
    private static String inside(Object value) {
        if (value instanceof String text) {
            return FieldError.quoted(text);
        }
        if (value instanceof CelByteString bytes) {
            return "b" + FieldError.quoted(bytes.toStringUtf8());
        }
        return value instanceof Double number && Double.isFinite(number)
                ? String.format(Locale.ROOT, "%f", number)
                : spelled(value);
    }

    private static String plain(double number) {
        return Double.isNaN(number)
                ? "NaN"
                : new BigDecimal(Double.toString(number)).stripTrailingZeros().toPlainString();
    }
}
