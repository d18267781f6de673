package io.github.reconciler4j.controllers.internal.cronjob;

import io.github.reconciler4j.controllers.internal.cronjob.CronField.Unit;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The times at which a CronJob creates Jobs. Immutable. */
interface CronSchedule {

    /** Return the first time after another one; {@code null} if it does not exist in the next five years. */
    @Nullable
    Instant next(Instant after);

    /** The schedules that have a name. */
    Map<String, String> NAMED = Map.of(
            "@yearly", "0 0 1 1 *",
            "@annually", "0 0 1 1 *",
            "@monthly", "0 0 1 * *",
            "@weekly", "0 0 * * 0",
            "@daily", "0 0 * * *",
            "@midnight", "0 0 * * *",
            "@hourly", "0 * * * *");

    /**
     * Parse a schedule: five fields, a name such as {@code @hourly}, or {@code @every} and a duration. {@code TZ=} or
     * {@code CRON_TZ=} and a time zone may come first.
     *
     * @param zone the time zone if the schedule names none
     * @throws IllegalArgumentException if it is not valid
     */
    static CronSchedule parse(String text, ZoneId zone) {
        if (text.startsWith("TZ=") || text.startsWith("CRON_TZ=")) {
            int space = text.indexOf(' ');
            if (space < 0) {
                throw new IllegalArgumentException("a time zone without a schedule: " + text);
            }
            String name = text.substring(text.indexOf('=') + 1, space);
            ZoneId named = TimeZones.find(name)
                    .orElseThrow(() -> new IllegalArgumentException("provided bad location " + name));
            return parseIn(text.substring(space).strip(), named);
        }
        return parseIn(text, zone);
    }

    private static CronSchedule parseIn(String text, ZoneId zone) {
        if (text.startsWith("@every ")) {
            return new Interval(GoDurations.parse(text.substring("@every ".length())));
        }
        String named = NAMED.get(text);
        if (named == null && text.startsWith("@")) {
            throw new IllegalArgumentException("unrecognized descriptor: " + text);
        }
        List<String> fields = Stream.of((named == null ? text : named).split("(?U)\\s+"))
                .filter(field -> !field.isEmpty())
                .toList();
        if (fields.size() != 5) {
            throw new IllegalArgumentException(
                    text.isEmpty()
                            ? "empty spec string"
                            : "expected exactly 5 fields, found " + fields.size() + ": " + fields);
        }
        return new CalendarSchedule(
                CronField.parse(fields.get(0), Unit.MINUTE),
                CronField.parse(fields.get(1), Unit.HOUR),
                CronField.parse(fields.get(2), Unit.DAY_OF_MONTH),
                CronField.parse(fields.get(3), Unit.MONTH),
                CronField.parse(fields.get(4), Unit.DAY_OF_WEEK),
                zone);
    }

    /**
     * A schedule without a calendar: each time comes the same time after the one before.
     *
     * @param interval at least a second, in whole seconds
     */
    record Interval(Duration interval) implements CronSchedule {

        public Interval {
            Duration whole = interval.truncatedTo(ChronoUnit.SECONDS);
            interval = whole.compareTo(Duration.ofSeconds(1)) < 0 ? Duration.ofSeconds(1) : whole;
        }

        @Override
        public Instant next(Instant after) {
            return after.truncatedTo(ChronoUnit.SECONDS).plus(interval);
        }
    }
}
