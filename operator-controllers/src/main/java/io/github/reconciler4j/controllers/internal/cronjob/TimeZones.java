package io.github.reconciler4j.controllers.internal.cronjob;

import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;

/** Finds time zones by the names of the IANA database. */
final class TimeZones {

    /** Names that older versions of Java leave out, because other programs use them for other zones. */
    private static final Map<String, ZoneId> FIXED = Map.of(
            "", ZoneOffset.UTC,
            "EST", ZoneOffset.ofHours(-5),
            "MST", ZoneOffset.ofHours(-7),
            "HST", ZoneOffset.ofHours(-10));

    private TimeZones() {}

    /** Return a time zone; UTC for an empty name. Empty if the database has no such zone. */
    static Optional<ZoneId> find(String name) {
        if (FIXED.containsKey(name)) {
            return Optional.of(FIXED.get(name));
        }
        try {
            return ZoneId.getAvailableZoneIds().contains(name) ? Optional.of(ZoneId.of(name)) : Optional.empty();
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
