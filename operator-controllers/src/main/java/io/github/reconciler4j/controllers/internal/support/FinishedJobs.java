package io.github.reconciler4j.controllers.internal.support;

import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobCondition;
import java.util.Optional;

/**
 * Says whether Jobs have finished, and how.
 *
 * @since 0.1.0
 */
public final class FinishedJobs {

    /** The type of the condition of a Job that has succeeded. */
    public static final String COMPLETE = "Complete";

    /** The type of the condition of a Job that has failed. */
    public static final String FAILED = "Failed";

    private FinishedJobs() {}

    /** Return the condition that says that a Job has finished: {@code Complete} or {@code Failed}. Empty while it runs. */
    public static Optional<JobCondition> condition(Job job) {
        return job.getStatus() == null
                ? Optional.empty()
                : job.getStatus().getConditions().stream()
                        .filter(FinishedJobs::isFinal)
                        .findFirst();
    }

    private static boolean isFinal(JobCondition condition) {
        return "True".equals(condition.getStatus())
                && (COMPLETE.equals(condition.getType()) || FAILED.equals(condition.getType()));
    }

    /** Return whether a Job has succeeded or failed for good. */
    public static boolean isFinished(Job job) {
        return condition(job).isPresent();
    }

    /** Return whether a Job has succeeded. */
    public static boolean isComplete(Job job) {
        return job.getStatus() != null
                && job.getStatus().getConditions().stream()
                        .anyMatch(condition -> isFinal(condition) && COMPLETE.equals(condition.getType()));
    }
}
