package io.github.reconciler4j.test.server.internal.apimachinery.cel.library;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldError;
import io.github.reconciler4j.test.server.internal.apimachinery.Names;
import io.github.reconciler4j.test.server.internal.apimachinery.schema.Formats;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** Regular expressions, formatted texts and named formats. */
final class TextFunctions {

    /** A named format. A check returns the problems of a text. */
    record Format(Function<String, List<String>> check) {}

    private static final Map<String, Format> FORMATS = Map.ofEntries(
            Map.entry("dns1123Label", new Format(Names::dnsLabel)),
            Map.entry("dns1123Subdomain", new Format(Names::dnsSubdomain)),
            Map.entry("dns1035Label", new Format(Names::dns1035Label)),
            Map.entry("qualifiedName", new Format(Names::labelKey)),
            Map.entry("dns1123LabelPrefix", new Format(text -> Names.dnsLabel(Names.maskedPrefix(text)))),
            Map.entry("dns1123SubdomainPrefix", new Format(text -> Names.dnsSubdomain(Names.maskedPrefix(text)))),
            Map.entry("dns1035LabelPrefix", new Format(text -> Names.dns1035Label(Names.maskedPrefix(text)))),
            Map.entry("labelValue", new Format(Names::labelValue)),
            Map.entry("uri", new Format(text -> UrlFunctions.isUrl(text) ? List.of() : List.of("invalid URL"))),
            Map.entry("uuid", known("uuid", "does not match the UUID format")),
            Map.entry("byte", known("byte", "invalid base64")),
            Map.entry("date", known("date", "invalid date")),
            Map.entry("datetime", known("datetime", "invalid datetime")));

    private TextFunctions() {}

    private static Format known(String format, String problem) {
        return new Format(text -> Formats.matches(format, text) ? List.of() : List.of(problem));
    }

    @SuppressWarnings("Immutable") // formats only read their texts
    static void addTo(KubernetesFunctions functions) {
        functions.global(
                "jsonpatch.escapeKey",
                "string -> string",
                args -> ((String) args[0]).replace("~", "~0").replace("/", "~1"));
        functions.member("find", "string, string -> string", args -> {
            Matcher matcher = matcher(args);
            return matcher.find() ? matcher.group() : "";
        });
        functions.member("findAll", "string, string -> list(string)", args -> findAll(args, -1));
        functions.member("findAll", "string, string, int -> list(string)", args -> findAll(args, (Long) args[2]));
        functions.member(
                "format",
                "string, list(dyn) -> string",
                args -> TextFormat.format((String) args[0], (List<?>) args[1]));
        FORMATS.forEach((name, format) -> functions.global("format." + name, " -> format", args -> format));
        functions.global(
                "format.named",
                "string -> optional(format)",
                args -> Optional.ofNullable(FORMATS.get((String) args[0])));
        functions.member("validate", "format, string -> optional(list(string))", args -> {
            List<String> problems = ((Format) args[0]).check().apply((String) args[1]);
            return problems.isEmpty() ? Optional.empty() : Optional.of(problems);
        });
    }

    private static Matcher matcher(Object[] args) {
        try {
            return Pattern.compile((String) args[1]).matcher((String) args[0]);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException("Illegal regex: " + e.getMessage(), e);
        }
    }

    private static List<String> findAll(Object[] args, long limit) {
        Matcher matcher = matcher(args);
        List<String> found = new ArrayList<>();
        while ((limit < 0 || found.size() < limit) && matcher.find()) {
            found.add(matcher.group());
        }
        return found;
    }

    /** Formats a text by the clauses {@code %s %d %f %x}. The rare clauses {@code %b %e %o} are not supported. Stateless. */
    private static final class TextFormat {
        private static final Pattern CLAUSE = Pattern.compile("%(?:\\.([0-9]+))?(.?)");
        private static final int DEFAULT_PRECISION = 6;
        private static final double NANOS = 1e9;

        private TextFormat() {}

        static String format(String pattern, List<?> values) {
            Matcher clauses = CLAUSE.matcher(pattern);
            StringBuilder text = new StringBuilder();
            int used = 0;
            int end = 0;
            while (clauses.find()) {
                text.append(pattern, end, clauses.start());
                end = clauses.end();
                if (clauses.group(2).equals("%")) {
                    text.append('%');
                } else if (used == values.size()) {
                    throw new IllegalArgumentException("index " + used + " out of range");
                } else {
                    int precision = clauses.group(1) == null ? DEFAULT_PRECISION : Integer.parseInt(clauses.group(1));
                    text.append(clause(clauses.group(2), precision, values.get(used++)));
                }
            }
            return text.append(pattern.substring(end)).toString();
        }

        private static String clause(String clause, int precision, Object value) {
            if (clause.equals("s") || clause.equals("d") && !(value instanceof Double)) {
                return spelled(value);
            }
            if (clause.equals("f") && value instanceof Number number) {
                return String.format(Locale.ROOT, "%,." + precision + "f", number.doubleValue());
            }
            if (clause.equals("x") && value instanceof Long number) {
                return Long.toHexString(number);
            }
            if (clause.equals("x") && value instanceof String text) {
                return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
            }
            throw new IllegalArgumentException("the formatting clause \"" + clause + "\" is not supported for a "
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
                return "["
                        + String.join(
                                ", ", list.stream().map(TextFormat::inside).toList()) + "]";
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
                    : new BigDecimal(Double.toString(number))
                            .stripTrailingZeros()
                            .toPlainString();
        }
    }
}
