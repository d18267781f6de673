package io.github.reconciler4j.controllers.internal.job;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.UncountedTerminatedPods;
import io.github.reconciler4j.controllers.internal.support.Numbers;
import io.github.reconciler4j.controllers.internal.support.Pods;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The pods of a Job, and what they add to the counts in its status. Immutable, but the lists are those of the caller.
 *
 * <p>A pod keeps the finalizer {@link #FINALIZER} until it is counted. The status has the uids of pods that are to be counted:
 * they are counted for good when the finalizer is gone. So no pod is missed and none is counted twice, whenever the process
 * ends.
 */
final class TrackedPods {

    static final String FINALIZER = "batch.kubernetes.io/job-tracking";

    private final Job job;
    private final List<Pod> all;
    private final List<Pod> active;
    private final Set<String> uncountedSucceeded;
    private final Set<String> uncountedFailed;
    private final List<Pod> newlySucceeded;
    private final List<Pod> newlyFailed;

    TrackedPods(Job job, List<Pod> all) {
        this.job = job;
        this.all = all;
        this.active = all.stream().filter(Pods::isActive).toList();
        UncountedTerminatedPods uncounted = job.getStatus().getUncountedTerminatedPods();
        this.uncountedSucceeded = uncounted == null ? Set.of() : new HashSet<>(uncounted.getSucceeded());
        this.uncountedFailed = uncounted == null ? Set.of() : new HashSet<>(uncounted.getFailed());
        this.newlySucceeded = uncounted(uncountedSucceeded, TrackedPods::hasSucceeded);
        this.newlyFailed = uncounted(uncountedFailed, pod -> hasFailed(job, pod));
    }

    List<Pod> all() {
        return all;
    }

    List<Pod> active() {
        return active;
    }

    /** Pods that have succeeded and that the status does not know. */
    List<Pod> newlySucceeded() {
        return newlySucceeded;
    }

    /** Pods that have failed and that the status does not know, those included that the failure policy ignores. */
    List<Pod> newlyFailed() {
        return newlyFailed;
    }

    boolean isUncountedSuccess(Pod pod) {
        return uncountedSucceeded.contains(pod.getMetadata().getUid());
    }

    boolean isUncountedFailure(Pod pod) {
        return uncountedFailed.contains(pod.getMetadata().getUid());
    }

    /** How many pods have succeeded since the Job exists; of an indexed Job, the {@link Indexes} count. */
    int succeeded() {
        return Numbers.orZero(job.getStatus().getSucceeded()) + newlySucceeded.size() + uncountedSucceeded.size();
    }

    /** How many failures count since the Job exists. */
    int failed() {
        int counting = (int) newlyFailed.stream()
                .filter(pod -> FailureMatch.of(job.getSpec().getPodFailurePolicy(), pod)
                        .counts())
                .count();
        return Numbers.orZero(job.getStatus().getFailed()) + counting + uncountedFailed.size();
    }

    int ready() {
        return (int) active.stream().filter(Pods::isReady).count();
    }

    List<Pod> terminating() {
        return all.stream().filter(Pods::isTerminating).toList();
    }

    /** The indexes that the status says have succeeded. */
    Indexes countedIndexes() {
        return Indexes.parse(job.getStatus().getCompletedIndexes(), JobSpecs.completions(job));
    }

    /** The indexes that have succeeded, whether or not the status says so. */
    Indexes succeededIndexes() {
        return countedIndexes().with(IndexedPods.indexes(indexed(TrackedPods::hasSucceeded)));
    }

    /** The indexes that have failed for good, whether or not the status says so. */
    Indexes failedIndexes() {
        return Indexes.parse(job.getStatus().getFailedIndexes(), JobSpecs.completions(job))
                .with(IndexedPods.indexes(indexed(pod -> failsIndex(job, pod))));
    }

    /** Whether the failure of a pod means that there will be no further attempts for its index. */
    static boolean failsIndex(Job job, Pod pod) {
        if (!hasFailed(job, pod)) {
            return false;
        }
        FailureMatch match = FailureMatch.of(job.getSpec().getPodFailurePolicy(), pod);
        return match.failsIndex()
                || (match.counts()
                        && IndexedPods.failures(pod)
                                >= Numbers.orZero(job.getSpec().getBackoffLimitPerIndex()));
    }

    /**
     * The last failed pod of each index that is to be tried again. It keeps its finalizer until there is a new pod, which gets
     * the number of failures from it.
     */
    Map<Integer, Pod> toReplace(Indexes succeeded, Indexes failed) {
        Set<Integer> activeIndexes = IndexedPods.indexes(active);
        Map<Integer, Pod> last = new HashMap<>();
        for (Pod pod : indexed(pod -> hasFailed(job, pod))) {
            int index = IndexedPods.index(pod);
            if (!succeeded.contains(index) && !failed.contains(index) && !activeIndexes.contains(index)) {
                last.merge(index, pod, (before, now) -> isLater(now, before) ? now : before);
            }
        }
        return last;
    }

    private static boolean isLater(Pod pod, Pod other) {
        return IndexedPods.allFailures(other) <= IndexedPods.allFailures(pod)
                && !FinishTimes.of(pod).isBefore(FinishTimes.of(other));
    }

    /** Pods that are not counted yet and, if the Job is indexed, have one of its indexes. */
    private List<Pod> uncounted(Set<String> known, Predicate<Pod> which) {
        return (JobSpecs.isIndexed(job) ? indexed(which) : tracked(which))
                .stream()
                        .filter(pod -> !known.contains(pod.getMetadata().getUid()))
                        .toList();
    }

    private List<Pod> tracked(Predicate<Pod> which) {
        return all.stream().filter(pod -> isTracked(pod) && which.test(pod)).toList();
    }

    private List<Pod> indexed(Predicate<Pod> which) {
        return tracked(pod -> IndexedPods.hasIndexBelow(pod, JobSpecs.completions(job)) && which.test(pod));
    }

    static boolean isTracked(Pod pod) {
        return pod.getMetadata().getFinalizers().contains(FINALIZER);
    }

    static boolean hasSucceeded(Pod pod) {
        return Pods.phase(pod).equals("Succeeded");
    }

    /** A pod that is being deleted counts as failed, unless the Job waits for its end. */
    static boolean hasFailed(Job job, @Nullable Pod pod) {
        if (pod == null) {
            return false;
        }
        boolean deleted = pod.getMetadata().getDeletionTimestamp() != null && !hasSucceeded(pod);
        return Pods.phase(pod).equals("Failed") || (deleted && !JobSpecs.replacesFailedOnly(job));
    }
}
