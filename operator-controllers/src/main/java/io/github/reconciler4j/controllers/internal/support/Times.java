package io.github.reconciler4j.controllers.internal.support;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes timestamps as Kubernetes does: RFC 3339, to the second.
 *
 * @since 0.1.0
 */
public final class Times {

    private Times() {}

    /** Read a timestamp. {@code null} and an empty text are no time. */
    public static @Nullable Instant parse(@Nullable String text) {
        return text == null || text.isEmpty() ? null : Instant.parse(text);
    }

    /** Write a timestamp, without its fraction of a second. */
    public static String format(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
