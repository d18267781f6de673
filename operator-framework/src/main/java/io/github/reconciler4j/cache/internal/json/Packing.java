package io.github.reconciler4j.cache.internal.json;

import static java.time.temporal.ChronoField.HOUR_OF_DAY;
import static java.time.temporal.ChronoField.MINUTE_OF_HOUR;
import static java.time.temporal.ChronoField.SECOND_OF_MINUTE;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Packs texts of the forms that the API server writes into numbers. A caller keeps a text that does not have the form, so that
 * unpacking always returns the same text.
 *
 * @since 0.1.0
 */
public final class Packing {

    /** Stands for a text that is no time. */
    public static final int NO_TIME = -1;

    private static final String TIME_FORM = "0000-00-00T00:00:00Z";
    private static final int MAX_DIGITS = 18;
    private static final int UUID_LENGTH = 36;

    private Packing() {}

    /** Return a time such as {@code 2026-11-21T08:00:00Z} from 1970 to 2105 as a number, otherwise {@link #NO_TIME}. */
    public static int time(String text) {
        if (!hasForm(text)) {
            return NO_TIME;
        }
        try {
            long day = LocalDate.of(number(text, 0, 4), number(text, 5, 7), number(text, 8, 10))
                    .toEpochDay();
            int hour = HOUR_OF_DAY.checkValidIntValue(number(text, 11, 13));
            int minute = MINUTE_OF_HOUR.checkValidIntValue(number(text, 14, 16));
            long second =
                    ((day * 24 + hour) * 60 + minute) * 60 + SECOND_OF_MINUTE.checkValidIntValue(number(text, 17, 19));
            return second >= 0 && second < Integer.toUnsignedLong(NO_TIME) ? (int) second : NO_TIME;
        } catch (DateTimeException e) {
            return NO_TIME;
        }
    }

    private static boolean hasForm(String text) {
        boolean fits = text.length() == TIME_FORM.length();
        for (int i = 0; fits && i < text.length(); i++) {
            char form = TIME_FORM.charAt(i);
            fits = form == '0' ? isDigit(text.charAt(i)) : text.charAt(i) == form;
        }
        return fits;
    }

    private static int number(String text, int start, int end) {
        return Integer.parseInt(text, start, end, 10);
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    /** Return the text of a packed time. */
    public static String time(int packed) {
        return Instant.ofEpochSecond(Integer.toUnsignedLong(packed)).toString();
    }

    /** Return a number without sign and leading zeros and with at most 18 digits; -1 for other texts. */
    public static long number(String text) {
        int length = text.length();
        boolean fits = length > 0 && length <= MAX_DIGITS && (length == 1 || text.charAt(0) != '0');
        for (int i = 0; fits && i < length; i++) {
            fits = isDigit(text.charAt(i));
        }
        return fits ? Long.parseLong(text) : -1;
    }

    /** Return a UUID in the form that the API server writes; null for other texts. */
    public static @Nullable UUID uuid(String text) {
        return isUuid(text) ? UUID.fromString(text) : null;
    }

    /** {@code UUID.fromString} accepts texts that are shorter or in upper case, and would not return them. */
    private static boolean isUuid(String text) {
        boolean fits = text.length() == UUID_LENGTH;
        for (int i = 0; fits && i < UUID_LENGTH; i++) {
            char c = text.charAt(i);
            boolean dash = i == 8 || i == 13 || i == 18 || i == 23;
            fits = dash ? c == '-' : isDigit(c) || c >= 'a' && c <= 'f';
        }
        return fits;
    }
}
