package io.github.reconciler4j.controllers.internal.job;

import io.fabric8.kubernetes.api.model.batch.v1.JobCondition;
import io.fabric8.kubernetes.api.model.batch.v1.JobConditionBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobStatus;
import io.github.reconciler4j.controllers.internal.support.FinishedJobs;
import io.github.reconciler4j.controllers.internal.support.Times;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads and writes the conditions of Jobs. */
final class JobConditions {

    /** The Job will succeed, and pods that still run are being stopped. {@code Complete} follows. */
    static final String SUCCESS_CRITERIA_MET = "SuccessCriteriaMet";

    /** The Job will fail, and pods that still run are being stopped. {@code Failed} follows. */
    static final String FAILURE_TARGET = "FailureTarget";

    static final String SUSPENDED = "Suspended";

    private JobConditions() {}

    static @Nullable JobCondition find(JobStatus status, String type) {
        return status.getConditions().stream()
                .filter(condition -> type.equals(condition.getType()))
                .findFirst()
                .orElse(null);
    }

    /** Return the condition of a type if its status is true. */
    static @Nullable JobCondition findTrue(JobStatus status, String type) {
        JobCondition found = find(status, type);
        return found != null && "True".equals(found.getStatus()) ? found : null;
    }

    static JobCondition create(String type, boolean status, String reason, String message, Instant now) {
        return new JobConditionBuilder()
                .withType(type)
                .withStatus(status ? "True" : "False")
                .withReason(reason)
                .withMessage(message)
                .withLastProbeTime(Times.format(now))
                .withLastTransitionTime(Times.format(now))
                .build();
    }

    /** Return the final condition that follows from an interim one; others stay as they are. */
    static JobCondition toFinal(JobCondition condition, Instant now) {
        return switch (condition.getType()) {
            case FAILURE_TARGET ->
                create(FinishedJobs.FAILED, true, condition.getReason(), condition.getMessage(), now);
            case SUCCESS_CRITERIA_MET ->
                create(FinishedJobs.COMPLETE, true, condition.getReason(), condition.getMessage(), now);
            default -> condition;
        };
    }

    static void add(JobStatus status, JobCondition condition) {
        List<JobCondition> conditions = new ArrayList<>(status.getConditions());
        conditions.add(condition);
        status.setConditions(conditions);
    }

    /**
     * Set a condition, unless there is an equal one or the condition is false and not there.
     *
     * @return whether anything changed
     */
    static boolean set(JobStatus status, JobCondition condition) {
        JobCondition present = find(status, condition.getType());
        if (present == null) {
            if ("False".equals(condition.getStatus())) {
                return false;
            }
            add(status, condition);
            return true;
        }
        if (condition.getStatus().equals(present.getStatus())
                && Objects.equals(condition.getReason(), present.getReason())
                && Objects.equals(condition.getMessage(), present.getMessage())) {
            return false;
        }
        List<JobCondition> conditions = new ArrayList<>(status.getConditions());
        conditions.set(conditions.indexOf(present), condition);
        status.setConditions(conditions);
        return true;
    }
}
