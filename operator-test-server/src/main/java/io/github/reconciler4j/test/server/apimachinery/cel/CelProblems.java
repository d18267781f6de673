package io.github.reconciler4j.test.server.apimachinery.cel;

import dev.cel.runtime.CelEvaluationException;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the server says of expressions that cannot be evaluated. Stateless. */
final class CelProblems {
    private static final Pattern MISSING = Pattern.compile("key '([^']*)' is not present in map");
    private static final Pattern POSITION = Pattern.compile("^evaluation error(?: at [^:]*:\\d+)?: ");

    /** The library's words for what its own functions refuse, and the server's. */
    private static final Map<Pattern, String> WORDS = Map.of(
            Pattern.compile("charAt failure: Index out of range: (-?\\d+)"),
            "index out of range: $1",
            Pattern.compile("substring failure: Range \\[(-?\\d+), (-?\\d+)\\) out of bounds"),
            "invalid substring range. start: $1, end: $2");

    private CelProblems() {}

    static String reason(CelEvaluationException error) {
        String message = POSITION.matcher(String.valueOf(error.getMessage())).replaceFirst("");
        Matcher missing = MISSING.matcher(message);
        if (missing.find()) {
            return "no such key: " + missing.group(1);
        }
        for (Map.Entry<Pattern, String> words : WORDS.entrySet()) {
            Matcher matcher = words.getKey().matcher(message);
            if (matcher.matches()) {
                return matcher.replaceFirst(words.getValue());
            }
        }
        if (message.startsWith("Function '") && message.contains("' failed with arg(s)")) {
            return innermost(error);
        }
        return switch (error.getErrorCode()) {
            case ATTRIBUTE_NOT_FOUND -> "no such key: " + message;
            case DIVIDE_BY_ZERO -> "division by zero";
            case OVERLOAD_NOT_FOUND -> "no such overload";
            case NUMERIC_OVERFLOW -> "integer overflow";
            case INDEX_OUT_OF_BOUNDS -> message.replace("Index out of bounds", "index out of bounds");
            default -> message;
        };
    }

    /** What the function itself said. */
    private static String innermost(Throwable error) {
        Throwable cause = error;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return String.valueOf(cause.getMessage());
    }
}
