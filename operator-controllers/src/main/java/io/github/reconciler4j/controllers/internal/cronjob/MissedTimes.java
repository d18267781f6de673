package io.github.reconciler4j.controllers.internal.cronjob;

import io.fabric8.kubernetes.api.model.batch.v1.CronJob;
import io.github.reconciler4j.controllers.internal.support.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The times of a schedule for which no Job has been created yet.
 *
 * @param since the time from which on they were looked for
 * @param latest the last one, {@code null} if it does not exist
 * @param number about how many there are; an estimate if the times of the schedule have different distances
 */
record MissedTimes(Instant since, @Nullable Instant latest, long number) {

    private static final int TOO_MANY = 100;

    /** How much later than scheduled the controller looks again, since clocks differ a little. */
    private static final Duration TOLERANCE = Duration.ofMillis(100);

    /** Says that a schedule names no time that exists, such as February 31. */
    static final class NoTimesException extends IllegalStateException {

        private static final long serialVersionUID = 1L;

        NoTimesException() {
            super("time difference between two schedules is less than 1 second");
        }
    }

    /**
     * Find the times that have passed since the last one for which a Job was created, or since the CronJob was.
     *
     * @param withDeadline whether times do not count that are longer ago than {@code startingDeadlineSeconds}
     * @throws NoTimesException if the schedule has no times
     */
    static MissedTimes find(CronJob cronJob, Instant now, CronSchedule schedule, boolean withDeadline) {
        Instant since = since(cronJob, now, withDeadline);
        Instant first = schedule.next(since);
        if (first != null && now.isBefore(first)) {
            return new MissedTimes(since, null, 0);
        }
        Instant second = first == null ? null : schedule.next(first);
        if (first == null || second == null) {
            throw new NoTimesException();
        }
        if (now.isBefore(second)) {
            return new MissedTimes(since, first, 0);
        }
        long interval = Duration.between(first, second).toSeconds();
        if (interval < 1) {
            throw new NoTimesException();
        }
        long number = Duration.between(first, now).toSeconds() / interval + 1;
        Instant latest = null;
        // From one interval before the estimate on, as not all intervals have the same length.
        Instant time = schedule.next(first.plusSeconds((number - 2) * interval));
        while (time != null && !time.isAfter(now)) {
            latest = time;
            time = schedule.next(time);
        }
        return new MissedTimes(since, latest, number);
    }

    private static Instant since(CronJob cronJob, Instant now, boolean withDeadline) {
        Instant last = cronJob.getStatus() == null
                ? null
                : Times.parse(cronJob.getStatus().getLastScheduleTime());
        Instant since = last != null
                ? last
                : Objects.requireNonNullElse(Times.parse(cronJob.getMetadata().getCreationTimestamp()), Instant.EPOCH);
        Long deadline = cronJob.getSpec().getStartingDeadlineSeconds();
        if (withDeadline && deadline != null && now.minusSeconds(deadline).isAfter(since)) {
            return now.minusSeconds(deadline);
        }
        return since;
    }

    /** Whether there are so many that a clock may be wrong. */
    boolean tooMany() {
        return number > TOO_MANY;
    }

    /** Return the time until the next Job is to be created; {@code null} if there is no such time. */
    static @Nullable Duration untilNext(CronJob cronJob, Instant now, CronSchedule schedule) {
        Instant next = schedule.next(before(cronJob, now, schedule));
        return next == null ? null : Duration.between(now, next.plus(TOLERANCE));
    }

    private static Instant before(CronJob cronJob, Instant now, CronSchedule schedule) {
        try {
            MissedTimes missed = find(cronJob, now, schedule, false);
            if (missed.latest != null) {
                return missed.latest;
            }
            return missed.number == 0 ? missed.since : now;
        } catch (NoTimesException e) {
            return now;
        }
    }
}
