package io.github.reconciler4j.controllers.internal.cronjob;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A schedule of five fields in a time zone.
 *
 * <p>If clocks are set forward, times that do not exist are left out. If they are set back, times that exist twice count twice
 * when the hour is {@code *}, and else once.
 */
record CalendarSchedule(
        CronField minutes, CronField hours, CronField days, CronField months, CronField weekdays, ZoneId zone)
        implements CronSchedule {

    private static final int YEARS = 5;

    @Override
    public @Nullable Instant next(Instant after) {
        if (Stream.of(minutes, hours, months).anyMatch(CronField::isEmpty)) {
            return null;
        }
        return new Search(after.truncatedTo(ChronoUnit.SECONDS).plusSeconds(1)).run();
    }

    private boolean isDay(LocalDateTime time) {
        boolean day = days.matches(time.getDayOfMonth());
        boolean weekday = weekdays.matches(time.getDayOfWeek().getValue() % 7);
        return days.any() || weekdays.any() ? day && weekday : day || weekday;
    }

    /**
     * Return the moment of a local time. One that does not exist is an hour or so earlier, and of two with the same local time
     * it is the one whose offset was in force at that time of the day in UTC. Other programs can choose otherwise.
     */
    private Instant moment(LocalDateTime local) {
        ZoneOffset guess = zone.getRules().getOffset(local.toInstant(ZoneOffset.UTC));
        return local.toInstant(zone.getRules().getOffset(local.toInstant(guess)));
    }

    /** Moves forward, from the largest field to the smallest, and starts again when a larger field has changed. */
    private final class Search {

        private Instant time;
        private boolean moved;

        Search(Instant start) {
            time = start;
        }

        @Nullable
        Instant run() {
            int lastYear = local().getYear() + YEARS;
            while (local().getYear() <= lastYear) {
                if (findMonth() && findDay() && findHour() && findMinute() && findSecond()) {
                    return time;
                }
            }
            return null;
        }

        private LocalDateTime local() {
            return LocalDateTime.ofInstant(time, zone);
        }

        /** Go to the start of a unit before the first move, as the smaller fields do not count any more. */
        private void startOf(LocalDateTime start) {
            if (!moved) {
                moved = true;
                time = moment(start);
            }
        }

        private boolean findMonth() {
            while (!months.matches(local().getMonthValue())) {
                startOf(local().withDayOfMonth(1).truncatedTo(ChronoUnit.DAYS));
                LocalDateTime before = local();
                time = moment(before.withDayOfMonth(1).plusMonths(1).plusDays(before.getDayOfMonth() - 1L));
                if (local().getMonthValue() == 1) {
                    return false;
                }
            }
            return true;
        }

        private boolean findDay() {
            while (!isDay(local())) {
                startOf(local().truncatedTo(ChronoUnit.DAYS));
                time = moment(local().plusDays(1));
                int hour = local().getHour();
                if (hour != 0) { // midnight does not exist on this day, or the day before had no midnight
                    time = time.plus(hour > 12 ? 24 - hour : -hour, ChronoUnit.HOURS);
                }
                if (local().getDayOfMonth() == 1) {
                    return false;
                }
            }
            return true;
        }

        private boolean findHour() {
            while (!hours.matches(local().getHour())) {
                startOf(local().truncatedTo(ChronoUnit.HOURS));
                time = time.plus(1, ChronoUnit.HOURS);
                if (local().getHour() == 0) {
                    return false;
                }
            }
            return true;
        }

        private boolean findMinute() {
            while (!minutes.matches(local().getMinute())) {
                if (!moved) {
                    moved = true;
                    time = time.truncatedTo(ChronoUnit.MINUTES);
                }
                time = time.plus(1, ChronoUnit.MINUTES);
                if (local().getMinute() == 0) {
                    return false;
                }
            }
            return true;
        }

        private boolean findSecond() {
            int second = local().getSecond();
            if (second != 0) {
                moved = true;
                time = time.plusSeconds(60L - second);
            }
            return second == 0;
        }
    }
}
