package io.github.reconciler4j.controllers.internal.deployment;

import io.fabric8.kubernetes.api.model.apps.DeploymentCondition;
import io.fabric8.kubernetes.api.model.apps.DeploymentConditionBuilder;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatus;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetCondition;
import io.github.reconciler4j.controllers.internal.support.Times;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The conditions in the status of a Deployment: {@code Available}, {@code Progressing} and {@code ReplicaFailure}. */
final class DeploymentConditions {

    static final String AVAILABLE = "Available";
    static final String PROGRESSING = "Progressing";
    static final String REPLICA_FAILURE = "ReplicaFailure";

    static final String NEW_REPLICA_SET_CREATED = "NewReplicaSetCreated";
    static final String NEW_REPLICA_SET_FOUND = "FoundNewReplicaSet";
    static final String NEW_REPLICA_SET_AVAILABLE = "NewReplicaSetAvailable";
    static final String REPLICA_SET_UPDATED = "ReplicaSetUpdated";
    static final String CREATE_FAILED = "ReplicaSetCreateError";
    static final String TIMED_OUT = "ProgressDeadlineExceeded";
    static final String PAUSED = "DeploymentPaused";
    static final String RESUMED = "DeploymentResumed";

    private DeploymentConditions() {}

    static DeploymentCondition of(String type, String status, String reason, String message, Instant now) {
        return new DeploymentConditionBuilder()
                .withType(type)
                .withStatus(status)
                .withReason(reason)
                .withMessage(message)
                .withLastUpdateTime(Times.format(now))
                .withLastTransitionTime(Times.format(now))
                .build();
    }

    static Optional<DeploymentCondition> find(DeploymentStatus status, String type) {
        return status.getConditions().stream()
                .filter(condition -> type.equals(condition.getType()))
                .findFirst();
    }

    static boolean hasReason(DeploymentStatus status, String type, String reason) {
        return find(status, type)
                .filter(condition -> reason.equals(condition.getReason()))
                .isPresent();
    }

    /**
     * Set a condition. One with the same status and reason stays as it is; one with the same status keeps the time of
     * its last transition.
     */
    static void set(DeploymentStatus status, DeploymentCondition condition) {
        DeploymentCondition present = find(status, condition.getType()).orElse(null);
        DeploymentConditionBuilder changed = new DeploymentConditionBuilder(condition);
        if (present != null && present.getStatus().equals(condition.getStatus())) {
            if (present.getReason().equals(condition.getReason())) {
                return;
            }
            changed.withLastTransitionTime(present.getLastTransitionTime());
        }
        replace(status, condition.getType(), changed.build());
    }

    /** Set a condition, with a new time of its last update even if nothing else has changed. */
    static void renew(DeploymentStatus status, DeploymentCondition condition) {
        DeploymentConditionBuilder changed = new DeploymentConditionBuilder(condition);
        find(status, condition.getType())
                .filter(present -> "True".equals(present.getStatus()))
                .ifPresent(present -> changed.withLastTransitionTime(present.getLastTransitionTime()));
        replace(status, condition.getType(), changed.build());
    }

    static void remove(DeploymentStatus status, String type) {
        replace(status, type, null);
    }

    private static void replace(DeploymentStatus status, String type, @Nullable DeploymentCondition condition) {
        List<DeploymentCondition> conditions = new ArrayList<>(status.getConditions());
        conditions.removeIf(other -> type.equals(other.getType()));
        if (condition != null) {
            conditions.add(condition);
        }
        status.setConditions(conditions);
    }

    /** Return why pods could not be created or deleted; a failure of the new ReplicaSet goes before those of others. */
    static Optional<DeploymentCondition> replicaFailure(List<ReplicaSet> oldSets, @Nullable ReplicaSet newSet) {
        List<ReplicaSet> newFirst = new ArrayList<>(newSet == null ? List.of() : List.of(newSet));
        newFirst.addAll(oldSets);
        return newFirst.stream()
                .flatMap(set -> ReplicaSets.status(set).getConditions().stream())
                .filter(condition -> REPLICA_FAILURE.equals(condition.getType()))
                .map(DeploymentConditions::fromReplicaSet)
                .findFirst();
    }

    static DeploymentCondition fromReplicaSet(ReplicaSetCondition condition) {
        return new DeploymentConditionBuilder()
                .withType(condition.getType())
                .withStatus(condition.getStatus())
                .withReason(condition.getReason())
                .withMessage(condition.getMessage())
                .withLastTransitionTime(condition.getLastTransitionTime())
                .withLastUpdateTime(condition.getLastTransitionTime())
                .build();
    }
}
