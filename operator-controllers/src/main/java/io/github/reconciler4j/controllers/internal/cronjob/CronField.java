package io.github.reconciler4j.controllers.internal.cronjob;

import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * One field of a schedule, for example {@code 0-30/10,45}. Immutable.
 *
 * @param values the values that match
 * @param any whether the field names no value but stands for all of them, as {@code *} and {@code ?} do
 */
record CronField(BitSet values, boolean any) {

    /** Which field it is. */
    enum Unit {
        MINUTE(0, 59, List.of()),
        HOUR(0, 23, List.of()),
        DAY_OF_MONTH(1, 31, List.of()),
        MONTH(1, 12, List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")),
        DAY_OF_WEEK(0, 6, List.of("sun", "mon", "tue", "wed", "thu", "fri", "sat"));

        private final int min;
        private final int max;
        private final List<String> names;

        Unit(int min, int max, List<String> names) {
            this.min = min;
            this.max = max;
            this.names = names;
        }

        int min() {
            return min;
        }

        int max() {
            return max;
        }

        /** Read a number or a name. */
        private int parse(String text) {
            int named = names.indexOf(text.toLowerCase(Locale.ROOT));
            return named >= 0 ? named + min : number(text);
        }
    }

    /**
     * Parse a field: ranges, with commas between them.
     *
     * @throws IllegalArgumentException if it is not valid
     */
    static CronField parse(String text, Unit unit) {
        BitSet values = new BitSet();
        boolean any = false;
        for (String range : Stream.of(text.split(",")).filter(r -> !r.isEmpty()).toList()) {
            any |= addRange(range, unit, values);
        }
        return new CronField(values, any);
    }

    /** Add {@code *}, {@code 5}, {@code 5-10}, each of them with {@code /step}. Return whether it stands for all values. */
    private static boolean addRange(String range, Unit unit, BitSet values) {
        String[] parts = range.split("/", -1);
        String[] limits = parts[0].split("-", -1);
        boolean star = limits[0].equals("*") || limits[0].equals("?");
        check(parts.length <= 2, "too many slashes", range);
        check(star || limits.length <= 2, "too many hyphens", range);
        int step = parts.length == 2 ? number(parts[1]) : 1;
        int start = star ? unit.min : unit.parse(limits[0]);
        int end;
        if (star || (limits.length == 1 && parts.length == 2)) {
            end = unit.max; // with a step, a single number is where the range starts
        } else {
            end = limits.length == 1 ? start : unit.parse(limits[1]);
        }
        check(start >= unit.min, "beginning of range (" + start + ") below minimum (" + unit.min + ")", range);
        check(end <= unit.max, "end of range (" + end + ") above maximum (" + unit.max + ")", range);
        check(start <= end, "beginning of range (" + start + ") beyond end of range (" + end + ")", range);
        check(step > 0, "step of range should be a positive number", range);
        for (long i = start; i <= end; i += step) {
            values.set((int) i);
        }
        return star && step == 1;
    }

    private static int number(String text) {
        if (!text.matches("[+-]?[0-9]+")) {
            throw new IllegalArgumentException("failed to parse int from " + text);
        }
        try {
            int number = Integer.parseInt(text);
            check(number >= 0, "negative number (" + number + ") not allowed", text);
            return number;
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("failed to parse int from " + text, e);
        }
    }

    private static void check(boolean valid, String message, String text) {
        if (!valid) {
            throw new IllegalArgumentException(message + ": " + text);
        }
    }

    boolean matches(int value) {
        return values.get(value);
    }

    boolean isEmpty() {
        return values.isEmpty();
    }
}
