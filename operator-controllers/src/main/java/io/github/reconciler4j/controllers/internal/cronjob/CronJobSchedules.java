package io.github.reconciler4j.controllers.internal.cronjob;

import io.fabric8.kubernetes.api.model.batch.v1.CronJob;
import java.time.ZoneId;
import java.util.Objects;

/** Reads the schedules of CronJobs. */
final class CronJobSchedules {

    private CronJobSchedules() {}

    /** Whether the schedule itself names a time zone, which only CronJobs from earlier versions may do. */
    static boolean namesZone(CronJob cronJob) {
        return cronJob.getSpec().getSchedule().contains("TZ");
    }

    /** Whether the time zone of a CronJob is one. */
    static boolean hasKnownZone(CronJob cronJob) {
        String name = cronJob.getSpec().getTimeZone();
        return name == null || TimeZones.find(name).isPresent();
    }

    /**
     * Parse the schedule of a CronJob in its time zone.
     *
     * @param otherwise the time zone if it has none
     * @throws IllegalArgumentException if it is not valid
     */
    static CronSchedule of(CronJob cronJob, ZoneId otherwise) {
        String name = namesZone(cronJob) ? null : cronJob.getSpec().getTimeZone();
        return CronSchedule.parse(
                cronJob.getSpec().getSchedule(),
                name == null ? otherwise : TimeZones.find(name).orElse(otherwise));
    }

    static boolean sameSchedule(CronJob a, CronJob b) {
        return Objects.equals(a.getSpec().getSchedule(), b.getSpec().getSchedule())
                && Objects.equals(a.getSpec().getTimeZone(), b.getSpec().getTimeZone());
    }
}
