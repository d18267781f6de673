package io.github.reconciler4j.controllers.internal.cronjob;

import io.fabric8.kubernetes.api.model.batch.v1.CronJob;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.OwnerReferences;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.handler.RequestSink;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.recorder.EventRecorder;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/** Creates Jobs at the times of a schedule, and deletes old ones. */
final class CronJobReconciler implements ObjectReconciler<CronJob> {

    private final Client client;
    private final EventRecorder events;
    private final Clock clock;

    CronJobReconciler(Client client, EventRecorder events, Clock clock) {
        this.client = client;
        this.events = events;
        this.clock = clock;
    }

    /** Whether an event lets the CronJob be reconciled at once: all but a new schedule, which counts from now on only. */
    static boolean isDueAtOnce(ObjectEvent<? extends CronJob> event) {
        return !(event instanceof ObjectEvent.Updated<? extends CronJob> update)
                || CronJobSchedules.sameSchedule(
                        update.previous().object(), update.snapshot().object());
    }

    /** Reconcile a CronJob with a new schedule at the next time of that, since times before the change do not count. */
    void onNewSchedule(ObjectEvent<? extends CronJob> event, RequestSink<Request> sink) {
        if (isDueAtOnce(event)) {
            return;
        }
        CronJob cronJob = event.snapshot().object();
        try {
            Duration delay =
                    MissedTimes.untilNext(cronJob, clock.instant(), CronJobSchedules.of(cronJob, clock.getZone()));
            if (delay != null) {
                sink.addAfter(Request.of(cronJob), delay);
            }
        } catch (IllegalArgumentException e) {
            events.warning(
                    cronJob,
                    "UnParseableCronJobSchedule",
                    "Reconcile",
                    "unparseable schedule for cronjob: " + cronJob.getSpec().getSchedule());
        }
    }

    @Override
    public Result reconcile(CronJob cronJob, ReconcileContext context) {
        Instant now = clock.instant();
        List<Job> jobs = client.listOwned(cronJob, Job.class).stream()
                .filter(job -> OwnerReferences.controllerOf(job)
                        .filter(owner -> Objects.equals(
                                owner.getUid(), cronJob.getMetadata().getUid()))
                        .isPresent())
                .toList();
        CronJobSync sync = new CronJobSync(client, events, cronJob, jobs, now);
        RuntimeException failure = null;
        Result result = Result.done();
        try {
            result = run(sync, cronJob, now);
        } catch (RuntimeException e) {
            failure = e;
        }
        if (sync.changed()) {
            client.status().update(cronJob);
        }
        if (failure != null) {
            throw failure;
        }
        return result;
    }

    private Result run(CronJobSync sync, CronJob cronJob, Instant now) {
        sync.cleanUp();
        return proceed(sync, cronJob, now);
    }

    Result proceed(CronJobSync sync, CronJob cronJob, Instant now) {
        sync.observe();
        if (cronJob.getMetadata().getDeletionTimestamp() != null) {
            return Result.done();
        }
        if (!CronJobSchedules.hasKnownZone(cronJob)) {
            warning(
                    cronJob,
                    "UnknownTimeZone",
                    "invalid timeZone: \"" + cronJob.getSpec().getTimeZone() + "\": unknown time zone");
            return Result.done();
        }
        if (Boolean.TRUE.equals(cronJob.getSpec().getSuspend())) {
            return Result.done();
        }
        String text = cronJob.getSpec().getSchedule();
        if (CronJobSchedules.namesZone(cronJob)) {
            warning(
                    cronJob,
                    "UnsupportedSchedule",
                    "CRON_TZ or TZ used in schedule \"" + text + "\" is not officially supported: set .spec.timeZone");
        }
        CronSchedule schedule;
        try {
            schedule = CronJobSchedules.of(cronJob, clock.getZone());
        } catch (IllegalArgumentException e) {
            warning(cronJob, "UnparseableSchedule", "unparseable schedule: \"" + text + "\" : " + e.getMessage());
            return Result.done();
        }
        sync.createDue(schedule);
        Duration delay = MissedTimes.untilNext(cronJob, now, schedule);
        return delay == null ? Result.done() : Result.requeueAfter(delay);
    }

    private void warning(CronJob cronJob, String reason, String note) {
        events.warning(cronJob, reason, "Reconcile", note);
    }
}
