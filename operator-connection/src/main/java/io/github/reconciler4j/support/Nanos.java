package io.github.reconciler4j.support;

import java.time.Duration;
import java.util.Locale;

/**
 * Converts durations to nanoseconds that can be added to a monotonic time without overflow.
 *
 * @since 0.1.0
 */
public final class Nanos {

    /** The longest interval, about 146 years. */
    public static final long MAX = Long.MAX_VALUE / 2;

    private static final long PER_SECOND = 1_000_000_000L;

    private Nanos() {}

    /** Return the length of a duration in nanoseconds: 0 if it is negative, at most {@link #MAX}. */
    public static long of(Duration duration) {
        if (duration.isNegative()) {
            return 0;
        }
        return duration.getSeconds() >= MAX / PER_SECOND ? MAX : duration.toNanos();
    }

    /** Return a duration that can be converted to any unit and added to a time: zero to {@link #MAX} nanoseconds. */
    public static Duration bounded(Duration duration) {
        return Duration.ofNanos(of(duration));
    }

    /** Format a duration as {@code 0.5 s} or {@code 12 s}. */
    public static String seconds(Duration duration) {
        double seconds = of(duration) / 1e9;
        boolean whole = seconds >= 10 || seconds == Math.rint(seconds);
        return String.format(Locale.ROOT, whole ? "%.0f s" : "%.1f s", seconds);
    }

    /** Return the sum of two durations, which are bounded first; see {@link #bounded}. */
    public static Duration sum(Duration first, Duration second) {
        return bounded(bounded(first).plus(bounded(second)));
    }
}
