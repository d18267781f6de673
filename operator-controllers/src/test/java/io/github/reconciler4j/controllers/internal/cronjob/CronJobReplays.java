package io.github.reconciler4j.controllers.internal.cronjob;

import static io.github.reconciler4j.controllers.upstream.UpstreamCase.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.batch.v1.CronJob;
import io.fabric8.kubernetes.api.model.batch.v1.CronJobStatus;
import io.fabric8.kubernetes.api.model.batch.v1.CronJobStatusBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.github.reconciler4j.controllers.internal.support.Times;
import io.github.reconciler4j.controllers.upstream.Replays;
import io.github.reconciler4j.controllers.upstream.UpstreamCase;
import io.github.reconciler4j.reconcile.Result;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Repeats the cases of Kubernetes' tests of its CronJob controller. */
public final class CronJobReplays {

    private CronJobReplays() {}

    public static Replays all() {
        Replays replays = new Replays();
        ScheduleReplays.addTo(replays);
        times(replays);
        jobs(replays);
        changes(replays);
        replays.replay("cronjob.ControllerV2.syncCronJob", CronJobReplays::sync);
        replays.except(
                "cronjob.ControllerV2.syncCronJob",
                call -> call.note("clock").isNull()
                        || call.test().contains("quota_being_reached")
                        || call.test().contains("history_limit_not_reached"),
                "the test has the time zero, or a Job that has succeeded without saying when");
        return replays;
    }

    private static void times(Replays replays) {
        replays.replay("cronjob.mostRecentScheduleTime", call -> {
            CronJob cronJob = Objects.requireNonNull(call.in("cj", CronJob.class));
            Instant now = Instant.parse(call.in("now").asText());
            CronSchedule schedule = ScheduleReplays.schedule(call.in("schedule"));
            boolean withDeadline = call.in("includeStartingDeadlineSeconds").asBoolean();
            if (!call.out(3).isNull()) {
                assertThatThrownBy(() -> MissedTimes.find(cronJob, now, schedule, withDeadline))
                        .isInstanceOf(MissedTimes.NoTimesException.class);
                return;
            }
            MissedTimes missed = MissedTimes.find(cronJob, now, schedule, withDeadline);
            assertThat(missed.since()).isEqualTo(instant(call.out(0), Instant.EPOCH));
            assertThat(missed.latest()).isEqualTo(instant(call.out(1), null));
            assertThat(missed.tooMany()).isEqualTo(call.out(2).asInt() == 2);
            assertThat(missed.number() > 0).isEqualTo(call.out(2).asInt() > 0);
        });
        replays.replay("cronjob.nextScheduleTimeDuration", call -> {
            CronJob cronJob = Objects.requireNonNull(call.in("cj", CronJob.class));
            Duration delay = MissedTimes.untilNext(
                    cronJob, Instant.parse(call.in("now").asText()), ScheduleReplays.schedule(call.in("schedule")));
            if (call.out(0).asLong() == Long.MIN_VALUE) { // from now to the year 1, where Go has no next time
                assertThat(delay).isNull();
            } else {
                assertThat(Objects.requireNonNull(delay).toNanos())
                        .isEqualTo(call.out(0).asLong());
            }
        });
        replays.except("cronjob.mostRecentScheduleTime", CronJobReplays::hasNoTime, "the test has the time zero");
        replays.except("cronjob.nextScheduleTimeDuration", CronJobReplays::hasNoTime, "the test has the time zero");
    }

    private static boolean hasNoTime(UpstreamCase call) {
        return call.in("now").isNull();
    }

    private static @Nullable Instant instant(JsonNode time, @Nullable Instant otherwise) {
        return time.isNull() ? otherwise : Instant.parse(time.asText());
    }

    private static void jobs(Replays replays) {
        replays.replay("cronjob.getJobFromTemplate2", call -> {
            CronJob cronJob = Objects.requireNonNull(call.in("cj", CronJob.class));
            Job job = ScheduledJobs.jobFor(
                    cronJob, Instant.parse(call.in("scheduledTime").asText()));
            Job expected = Objects.requireNonNull(call.out(0, Job.class));
            assertThat(job.getMetadata().getName())
                    .isEqualTo(expected.getMetadata().getName());
            assertThat(job.getMetadata().getLabels())
                    .isEqualTo(expected.getMetadata().getLabels());
            assertThat(job.getMetadata().getAnnotations())
                    .isEqualTo(expected.getMetadata().getAnnotations());
            assertThat(json(job.getMetadata().getOwnerReferences()))
                    .isEqualTo(json(expected.getMetadata().getOwnerReferences()));
            assertThat(json(job.getSpec())).isEqualTo(json(expected.getSpec()));
        });
        replays.except(
                "cronjob.getJobFromTemplate2",
                call -> call.out(0).isNull()
                        || call.in("cj").path("metadata").path("uid").asText().isEmpty()
                        || call.in("scheduledTime").isNull(),
                "the CronJob of the test is not valid");
        replays.replay("cronjob.byJobStartTime.Less", call -> {
            List<Job> jobs = UpstreamCase.readList(call.note("jobs").get(0), Job.class);
            Job a = jobs.get(call.number("i"));
            Job b = jobs.get(call.number("j"));
            assertThat(a != b && JobHistory.OLDEST_FIRST.compare(a, b) < 0)
                    .isEqualTo(call.out(0).asBoolean());
        });
        replays.replay("cronjob.ControllerV2.cleanupFinishedJobs", call -> {
            CronJob cronJob = Objects.requireNonNull(call.in("cj", CronJob.class));
            assertThat(JobHistory.toDelete(cronJob.getSpec(), call.list("js", Job.class)).stream()
                            .map(job -> job.getMetadata().getName())
                            .toList())
                    .containsExactlyInAnyOrderElementsOf(UpstreamCase.readList(call.note("deleted"), String.class));
        });
    }

    private static void changes(Replays replays) {
        replays.replay("cronjob.ControllerV2.updateCronJob", call -> {
            CronJob before = Objects.requireNonNull(call.in("old", CronJob.class));
            CronJob after = Objects.requireNonNull(call.in("curr", CronJob.class));
            boolean valid = isValid(after);
            boolean warned = call.note("events").toString().contains("UnParseableCronJobSchedule");
            assertThat(warned).isEqualTo(!CronJobSchedules.sameSchedule(before, after) && !valid);
        });
    }

    private static boolean isValid(CronJob cronJob) {
        try {
            CronJobSchedules.of(cronJob, ZoneOffset.UTC);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static void sync(UpstreamCase call) {
        CronJob cronJob = Objects.requireNonNull(call.in("cronJob", CronJob.class));
        Instant now = Instant.parse(call.note("clock").asText());
        RecordedJobs recorded = new RecordedJobs(call);
        CronJobReconciler reconciler =
                new CronJobReconciler(recorded.client(), recorded.events(), Clock.fixed(now, ZoneOffset.UTC));
        CronJobSync sync =
                new CronJobSync(recorded.client(), recorded.events(), cronJob, call.list("jobs", Job.class), now);
        boolean failed = false;
        Result result = Result.done();
        try {
            result = reconciler.proceed(sync, cronJob, now);
        } catch (RuntimeException e) {
            failed = true;
        }
        assertThat(failed).as("failure").isEqualTo(!call.out(2).isNull());
        assertThat(sync.changed()).as("changed").isEqualTo(call.out(1).asBoolean());
        assertThat(recorded.created()).hasSameSizeAs(call.notes("created", Job.class));
        assertThat(recorded.deleted()).isEqualTo(UpstreamCase.readList(call.note("deleted"), String.class));
        if (!call.out(0).isNull()) {
            assertThat(result.delay().toNanos())
                    .isEqualTo(Math.max(0, call.out(0).asLong()));
        }
        assertThat(recorded.reasons()).isEqualTo(reasons(call.note("events")));
        CronJob expected = Objects.requireNonNull(call.after("cronJob", CronJob.class));
        if (sync.changed()) { // otherwise it is not written
            assertThat(describe(cronJob.getStatus())).isEqualTo(describe(expected.getStatus()));
        }
    }

    private static List<String> reasons(JsonNode events) {
        return StreamSupport.stream(events.spliterator(), false)
                .map(event -> event.asText().split(" ")[1])
                .toList();
    }

    private static JsonNode describe(@Nullable CronJobStatus status) {
        CronJobStatus copy = new CronJobStatusBuilder(status == null ? new CronJobStatus() : status).build();
        copy.setLastScheduleTime(seconds(copy.getLastScheduleTime()));
        copy.setLastSuccessfulTime(seconds(copy.getLastSuccessfulTime()));
        copy.getActive().forEach(reference -> {
            reference.setUid(null); // what a created Job has from the server
            reference.setNamespace(null);
            reference.setResourceVersion(null);
        });
        return json(copy);
    }

    private static @Nullable String seconds(@Nullable String time) {
        Instant parsed = Times.parse(time);
        return parsed == null ? null : Times.format(parsed);
    }
}
