package io.github.reconciler4j.controllers.internal.job;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobCondition;
import io.github.reconciler4j.controllers.internal.support.Numbers;
import io.github.reconciler4j.controllers.internal.support.Pods;
import io.github.reconciler4j.controllers.internal.support.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a Job ends before all its completions are reached: what was decided before stays, then failures come before
 * the success policy.
 */
final class JobVerdict {

    private final Job job;
    private final TrackedPods pods;
    private final Instant now;

    JobVerdict(Job job, TrackedPods pods, Instant now) {
        this.job = job;
        this.pods = pods;
        this.now = now;
    }

    /** Return the condition that ends the Job, {@code null} if it continues. */
    @Nullable
    JobCondition find() {
        JobCondition success = JobConditions.findTrue(job.getStatus(), JobConditions.SUCCESS_CRITERIA_MET);
        if (success != null) {
            return success;
        }
        JobCondition failure = JobConditions.findTrue(job.getStatus(), JobConditions.FAILURE_TARGET);
        if (failure != null) {
            return JobConditions.toFinal(failure, now);
        }
        return failureOfPolicy()
                .or(this::failureOfLimits)
                .or(this::failureOfIndexes)
                .or(this::successOfPolicy)
                .orElse(null);
    }

    private Optional<JobCondition> failureOfPolicy() {
        return failMessage(job, pods.all()).map(message -> failure("PodFailurePolicy", message));
    }

    /** Why the failure policy lets the whole Job fail; empty if it does not. */
    static Optional<String> failMessage(Job job, List<Pod> pods) {
        return pods.stream()
                .filter(pod -> TrackedPods.hasFailed(job, pod))
                .map(pod -> FailureMatch.of(job.getSpec().getPodFailurePolicy(), pod)
                        .message())
                .filter(Objects::nonNull)
                .findFirst();
    }

    private Optional<JobCondition> failureOfLimits() {
        if (pods.failed() > JobSpecs.backoffLimit(job) || isPastRestartLimit(job, pods.all())) {
            return Optional.of(failure("BackoffLimitExceeded", "Job has reached the specified backoff limit"));
        }
        return untilDeadline()
                .filter(left -> left.isNegative() || left.isZero())
                .map(over -> failure("DeadlineExceeded", "Job was active longer than specified deadline"));
    }

    /** Whether containers that are restarted in place have been restarted too often. */
    static boolean isPastRestartLimit(Job job, List<Pod> pods) {
        if (!"OnFailure".equals(job.getSpec().getTemplate().getSpec().getRestartPolicy())) {
            return false;
        }
        int restarts = pods.stream()
                .filter(pod -> Set.of("Running", "Pending").contains(Pods.phase(pod)))
                .flatMap(pod -> Stream.concat(
                        pod.getStatus().getInitContainerStatuses().stream(),
                        pod.getStatus().getContainerStatuses().stream()))
                .map(ContainerStatus::getRestartCount)
                .mapToInt(Numbers::orZero)
                .sum();
        return restarts >= Math.max(1, JobSpecs.backoffLimit(job));
    }

    /** Return the time until the Job fails because it runs for too long; empty if it has no such limit or does not run. */
    Optional<Duration> untilDeadline() {
        Long limit = job.getSpec().getActiveDeadlineSeconds();
        Instant start = Times.parse(job.getStatus().getStartTime());
        return limit == null || start == null || JobSpecs.isSuspended(job)
                ? Optional.empty()
                : Optional.of(Duration.between(now, start).plusSeconds(limit));
    }

    private Optional<JobCondition> failureOfIndexes() {
        if (!JobSpecs.isIndexed(job) || !JobSpecs.countsFailuresPerIndex(job)) {
            return Optional.empty();
        }
        int failed = pods.failedIndexes().size();
        Integer max = job.getSpec().getMaxFailedIndexes();
        if (max != null && failed > max) {
            return Optional.of(failure(
                    "MaxFailedIndexesExceeded", "Job has exceeded the specified maximal number of failed indexes"));
        }
        boolean allEnded = failed + pods.succeededIndexes().size() >= JobSpecs.completions(job);
        return failed > 0 && allEnded
                ? Optional.of(failure("FailedIndexes", "Job has failed indexes"))
                : Optional.empty();
    }

    private JobCondition failure(String reason, String message) {
        return JobConditions.create(JobConditions.FAILURE_TARGET, true, reason, message, now);
    }

    private Optional<JobCondition> successOfPolicy() {
        return JobSpecs.isIndexed(job)
                ? SuccessPolicies.match(
                                job.getSpec().getSuccessPolicy(), JobSpecs.completions(job), pods.succeededIndexes())
                        .map(message -> JobConditions.create(
                                JobConditions.SUCCESS_CRITERIA_MET, true, "SuccessPolicy", message, now))
                : Optional.empty();
    }
}
