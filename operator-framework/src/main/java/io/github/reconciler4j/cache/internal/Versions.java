package io.github.reconciler4j.cache.internal;

import java.util.OptionalInt;

/** Order of resource versions: numbers of any length. */
final class Versions {

    private Versions() {}

    /** Compares two versions as numbers; empty if one of them is no number. */
    static OptionalInt compare(String left, String right) {
        if (!isNumber(left) || !isNumber(right)) {
            return OptionalInt.empty();
        }
        int byLength = Integer.compare(left.length(), right.length());
        return OptionalInt.of(byLength != 0 ? byLength : Integer.signum(left.compareTo(right)));
    }

    /** Whether the first is a number that is not above the second; false if it cannot be told. */
    static boolean notAfter(String left, String right) {
        OptionalInt order = compare(left, right);
        return order.isPresent() && order.getAsInt() <= 0;
    }

    /** Whether the first is a number below the second; false if it cannot be told. */
    static boolean isBefore(String left, String right) {
        OptionalInt order = compare(left, right);
        return order.isPresent() && order.getAsInt() < 0;
    }

    private static boolean isNumber(String text) {
        if (text.isEmpty() || text.length() > 1 && text.charAt(0) == '0') {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }
}
