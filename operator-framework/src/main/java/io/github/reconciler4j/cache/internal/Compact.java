package io.github.reconciler4j.cache.internal;

/** Texts of fixed form as numbers. What does not have the form is told by the answer -1
 * and kept as text. */
final class Compact {

    /** What {@link #time(String)} says of texts it does not take. */
    static final int NO_TIME = -1;

    private static final int FIRST_YEAR = 2000;
    private static final int TIME_LENGTH = "2000-01-01T00:00:00Z".length();
    /** Where year, month, day, hour, minute and second begin. */
    private static final int[] TIME_STARTS = {0, 5, 8, 11, 14, 17};

    private static final int[] TIME_BITS = {6, 4, 5, 5, 6, 6};
    private static final String TIME_ENDS = "--T::Z";
    private static final int UUID_LENGTH = 36;
    private static final int MOST_DIGITS = 18;

    private Compact() {}

    /**
     * A time in whole seconds such as {@code 2026-11-21T08:00:00Z} as one number, {@link #NO_TIME} for other texts and for
     * years before 2000 or after 2063.
     */
    static int time(String text) {
        if (text.length() != TIME_LENGTH) {
            return NO_TIME;
        }
        int packed = 0;
        for (int i = 0; i < TIME_STARTS.length; i++) {
            int start = TIME_STARTS[i];
            int end = i + 1 < TIME_STARTS.length ? TIME_STARTS[i + 1] - 1 : TIME_LENGTH - 1;
            int value = digits(text, start, end) - (i == 0 ? FIRST_YEAR : 0);
            if (value < 0 || value >>> TIME_BITS[i] != 0 || text.charAt(end) != TIME_ENDS.charAt(i)) {
                return NO_TIME;
            }
            packed = packed << TIME_BITS[i] | value;
        }
        return packed;
    }

    /** The number of some digits, negative if there is something else. */
    private static int digits(String text, int start, int end) {
        int number = 0;
        for (int i = start; i < end; i++) {
            char digit = text.charAt(i);
            if (digit < '0' || digit > '9') {
                return -1;
            }
            number = number * 10 + digit - '0';
        }
        return number;
    }

    /** The inverse of {@link #time(String)}. */
    static String time(int packed) {
        char[] text = new char[TIME_LENGTH];
        int rest = packed;
        for (int i = TIME_STARTS.length - 1; i >= 0; i--) {
            int value = (rest & (1 << TIME_BITS[i]) - 1) + (i == 0 ? FIRST_YEAR : 0);
            rest >>>= TIME_BITS[i];
            int end = i + 1 < TIME_STARTS.length ? TIME_STARTS[i + 1] - 1 : TIME_LENGTH - 1;
            text[end] = TIME_ENDS.charAt(i);
            for (int at = end - 1; at >= TIME_STARTS[i]; at--) {
                text[at] = (char) ('0' + value % 10);
                value /= 10;
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
