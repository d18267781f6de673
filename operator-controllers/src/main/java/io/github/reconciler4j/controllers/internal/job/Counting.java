package io.github.reconciler4j.controllers.internal.job;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobCondition;
import io.fabric8.kubernetes.api.model.batch.v1.JobStatus;
import io.fabric8.kubernetes.api.model.batch.v1.UncountedTerminatedPods;
import io.github.reconciler4j.controllers.internal.support.FinishedJobs;
import io.github.reconciler4j.controllers.internal.support.Numbers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Counts the pods that have ended. First it writes their uids, or their indexes, into the status. When the status is stored,
 * the finalizers of these pods are removed. Then the uids become numbers. Changes the status of the given Job. Not
 * thread-safe.
 */
final class Counting {

    /** How many uids a status has at most, so that it stays below 20 kB. */
    static final int MAX_UNCOUNTED = 500;

    private final Job job;
    private final TrackedPods pods;
    private final @Nullable JobCondition end;
    private final Map<Integer, Pod> toReplace;
    private final List<Pod> released = new ArrayList<>();
    private final Set<Integer> newIndexes = new HashSet<>();
    private boolean changed;
    private boolean full;

    /**
     * Create the counting of one reconciliation.
     *
     * @param end the condition that ends the Job, interim or final, {@code null} if it continues
     * @param toReplace failed pods that keep their finalizer until they are replaced, by index
     */
    Counting(Job job, TrackedPods pods, @Nullable JobCondition end, Map<Integer, Pod> toReplace) {
        this.job = job;
        this.pods = pods;
        this.end = end;
        this.toReplace = toReplace;
    }

    /** Return the uids of the pods that have not lost their finalizer yet. */
    static Set<String> trackedUids(List<Pod> pods) {
        return pods.stream()
                .filter(TrackedPods::isTracked)
                .map(pod -> pod.getMetadata().getUid())
                .collect(Collectors.toCollection(HashSet::new));
    }

    /** Write what has ended into the status. */
    void run() {
        JobStatus status = job.getStatus();
        Indexes succeeded = pods.succeededIndexes(); // before the status changes
        Indexes failed = pods.failedIndexes();
        Indexes counted = pods.countedIndexes();
        changed = countReleased(status, trackedUids(pods.all()));
        for (Pod pod : inOrder()) {
            if (TrackedPods.isTracked(pod) && canRelease(pod)) {
                released.add(pod);
                add(pod, counted);
                if (isFull()) {
                    full = true; // the rest comes with the next reconciliation
                    break;
                }
            }
        }
        if (JobSpecs.isIndexed(job)) {
            writeIndexes(status, succeeded, failed);
        }
        if (end != null) {
            writeInterim(status, end);
        }
    }

    private List<Pod> inOrder() {
        return JobSpecs.isIndexed(job)
                ? pods.all().stream()
                        .sorted(Comparator.comparing(IndexedPods::index))
                        .toList()
                : pods.all();
    }

    /** Whether a pod needs no finalizer any more once it is in the status. */
    private boolean canRelease(Pod pod) {
        if (job.getMetadata().getDeletionTimestamp() != null || end != null || TrackedPods.hasSucceeded(pod)) {
            return true;
        }
        Pod kept = toReplace.get(IndexedPods.index(pod));
        return TrackedPods.hasFailed(job, pod)
                && (kept == null
                        || !Objects.equals(
                                kept.getMetadata().getUid(), pod.getMetadata().getUid()));
    }

    private void add(Pod pod, Indexes counted) {
        UncountedTerminatedPods uncounted = job.getStatus().getUncountedTerminatedPods();
        boolean hasIndex = IndexedPods.hasIndexBelow(pod, JobSpecs.completions(job));
        String uid = pod.getMetadata().getUid();
        if (TrackedPods.hasSucceeded(pod) && !pods.isUncountedFailure(pod)) {
            if (JobSpecs.isIndexed(job)) {
                if (hasIndex && !counted.contains(IndexedPods.index(pod))) {
                    newIndexes.add(IndexedPods.index(pod));
                    changed = true;
                }
            } else if (!pods.isUncountedSuccess(pod)) {
                uncounted.setSucceeded(with(uncounted.getSucceeded(), uid));
                changed = true;
            }
        } else if ((TrackedPods.hasFailed(job, pod) || isFailing())
                && !pods.isUncountedFailure(pod)
                && (!JobSpecs.isIndexed(job) || hasIndex)
                && FailureMatch.of(job.getSpec().getPodFailurePolicy(), pod).counts()) {
            uncounted.setFailed(with(uncounted.getFailed(), uid));
            changed = true;
        }
    }

    private static List<String> with(List<String> uids, String uid) {
        List<String> more = new ArrayList<>(uids);
        more.add(uid);
        return more;
    }

    /** Whether the Job ends without success. Then every pod that has not succeeded counts as failed. */
    private boolean isFailing() {
        return end != null && !JobConditions.SUCCESS_CRITERIA_MET.equals(end.getType());
    }

    private boolean isFull() {
        UncountedTerminatedPods uncounted = job.getStatus().getUncountedTerminatedPods();
        return newIndexes.size()
                        + uncounted.getSucceeded().size()
                        + uncounted.getFailed().size()
                >= MAX_UNCOUNTED;
    }

    private void writeIndexes(JobStatus status, Indexes succeeded, Indexes failed) {
        String completed = succeeded.with(newIndexes).toString();
        changed |= !completed.equals(Objects.requireNonNullElse(status.getCompletedIndexes(), ""));
        status.setSucceeded(Numbers.orAbsent(succeeded.with(newIndexes).size()));
        status.setCompletedIndexes(completed.isEmpty() ? null : completed);
        String failures = JobSpecs.countsFailuresPerIndex(job) ? failed.toString() : null;
        changed |= !Objects.equals(failures, status.getFailedIndexes());
        status.setFailedIndexes(failures);
    }

    /** The end is written before the finalizers are removed, as the pods that led to it may be gone afterwards. */
    private void writeInterim(JobStatus status, JobCondition condition) {
        boolean failure = JobConditions.FAILURE_TARGET.equals(condition.getType());
        boolean success = JobConditions.SUCCESS_CRITERIA_MET.equals(condition.getType())
                && JobConditions.findTrue(status, JobConditions.SUCCESS_CRITERIA_MET) == null;
        if (failure || success) {
            JobConditions.add(status, condition);
            changed = true;
        }
    }

    /** Whether the status has to be stored. */
    boolean changed() {
        return changed;
    }

    /** Whether there are more pods to count than a status can have. */
    boolean leavesSome() {
        return full;
    }

    /** The pods that can lose their finalizer once the status is stored. */
    List<Pod> released() {
        return released;
    }

    /**
     * Turn the uids of pods without a finalizer into numbers.
     *
     * @return whether there was one
     */
    static boolean countReleased(JobStatus status, Set<String> tracked) {
        UncountedTerminatedPods uncounted = status.getUncountedTerminatedPods();
        List<String> succeeded =
                uncounted.getSucceeded().stream().filter(tracked::contains).toList();
        List<String> failed =
                uncounted.getFailed().stream().filter(tracked::contains).toList();
        int newlySucceeded = uncounted.getSucceeded().size() - succeeded.size();
        int newlyFailed = uncounted.getFailed().size() - failed.size();
        status.setSucceeded(Numbers.orAbsent(Numbers.orZero(status.getSucceeded()) + newlySucceeded));
        status.setFailed(Numbers.orAbsent(Numbers.orZero(status.getFailed()) + newlyFailed));
        uncounted.setSucceeded(succeeded);
        uncounted.setFailed(failed);
        return newlySucceeded + newlyFailed > 0;
    }

    /**
     * Write that the Job has finished, once all pods are counted and none is terminating.
     *
     * @return whether it has
     */
    static boolean finish(JobStatus status, @Nullable JobCondition condition, int terminating) {
        UncountedTerminatedPods uncounted = status.getUncountedTerminatedPods();
        if (condition == null
                || terminating > 0
                || !uncounted.getSucceeded().isEmpty()
                || !uncounted.getFailed().isEmpty()) {
            return false;
        }
        JobConditions.set(status, condition);
        if (FinishedJobs.COMPLETE.equals(condition.getType())) {
            status.setCompletionTime(condition.getLastTransitionTime());
        }
        return true;
    }
}
