package io.github.reconciler4j.cache.internal.storage;

import java.util.OptionalInt;

/**
 * The order of resource versions: numbers of any length.
 *
 * @since 0.1.0
 */
public final class ResourceVersions {

    private ResourceVersions() {}

    /** Compare two versions as numbers; empty if one of them is no number. */
    public static OptionalInt compare(String left, String right) {
        if (!isNumber(left) || !isNumber(right)) {
            return OptionalInt.empty();
        }
        int byLength = Integer.compare(left.length(), right.length());
        return OptionalInt.of(byLength != 0 ? byLength : Integer.signum(left.compareTo(right)));
    }

    /** Return whether a version is a number, so that it can be compared. */
    public static boolean isNumber(String text) {
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

    /** Return whether the first is a number that is not above the second; false if they cannot be compared. */
    public static boolean isNotAfter(String left, String right) {
        OptionalInt order = compare(left, right);
        return order.isPresent() && order.getAsInt() <= 0;
    }

    /** Return whether the first is a number below the second; false if they cannot be compared. */
    public static boolean isBefore(String left, String right) {
        OptionalInt order = compare(left, right);
        return order.isPresent() && order.getAsInt() < 0;
    }
}
