package io.github.reconciler4j.controllers.internal.job;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobCondition;
import io.fabric8.kubernetes.api.model.batch.v1.JobStatus;
import io.fabric8.kubernetes.api.model.batch.v1.UncountedTerminatedPods;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.controllers.internal.support.FinishedJobs;
import io.github.reconciler4j.controllers.internal.support.Numbers;
import io.github.reconciler4j.controllers.internal.support.Pods;
import io.github.reconciler4j.controllers.internal.support.Times;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.recorder.EventRecorder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One reconciliation of one Job that has not finished: it decides whether the Job ends, starts and stops pods, and counts those
 * that have ended. Not thread-safe.
 */
final class JobSync {

    private final Client client;
    private final EventRecorder events;
    private final PodWrites writes;
    private final TrackedPods pods;
    private final Tracking tracking;
    private final Instant now;
    private Job job;
    private PodBackoff backoff;
    private Map<Integer, Pod> toReplace = Map.of();
    private @Nullable JobCondition end;
    private @Nullable RuntimeException failure;
    private Duration wait = Duration.ZERO;
    private boolean statusChanged;
    private int active;
    private int ready;
    private int terminating;

    /**
     * Create the reconciliation of a Job.
     *
     * @param job a copy that this changes
     * @param claimed the pods of the Job
     * @param backoff the state before this reconciliation
     */
    JobSync(
            Client client,
            EventRecorder events,
            PodWrites writes,
            Job job,
            List<Pod> claimed,
            PodBackoff backoff,
            Instant now) {
        this.client = client;
        this.events = events;
        this.writes = writes;
        this.job = withStatus(job);
        this.pods = new TrackedPods(job, claimed);
        this.tracking = new Tracking(job, this::store, writes::release);
        this.backoff = backoff.after(pods.newlySucceeded(), pods.newlyFailed());
        this.now = now;
        this.active = pods.active().size();
        this.ready = pods.ready();
        this.terminating = pods.terminating().size();
    }

    private static Job withStatus(Job job) {
        if (job.getStatus() == null) {
            job.setStatus(new JobStatus());
        }
        if (job.getStatus().getUncountedTerminatedPods() == null) {
            job.getStatus().setUncountedTerminatedPods(new UncountedTerminatedPods());
        }
        return job;
    }

    /** The state of the delays to remember; empty if the status that counts the failures could not be stored. */
    Optional<PodBackoff> backoff() {
        return tracking.stored() ? Optional.of(backoff) : Optional.empty();
    }

    /** Reconcile. What fails with the pods is thrown after the status is written. */
    Result run() {
        JobStatus status = job.getStatus();
        if (status.getStartTime() == null && !JobSpecs.isSuspended(job)) {
            status.setStartTime(Times.format(now));
        }
        JobVerdict verdict = new JobVerdict(job, pods, now);
        end = verdict.find();
        Duration untilDeadline = end == null ? verdict.untilDeadline().orElse(Duration.ZERO) : Duration.ZERO;
        if (JobSpecs.isIndexed(job) && JobSpecs.countsFailuresPerIndex(job)) {
            toReplace = pods.toReplace(pods.succeededIndexes(), pods.failedIndexes());
        }
        if (end != null) {
            stop();
        } else {
            goOn();
        }
        writeCounts();
        track();
        if (failure != null) {
            throw failure;
        }
        Duration more = tracking.leavesSome() ? JobEvents.BATCH_PERIOD : Duration.ZERO;
        return Stream.of(untilDeadline, wait, more)
                .filter(delay -> !delay.isZero())
                .min(Duration::compareTo)
                .map(Result::requeueAfter)
                .orElse(Result.done());
    }

    /** Stop the pods of a Job that has ended. It has not finished before all of them are known to be deleted. */
    private void stop() {
        PodWrites.Outcome outcome = writes.delete(job, pods.active());
        if (outcome.done().size() < pods.active().size()) {
            end = null;
        }
        deleted(outcome);
    }

    private void deleted(PodWrites.Outcome outcome) {
        active -= outcome.done().size();
        terminating += outcome.done().size();
        ready -= (int) outcome.done().stream().filter(Pods::isReady).count();
        failure = outcome.failure();
    }

    private void goOn() {
        int succeeded = JobSpecs.isIndexed(job) ? pods.succeededIndexes().size() : pods.succeeded();
        boolean stays = job.getMetadata().getDeletionTimestamp() == null;
        if (stays) {
            carryOut(PodPlan.of(job, pods, succeeded, backoff, toReplace, now));
        }
        boolean enough = job.getSpec().getCompletions() == null
                ? succeeded > 0
                : succeeded >= job.getSpec().getCompletions();
        if (enough && active == 0) {
            end = JobConditions.create(
                    JobConditions.SUCCESS_CRITERIA_MET,
                    true,
                    "CompletionsReached",
                    "Reached expected number of succeeded pods",
                    now);
        } else if (stays) {
            writeSuspension();
        }
    }

    private void carryOut(PodPlan plan) {
        if (!plan.delete().isEmpty()) {
            deleted(writes.releaseAndDelete(job, plan.delete()));
        } else if (!plan.create().isEmpty()) {
            PodWrites.Outcome outcome = writes.create(job, plan.create(), toReplace);
            active += outcome.done().size();
            failure = outcome.failure();
        } else if (!plan.delay().isZero()) {
            wait = plan.delay().compareTo(JobEvents.BATCH_PERIOD) < 0 ? JobEvents.BATCH_PERIOD : plan.delay();
        }
    }

    /** The time for which a Job runs does not include the time before its suspension. */
    private void writeSuspension() {
        boolean suspended = JobSpecs.isSuspended(job);
        String word = suspended ? "Suspended" : "Resumed";
        String message = suspended ? "Job suspended" : "Job resumed";
        if (JobConditions.set(
                job.getStatus(),
                JobConditions.create(JobConditions.SUSPENDED, suspended, "Job" + word, message, now))) {
            statusChanged = true;
            events.normal(job, word, "Reconcile", message);
            job.getStatus().setStartTime(suspended ? null : Times.format(now));
        }
    }

    private void writeCounts() {
        JobStatus status = job.getStatus();
        statusChanged |= active != Numbers.orZero(status.getActive())
                || !Objects.equals(ready, status.getReady())
                || !Objects.equals(terminating, status.getTerminating());
        status.setActive(Numbers.orAbsent(active));
        status.setReady(ready);
        status.setTerminating(terminating);
    }

    /** Count pods, and finish the Job if it has ended. */
    private void track() {
        tracking.run(pods, end, toReplace, terminating, statusChanged, now);
        job = tracking.job();
        if (tracking.finished() != null) {
            recordEnd(tracking.finished());
        }
    }

    /** Counts must not be based on an outdated status, so this fails if the Job has changed. */
    private Job store(Job changed) {
        return withStatus(client.status().update(changed));
    }

    private void recordEnd(JobCondition condition) {
        if (!FinishedJobs.COMPLETE.equals(condition.getType())) {
            events.warning(job, condition.getReason(), "Reconcile", condition.getMessage());
            return;
        }
        Integer completions = job.getSpec().getCompletions();
        if (completions != null && Numbers.orZero(job.getStatus().getSucceeded()) > completions) {
            events.warning(
                    job,
                    "TooManySucceededPods",
                    "Reconcile",
                    "Too many succeeded pods running after completion count reached");
        }
        events.normal(job, "Completed", "Reconcile", "Job completed");
    }
}
