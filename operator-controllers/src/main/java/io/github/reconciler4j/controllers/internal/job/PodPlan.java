package io.github.reconciler4j.controllers.internal.job;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * What a Job that continues needs to have as many running pods as it asks for: pods to delete, or pods to create, never both.
 *
 * @param delete the pods to delete
 * @param create the completion indexes of the pods to create, {@link IndexedPods#UNKNOWN} for pods without one
 * @param delay how long to wait until failed pods can be replaced; zero unless there is nothing else to do
 */
record PodPlan(List<Pod> delete, List<Integer> create, Duration delay) {

    /** How many pods are created or deleted at a time. */
    static final int MAX_AT_A_TIME = 500;

    private static final PodPlan NOTHING = new PodPlan(List.of(), List.of(), Duration.ZERO);

    /**
     * Make the plan.
     *
     * @param backoff of the whole Job
     * @param toReplace the failed pods that are to be replaced, by index
     */
    static PodPlan of(
            Job job, TrackedPods pods, int succeeded, PodBackoff backoff, Map<Integer, Pod> toReplace, Instant now) {
        if (JobSpecs.isSuspended(job)) {
            return deleting(
                    ActivePods.toDelete(job, pods.active(), pods.active().size()));
        }
        int active = pods.active().size();
        int wanted = wanted(job, active, succeeded);
        List<Pod> surplus = ActivePods.toDelete(job, pods.active(), Math.max(0, active - wanted));
        if (!surplus.isEmpty()) {
            return deleting(surplus.size() > MAX_AT_A_TIME ? surplus.subList(0, MAX_AT_A_TIME) : surplus);
        }
        int blocked = JobSpecs.replacesFailedOnly(job) ? pods.terminating().size() : 0;
        int missing = Math.min(wanted - active - blocked, MAX_AT_A_TIME);
        return missing <= 0 ? NOTHING : creating(job, pods, missing, backoff, toReplace, now);
    }

    /** How many pods should run: those that are left to complete, at most as many as may run at the same time. */
    static int wanted(Job job, int active, int succeeded) {
        int parallelism = JobSpecs.parallelism(job);
        if (job.getSpec().getCompletions() == null) {
            return succeeded > 0 ? active : parallelism; // the first success is the sign to start no more
        }
        return Math.max(0, Math.min(JobSpecs.completions(job) - succeeded, parallelism));
    }

    private static PodPlan creating(
            Job job, TrackedPods pods, int count, PodBackoff backoff, Map<Integer, Pod> toReplace, Instant now) {
        boolean perIndex = JobSpecs.countsFailuresPerIndex(job);
        Duration wait = perIndex ? Duration.ZERO : backoff.remaining(now);
        if (!wait.isZero()) {
            return new PodPlan(List.of(), List.of(), wait);
        }
        if (!JobSpecs.isIndexed(job)) {
            return new PodPlan(List.of(), Collections.nCopies(count, IndexedPods.UNKNOWN), Duration.ZERO);
        }
        List<Integer> indexes = firstPending(job, pods, count);
        if (!perIndex) {
            return new PodPlan(List.of(), indexes, Duration.ZERO);
        }
        List<Integer> due = indexes.stream()
                .filter(index -> untilReplaced(toReplace, index, now).isZero())
                .toList();
        Duration shortest = indexes.stream()
                .map(index -> untilReplaced(toReplace, index, now))
                .min(Duration::compareTo)
                .orElse(Duration.ZERO);
        return new PodPlan(List.of(), due, shortest);
    }

    private static Duration untilReplaced(Map<Integer, Pod> toReplace, int index, Instant now) {
        return PodBackoff.ofIndex(toReplace.get(index)).remaining(now);
    }

    /** The smallest indexes that have neither ended nor a pod. */
    static List<Integer> firstPending(Job job, TrackedPods pods, int count) {
        Indexes taken = pods.succeededIndexes().with(IndexedPods.indexes(pods.active()));
        if (JobSpecs.replacesFailedOnly(job)) {
            taken = taken.with(IndexedPods.indexes(pods.terminating()));
        }
        if (JobSpecs.countsFailuresPerIndex(job)) {
            taken = taken.with(pods.failedIndexes());
        }
        return taken.firstMissing(count, JobSpecs.completions(job));
    }

    private static PodPlan deleting(List<Pod> pods) {
        return new PodPlan(pods, List.of(), Duration.ZERO);
    }
}
