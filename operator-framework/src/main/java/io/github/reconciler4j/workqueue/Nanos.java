package io.github.reconciler4j.workqueue;

import java.time.Duration;

/** Durations as nanoseconds that can be added to a time without overflow. */
final class Nanos {

    /** About 146 years. */
    static final long MAX = Long.MAX_VALUE / 2;

    private Nanos() {}

    /** The length of a duration: 0 if it is negative, {@link #MAX} if it is longer. */
    static long of(Duration duration) {
        if (duration.isNegative()) {
            return 0;
        }
        return duration.getSeconds() >= MAX / 1_000_000_000L ? MAX : duration.toNanos();
    }
}
