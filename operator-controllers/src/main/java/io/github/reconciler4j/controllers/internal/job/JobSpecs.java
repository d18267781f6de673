package io.github.reconciler4j.controllers.internal.job;

import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobSpec;
import java.util.Objects;

/** Reads the specs of Jobs, with the defaults of the API server. */
final class JobSpecs {

    static final String INDEXED = "Indexed";

    /** The value of {@code managedBy} of Jobs that are this controller's, as are those without the field. */
    private static final String OWN_NAME = "kubernetes.io/job-controller";

    private static final int DEFAULT_BACKOFF_LIMIT = 6;

    private JobSpecs() {}

    static boolean isIndexed(Job job) {
        return INDEXED.equals(job.getSpec().getCompletionMode());
    }

    /** Whether the mode is one that this controller does not know. */
    static boolean hasUnknownMode(Job job) {
        String mode = job.getSpec().getCompletionMode();
        return mode != null && !mode.equals(INDEXED) && !mode.equals("NonIndexed");
    }

    static boolean isManagedElsewhere(Job job) {
        String manager = job.getSpec().getManagedBy();
        return manager != null && !manager.equals(OWN_NAME);
    }

    /** Whether each index may fail a number of times, in place of the whole Job. */
    static boolean countsFailuresPerIndex(Job job) {
        return job.getSpec().getBackoffLimitPerIndex() != null;
    }

    static boolean isSuspended(Job job) {
        return Boolean.TRUE.equals(job.getSpec().getSuspend());
    }

    /** Whether a pod is replaced only after its end, not as soon as it is being deleted. */
    static boolean replacesFailedOnly(Job job) {
        return "Failed".equals(job.getSpec().getPodReplacementPolicy());
    }

    /** The number of completions of a Job that has one. */
    static int completions(Job job) {
        return Objects.requireNonNullElse(job.getSpec().getCompletions(), 1);
    }

    static int parallelism(Job job) {
        return Objects.requireNonNullElse(job.getSpec().getParallelism(), 1);
    }

    static int backoffLimit(Job job) {
        JobSpec spec = job.getSpec();
        if (spec.getBackoffLimit() != null) {
            return spec.getBackoffLimit();
        }
        return spec.getBackoffLimitPerIndex() == null ? DEFAULT_BACKOFF_LIMIT : Integer.MAX_VALUE;
    }
}
