package io.github.reconciler4j.controller.internal;

import java.time.Duration;

/** Durations as nanoseconds. */
final class Nanos {

    private static final Duration LONGEST = Duration.ofDays(36500);

    private Nanos() {}

    /** The nanoseconds of a duration; 100 years for anything longer, so that adding to a time never overflows. */
    static long of(Duration duration) {
        return duration.compareTo(LONGEST) > 0 ? LONGEST.toNanos() : duration.toNanos();
    }
}
