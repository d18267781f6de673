package io.github.reconciler4j.cache.internal;

/** Texts of fixed form as numbers. What does not have the form is told by a negative answer and kept as text. */
final class Compact {

    private static final String TIME_FORM = "dddd-dd-ddTdd:dd:ddZ";
    private static final int UUID_LENGTH = 36;
    private static final int MOST_DIGITS = 18;

    private Compact() {}

    /** The digits of a time in whole seconds such as {@code 2026-11-21T08:00:00Z} as one number, -1 for other texts. */
    static long time(String text) {
        if (text.length() != TIME_FORM.length()) {
            return -1;
        }
        long digits = 0;
        for (int i = 0; i < text.length(); i++) {
            char wanted = TIME_FORM.charAt(i);
            char given = text.charAt(i);
            if (wanted != 'd') {
                if (given != wanted) {
                    return -1;
                }
            } else if (given >= '0' && given <= '9') {
                digits = digits * 10 + given - '0';
            } else {
                return -1;
            }
        }
        return digits;
    }

    /** The inverse of {@link #time(String)}. */
    static String time(long digits) {
        char[] text = TIME_FORM.toCharArray();
        long rest = digits;
        for (int i = text.length - 1; i >= 0; i--) {
            if (text[i] == 'd') {
                text[i] = (char) ('0' + rest % 10);
                rest /= 10;
            }
        }
        return new String(text);
    }

    /** A number without sign and leading zeros, at most 18 digits; -1 for other texts. */
    static long number(String text) {
        int length = text.length();
        if (length == 0 || length > MOST_DIGITS || length > 1 && text.charAt(0) == '0') {
            return -1;
        }
        long number = 0;
        for (int i = 0; i < length; i++) {
            char digit = text.charAt(i);
            if (digit < '0' || digit > '9') {
                return -1;
            }
            number = number * 10 + digit - '0';
        }
        return number;
    }

    /** Whether the text is a UUID in lower case, as the API server makes them. */
    static boolean isUuid(String text) {
        if (text.length() != UUID_LENGTH) {
            return false;
        }
        for (int i = 0; i < UUID_LENGTH; i++) {
            boolean dash = i == 8 || i == 13 || i == 18 || i == 23;
            if (dash ? text.charAt(i) != '-' : digit(text.charAt(i)) < 0) {
                return false;
            }
        }
        return true;
    }

    /** The first (0) or second (1) half of a UUID. */
    static long uuidHalf(String text, int half) {
        long bits = 0;
        int end = half == 0 ? 18 : UUID_LENGTH;
        for (int i = half == 0 ? 0 : 19; i < end; i++) {
            if (text.charAt(i) != '-') {
                bits = bits << 4 | digit(text.charAt(i));
            }
        }
        return bits;
    }

    private static int digit(char c) {
        if (c >= '0' && c <= '9') {
            return c - '0';
        }
        return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    }
}
