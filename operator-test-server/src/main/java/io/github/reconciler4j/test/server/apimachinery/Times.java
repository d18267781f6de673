package io.github.reconciler4j.test.server.apimachinery;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Times as objects carry them.
 *
 * @since 0.1.0
 */
public final class Times {
    private Times() {}

    /** Whole seconds, UTC, such as {@code 2026-01-31T12:00:00Z}. */
    public static String text(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
