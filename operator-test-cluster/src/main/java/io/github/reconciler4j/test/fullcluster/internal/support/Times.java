package io.github.reconciler4j.test.fullcluster.internal.support;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Reads and writes timestamps as Kubernetes does. Stateless. */
public final class Times {

    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private Times() {}

    /** Write a timestamp to the second. */
    public static String format(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** Write a timestamp to the microsecond. */
    public static String formatMicros(Instant time) {
        return MICROS.format(time);
    }

    /** Read a timestamp, {@code fallback} without one. */
    public static Instant parse(@Nullable String text, Instant fallback) {
        return text == null || text.isEmpty() ? fallback : Instant.parse(text);
    }
}
