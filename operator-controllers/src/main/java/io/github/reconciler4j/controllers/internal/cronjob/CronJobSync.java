package io.github.reconciler4j.controllers.internal.cronjob;

import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.batch.v1.CronJob;
import io.fabric8.kubernetes.api.model.batch.v1.CronJobStatus;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobCondition;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.OwnerReferences;
import io.github.reconciler4j.client.Propagation;
import io.github.reconciler4j.client.error.AlreadyExistsException;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.controllers.internal.support.Claims;
import io.github.reconciler4j.controllers.internal.support.FinishedJobs;
import io.github.reconciler4j.controllers.internal.support.Times;
import io.github.reconciler4j.recorder.EventRecorder;
import io.github.reconciler4j.scheme.ObjectKey;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** One reconciliation of one CronJob, whose status it changes. Not thread-safe. */
final class CronJobSync {

    private static final DateTimeFormatter MAIL_DATE =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss Z", Locale.ENGLISH);

    private final Client client;
    private final EventRecorder events;
    private final CronJob cronJob;
    private final List<Job> jobs;
    private final Instant now;
    private boolean changed;

    /**
     * Create the reconciliation of a CronJob.
     *
     * @param cronJob a copy that this changes
     * @param jobs the Jobs that it controls
     */
    CronJobSync(Client client, EventRecorder events, CronJob cronJob, List<Job> jobs, Instant now) {
        this.client = client;
        this.events = events;
        this.cronJob = cronJob;
        this.jobs = jobs;
        this.now = now;
        if (cronJob.getStatus() == null) {
            cronJob.setStatus(new CronJobStatus());
        }
    }

    /** Whether the status has changed. */
    boolean changed() {
        return changed;
    }

    /** Delete finished Jobs beyond the limits. */
    void cleanUp() {
        JobHistory.toDelete(cronJob.getSpec(), jobs).forEach(this::delete);
    }

    /** Bring the status up to date with the Jobs. */
    void observe() {
        for (Job job : jobs) {
            boolean active = isActive(job);
            Optional<JobCondition> end = FinishedJobs.condition(job);
            if (end.isPresent()) {
                if (active) {
                    remove(job.getMetadata().getUid());
                    normal(
                            "SawCompletedJob",
                            "Saw completed job: " + name(job) + ", condition: "
                                    + end.get().getType());
                }
                observeSuccess(job);
            } else if (!active && !isActiveOnServer(job)) {
                warning("UnexpectedJob", "Saw a job that the controller did not create or forgot: " + name(job));
            }
        }
        removeMissing();
    }

    private void observeSuccess(Job job) {
        String completion = job.getStatus().getCompletionTime();
        Instant last = Times.parse(cronJob.getStatus().getLastSuccessfulTime());
        Instant time = Times.parse(completion);
        if (FinishedJobs.isComplete(job) && time != null && (last == null || time.isAfter(last))) {
            cronJob.getStatus().setLastSuccessfulTime(completion);
            changed = true;
        }
    }

    /** Whether the API server knows better than the cache that a Job is active. Its status counts then. */
    private boolean isActiveOnServer(Job job) {
        CronJob fresh = client.live().get(CronJob.class, ObjectKey.of(cronJob)).orElse(null);
        if (fresh == null || fresh.getStatus() == null || !isActive(fresh, job)) {
            return false;
        }
        cronJob.setStatus(fresh.getStatus());
        return true;
    }

    private void removeMissing() {
        Set<String> children =
                jobs.stream().map(job -> job.getMetadata().getUid()).collect(Collectors.toSet());
        for (ObjectReference reference : List.copyOf(cronJob.getStatus().getActive())) {
            if (!children.contains(reference.getUid())
                    && client.live().get(Job.class, key(reference)).isEmpty()) {
                normal("MissingJob", "Active job went missing: " + reference.getName());
                remove(reference.getUid());
            }
        }
    }

    /** Create the Job of the last time that has passed, unless there are reasons against it. */
    void createDue(CronSchedule schedule) {
        MissedTimes missed;
        try {
            missed = MissedTimes.find(cronJob, now, schedule, true);
        } catch (MissedTimes.NoTimesException e) {
            warning("InvalidSchedule", "invalid schedule: " + cronJob.getSpec().getSchedule() + " : " + e.getMessage());
            return;
        }
        Instant time = missed.latest();
        if (time == null) {
            return;
        }
        if (missed.tooMany()) {
            warning(
                    "TooManyMissedTimes",
                    "too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew");
        }
        Long deadline = cronJob.getSpec().getStartingDeadlineSeconds();
        if (deadline != null && time.plusSeconds(deadline).isBefore(now)) {
            warning(
                    "MissSchedule",
                    "Missed scheduled time to start a job: " + MAIL_DATE.format(time.atOffset(ZoneOffset.UTC)));
        } else if (!isDone(time) && mayStart()) {
            create(time);
        }
    }

    private boolean isDone(Instant time) {
        String name = ScheduledJobs.name(cronJob, time);
        return time.equals(Times.parse(cronJob.getStatus().getLastScheduleTime()))
                || cronJob.getStatus().getActive().stream()
                        .anyMatch(reference -> name.equals(reference.getName())
                                && cronJob.getMetadata().getNamespace().equals(reference.getNamespace()));
    }

    /** Decide by the Jobs that still run; stop them if the new one replaces them. */
    private boolean mayStart() {
        List<ObjectReference> active = List.copyOf(cronJob.getStatus().getActive());
        String policy = cronJob.getSpec().getConcurrencyPolicy();
        if ("Forbid".equals(policy) && !active.isEmpty()) {
            normal(
                    "JobAlreadyActive",
                    "Not starting job because prior execution is running and concurrency policy is Forbid");
            return false;
        }
        if ("Replace".equals(policy)) {
            active.forEach(this::replace);
        }
        return true;
    }

    private void replace(ObjectReference reference) {
        Optional<Job> job;
        try {
            job = client.live().get(Job.class, key(reference));
        } catch (ApiException e) {
            warning("FailedGet", "Get job: " + e.getMessage());
            throw e;
        }
        if (job.isEmpty()) {
            remove(reference.getUid());
        } else if (!delete(job.get())) {
            throw new IllegalStateException("could not replace job " + key(reference));
        }
    }

    private boolean delete(Job job) {
        try {
            client.delete(job, DeletionOptions.defaults().withPropagation(Propagation.BACKGROUND));
        } catch (NotFoundException e) {
            // It is gone, as it should be.
        } catch (ApiException e) {
            warning("FailedDelete", "Deleted job: " + e.getMessage());
            return false;
        }
        remove(job.getMetadata().getUid());
        normal("SuccessfulDelete", "Deleted job " + name(job));
        return true;
    }

    private void create(Instant time) {
        Job wanted = ScheduledJobs.jobFor(cronJob, time);
        Job job;
        try {
            job = client.create(wanted);
            normal("SuccessfulCreate", "Created job " + name(job));
        } catch (AlreadyExistsException e) {
            job = client.live().get(Job.class, ObjectKey.of(wanted)).orElseThrow(() -> e);
            if (!isOwn(job)) {
                return; // someone else has created a Job of this name
            }
        } catch (ApiException e) {
            if (!Claims.isNamespaceTerminating(e)) {
                warning("FailedCreate", "Error creating job: " + e.getMessage());
            }
            throw e;
        }
        if (!isActive(job)) {
            List<ObjectReference> active = new ArrayList<>(cronJob.getStatus().getActive());
            active.add(ScheduledJobs.reference(job));
            cronJob.getStatus().setActive(active);
            cronJob.getStatus().setLastScheduleTime(Times.format(time));
            changed = true;
        }
    }

    private boolean isOwn(Job job) {
        return OwnerReferences.controllerOf(job)
                .filter(owner ->
                        Objects.equals(owner.getUid(), cronJob.getMetadata().getUid()))
                .isPresent();
    }

    private boolean isActive(Job job) {
        return isActive(cronJob, job);
    }

    private static boolean isActive(CronJob cronJob, Job job) {
        return cronJob.getStatus().getActive().stream()
                .anyMatch(reference -> job.getMetadata().getUid().equals(reference.getUid()));
    }

    private void remove(String uid) {
        List<ObjectReference> active = new ArrayList<>(cronJob.getStatus().getActive());
        changed |= active.removeIf(reference -> Objects.equals(uid, reference.getUid()));
        cronJob.getStatus().setActive(active);
    }

    private static String name(Job job) {
        return job.getMetadata().getName();
    }

    private static ObjectKey key(ObjectReference reference) {
        return ObjectKey.of(reference.getNamespace(), reference.getName());
    }

    private void normal(String reason, String note) {
        events.normal(cronJob, reason, "Reconcile", note);
    }

    private void warning(String reason, String note) {
        events.warning(cronJob, reason, "Reconcile", note);
    }
}
