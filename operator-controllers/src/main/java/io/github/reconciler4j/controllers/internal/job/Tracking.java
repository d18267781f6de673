package io.github.reconciler4j.controllers.internal.job;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobCondition;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the steps of {@link Counting}: stores the status, removes finalizers, and stores the numbers and the end of the Job.
 * Each step starts when the one before has succeeded. Not thread-safe.
 */
final class Tracking {

    private final UnaryOperator<Job> store;
    private final Function<List<Pod>, PodWrites.Outcome> release;
    private Job job;
    private boolean stored;
    private boolean leavesSome;
    private @Nullable JobCondition finished;

    /**
     * Create the tracking of one reconciliation.
     *
     * @param store writes the status of a Job and returns the Job as it is then
     * @param release removes the finalizer of pods
     */
    Tracking(Job job, UnaryOperator<Job> store, Function<List<Pod>, PodWrites.Outcome> release) {
        this.job = job;
        this.store = store;
        this.release = release;
    }

    /**
     * Count the pods that have ended, and finish the Job if it has ended.
     *
     * @param end the condition that ends the Job, {@code null} if it continues
     * @param toReplace failed pods that keep their finalizer, by index
     * @param changed whether the status has changed already
     * @throws RuntimeException the first failure of a pod or of the status
     */
    void run(
            TrackedPods pods,
            @Nullable JobCondition end,
            Map<Integer, Pod> toReplace,
            int terminating,
            boolean changed,
            Instant now) {
        Counting counting = new Counting(job, pods, end, toReplace);
        counting.run();
        leavesSome = counting.leavesSome();
        if (changed || counting.changed()) {
            job = store.apply(job);
            stored = true;
        }
        PodWrites.Outcome outcome = release.apply(counting.released());
        Set<String> tracked = Counting.trackedUids(pods.all());
        outcome.done().forEach(pod -> tracked.remove(pod.getMetadata().getUid()));
        boolean counted = Counting.countReleased(job.getStatus(), tracked);
        if (outcome.failure() != null) {
            if (counted) {
                job = store.apply(job);
            }
            throw outcome.failure();
        }
        JobCondition last = end == null || leavesSome ? null : JobConditions.toFinal(end, now);
        boolean ends = Counting.finish(job.getStatus(), last, terminating);
        if (counted || ends) {
            job = store.apply(job);
        }
        finished = ends ? last : null;
    }

    /** The Job with the status that was stored last. */
    Job job() {
        return job;
    }

    /** Whether the status has been stored that knows all failures. */
    boolean stored() {
        return stored;
    }

    /** Whether there are more pods to count than a status can have. */
    boolean leavesSome() {
        return leavesSome;
    }

    /** The condition of the Job if it has finished now, otherwise {@code null}. */
    @Nullable
    JobCondition finished() {
        return finished;
    }
}
