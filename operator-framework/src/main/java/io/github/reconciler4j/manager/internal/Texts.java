package io.github.reconciler4j.manager.internal;

import java.time.Duration;
import java.util.Locale;

/** How the manager writes things for people. */
final class Texts {

    private Texts() {}

    /** {@code 0.5 s}, {@code 12 s}. */
    static String seconds(Duration duration) {
        double seconds = duration.toNanos() / 1e9;
        return seconds < 10 && seconds != Math.rint(seconds)
                ? String.format(Locale.ROOT, "%.1f s", seconds)
                : String.format(Locale.ROOT, "%.0f s", seconds);
    }
}
