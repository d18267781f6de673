package io.github.reconciler4j.support;

import org.jspecify.annotations.Nullable;

/**
 * Describes values of users in logs, in health and in names: their text in one line and of limited length, whatever their
 * {@code toString} does.
 *
 * @since 0.1.0
 */
public final class Texts {

    /** The length after which a text is cut. */
    public static final int MAX_LENGTH = 250;

    private static final String CUT = "...";

    private Texts() {}

    /**
     * Return the text of a value in one line: cut after {@value #MAX_LENGTH} characters, with escapes for control characters. If
     * {@code toString} throws or returns null, the class and what happened. Never throws.
     */
    public static String of(@Nullable Object value) {
        String text;
        try {
            text = value == null ? "null" : value.toString();
            if (text == null) {
                text = unnamed(value) + " whose toString returns null";
            }
        } catch (Throwable e) {
            text = unnamed(value) + " whose toString throws " + e.getClass().getSimpleName();
        }
        return inOneLine(text);
    }

    private static String unnamed(@Nullable Object value) {
        return value == null
                ? "null"
                : value.getClass().getSimpleName() + "@" + Integer.toHexString(System.identityHashCode(value));
    }

    /** Return a text in one line, cut after {@value #MAX_LENGTH} characters. */
    public static String inOneLine(String text) {
        int end = Math.min(text.length(), MAX_LENGTH);
        if (end < text.length() && Character.isHighSurrogate(text.charAt(end - 1))) {
            end--; // no half of a character
        }
        if (!isOneLine(text, end)) {
            return escaped(text, end);
        }
        return end == text.length() ? text : text.substring(0, end) + CUT;
    }

    /** Return a text of any length in one line, with escapes for control characters. */
    public static String escaped(String text) {
        return isOneLine(text, text.length()) ? text : escaped(text, text.length());
    }

    private static boolean isOneLine(String text, int end) {
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            if ((c < ' ' || c > '~') && isEscaped(c)) {
                return false;
            }
        }
        return true;
    }

    private static String escaped(String text, int end) {
        StringBuilder line = new StringBuilder(end + 16);
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            switch (c) {
                case '\n' -> line.append("\\n");
                case '\r' -> line.append("\\r");
                case '\t' -> line.append("\\t");
                default -> {
                    if (isEscaped(c)) {
                        line.append(String.format("\\u%04x", (int) c));
                    } else {
                        line.append(c);
                    }
                }
            }
        }
        return end == text.length() ? line.toString() : line.append(CUT).toString();
    }

    /** Control characters, and those that a viewer can take for the end of a line or the start of another direction. */
    private static boolean isEscaped(char c) {
        int type = Character.getType(c);
        return type == Character.CONTROL
                || type == Character.FORMAT
                || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR;
    }
}
