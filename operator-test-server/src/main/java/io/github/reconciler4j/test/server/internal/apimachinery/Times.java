package io.github.reconciler4j.test.server.internal.apimachinery;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Times as objects carry them. */
public final class Times {
    private Times() {}

    public static String text(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
