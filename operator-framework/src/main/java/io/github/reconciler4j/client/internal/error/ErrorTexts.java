package io.github.reconciler4j.client.internal.error;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Takes the values of fields out of the server's complaints, for they are the content of objects. */
final class ErrorTexts {

    private static final Pattern VALUE = Pattern.compile("(Invalid|Unsupported|Duplicate) value: |Not found: ");
    private static final int LONGEST = 1000;

    private ErrorTexts() {}

    /** {@code Invalid value: "secret": must be short} becomes {@code Invalid value: must be short}. */
    static String withoutValues(String text) {
        StringBuilder clean = new StringBuilder();
        Matcher value = VALUE.matcher(text);
        int from = 0;
        while (value.find(from)) {
            clean.append(text, from, value.end());
            from = endOfValue(text, value.end());
            if (from + 2 <= text.length() && text.startsWith(": ", from)) {
                from += 2;
            }
        }
        clean.append(text, from, text.length());
        return clean.length() <= LONGEST ? clean.toString() : clean.substring(0, LONGEST) + "...";
    }

    /** Where the value that starts at {@code at} ends: at the next {@code ": "} outside quotes and brackets. */
    private static int endOfValue(String text, int at) {
        int depth = 0;
        int i = at;
        while (i < text.length()) {
            char c = text.charAt(i);
            if (c == '"') {
                i = endOfQuoted(text, i);
                if (depth == 0) {
                    return i;
                }
                continue;
            }
            if (c == '{' || c == '[') {
                depth++;
            } else if (c == '}' || c == ']') {
                depth--;
            } else if (depth <= 0 && (text.startsWith(": ", i) || text.startsWith(", ", i))) {
                return i;
            }
            i++;
        }
        return text.length();
    }

    private static int endOfQuoted(String text, int quote) {
        for (int i = quote + 1; i < text.length(); i++) {
            if (text.charAt(i) == '\\') {
                i++;
            } else if (text.charAt(i) == '"') {
                return i + 1;
            }
        }
        return text.length();
    }
}
