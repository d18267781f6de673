package io.github.reconciler4j.controllers.internal.deployment;

import static io.github.reconciler4j.controllers.internal.deployment.DeploymentConditions.AVAILABLE;
import static io.github.reconciler4j.controllers.internal.deployment.DeploymentConditions.PROGRESSING;
import static io.github.reconciler4j.controllers.internal.deployment.DeploymentConditions.REPLICA_FAILURE;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentCondition;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatus;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatusBuilder;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.github.reconciler4j.controllers.internal.support.Numbers;
import io.github.reconciler4j.controllers.internal.support.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Works out the status of a Deployment: how many pods there are, and whether the rollout gets on. */
final class RolloutStatus {

    private final Deployment deployment;
    private final List<ReplicaSet> oldSets;
    private final @Nullable ReplicaSet newSet;
    private final Instant now;

    RolloutStatus(Deployment deployment, List<ReplicaSet> oldSets, @Nullable ReplicaSet newSet, Instant now) {
        this.deployment = deployment;
        this.oldSets = oldSets;
        this.newSet = newSet;
        this.now = now;
    }

    static DeploymentStatus current(Deployment deployment) {
        return deployment.getStatus() == null ? new DeploymentStatus() : deployment.getStatus();
    }

    static DeploymentStatus copyOfCurrent(Deployment deployment) {
        return new DeploymentStatusBuilder(current(deployment)).build();
    }

    /** Return the status with the numbers of pods and the condition {@code Available}. */
    DeploymentStatus counted() {
        List<ReplicaSet> all = ReplicaSets.all(oldSets, newSet);
        int available = ReplicaSets.sum(all, ReplicaSets::available);
        int wanted = ReplicaSets.sum(all, ReplicaSets::replicas);
        DeploymentStatus before = current(deployment);
        DeploymentStatus status = new DeploymentStatusBuilder()
                .withObservedGeneration(
                        Numbers.orAbsent(Numbers.orZero(deployment.getMetadata().getGeneration())))
                .withReplicas(Numbers.orAbsent(ReplicaSets.sum(all, ReplicaSets::actual)))
                .withUpdatedReplicas(Numbers.orAbsent(newSet == null ? 0 : ReplicaSets.actual(newSet)))
                .withReadyReplicas(Numbers.orAbsent(ReplicaSets.sum(all, ReplicaSets::ready)))
                .withAvailableReplicas(Numbers.orAbsent(available))
                .withUnavailableReplicas(Numbers.orAbsent(Math.max(0, wanted - available)))
                .withTerminatingReplicas(ReplicaSets.terminating(all))
                .withCollisionCount(before.getCollisionCount())
                .withConditions(new ArrayList<>(before.getConditions()))
                .build();
        boolean enough = available
                >= ReplicaSets.desired(deployment)
                        - RolloutLimits.of(deployment).maxUnavailable();
        DeploymentConditions.set(
                status,
                enough
                        ? condition(
                                AVAILABLE, "True", "MinimumReplicasAvailable", "Deployment has minimum availability.")
                        : condition(
                                AVAILABLE,
                                "False",
                                "MinimumReplicasUnavailable",
                                "Deployment does not have minimum availability."));
        return status;
    }

    /** Return the status with all conditions, as it is during a rollout. */
    DeploymentStatus ofRollout() {
        DeploymentStatus status = counted();
        if (!hasProgressDeadline(deployment)) {
            DeploymentConditions.remove(status, PROGRESSING);
        } else if (!wasCompleteBefore(status)) {
            estimateProgress(status);
        }
        Optional<DeploymentCondition> failure = DeploymentConditions.replicaFailure(oldSets, newSet);
        if (failure.isPresent()) {
            DeploymentConditions.set(status, failure.get());
        } else {
            DeploymentConditions.remove(status, REPLICA_FAILURE);
        }
        return status;
    }

    /** After a rollout is complete, pods that come and go are no progress and no lack of it. */
    private boolean wasCompleteBefore(DeploymentStatus status) {
        return Objects.equals(status.getReplicas(), status.getUpdatedReplicas())
                && DeploymentConditions.hasReason(
                        current(deployment), PROGRESSING, DeploymentConditions.NEW_REPLICA_SET_AVAILABLE);
    }

    private void estimateProgress(DeploymentStatus status) {
        String subject = newSet == null
                ? "Deployment \"" + deployment.getMetadata().getName() + "\""
                : "ReplicaSet \"" + newSet.getMetadata().getName() + "\"";
        if (isComplete(deployment, status)) {
            DeploymentConditions.set(
                    status,
                    condition(
                            PROGRESSING,
                            "True",
                            DeploymentConditions.NEW_REPLICA_SET_AVAILABLE,
                            subject + " has successfully progressed."));
        } else if (isProgressing(deployment, status)) {
            DeploymentConditions.renew(
                    status,
                    condition(
                            PROGRESSING,
                            "True",
                            DeploymentConditions.REPLICA_SET_UPDATED,
                            subject + " is progressing."));
        } else if (isTimedOut(deployment, status, now)) {
            DeploymentConditions.set(
                    status,
                    condition(
                            PROGRESSING,
                            "False",
                            DeploymentConditions.TIMED_OUT,
                            subject + " has timed out progressing."));
        }
    }

    /**
     * Return when to look at the rollout again even if nothing happens: when its deadline passes. Empty if it has none,
     * is complete, or is late already.
     */
    Optional<Duration> untilDeadline(DeploymentStatus status) {
        DeploymentCondition progressing =
                DeploymentConditions.find(current(deployment), PROGRESSING).orElse(null);
        if (!hasProgressDeadline(deployment)
                || progressing == null
                || isComplete(deployment, status)
                || DeploymentConditions.TIMED_OUT.equals(progressing.getReason())) {
            return Optional.empty();
        }
        Instant updated = Objects.requireNonNullElse(Times.parse(progressing.getLastUpdateTime()), Instant.EPOCH);
        Duration left = Duration.between(now, updated.plusSeconds(deadline(deployment)));
        return Optional.of(left.compareTo(Duration.ofSeconds(1)) < 0 ? Duration.ZERO : left);
    }

    /** Whether all desired pods have the new template and are available, and there are no others. */
    static boolean isComplete(Deployment deployment, DeploymentStatus status) {
        int desired = ReplicaSets.desired(deployment);
        return Numbers.orZero(status.getUpdatedReplicas()) == desired
                && Numbers.orZero(status.getReplicas()) == desired
                && Numbers.orZero(status.getAvailableReplicas()) == desired
                && Numbers.orZero(status.getObservedGeneration())
                        >= Numbers.orZero(deployment.getMetadata().getGeneration());
    }

    /** Whether there are more new, ready or available pods than before, or fewer old ones. */
    static boolean isProgressing(Deployment deployment, DeploymentStatus status) {
        DeploymentStatus before = current(deployment);
        int oldBefore = Numbers.orZero(before.getReplicas()) - Numbers.orZero(before.getUpdatedReplicas());
        int oldNow = Numbers.orZero(status.getReplicas()) - Numbers.orZero(status.getUpdatedReplicas());
        return Numbers.orZero(status.getUpdatedReplicas()) > Numbers.orZero(before.getUpdatedReplicas())
                || oldNow < oldBefore
                || Numbers.orZero(status.getReadyReplicas()) > Numbers.orZero(before.getReadyReplicas())
                || Numbers.orZero(status.getAvailableReplicas()) > Numbers.orZero(before.getAvailableReplicas());
    }

    /** Whether the last progress is longer ago than the deadline says. */
    static boolean isTimedOut(Deployment deployment, DeploymentStatus status, Instant now) {
        DeploymentCondition progressing =
                DeploymentConditions.find(status, PROGRESSING).orElse(null);
        if (!hasProgressDeadline(deployment)
                || progressing == null
                || DeploymentConditions.NEW_REPLICA_SET_AVAILABLE.equals(progressing.getReason())) {
            return false;
        }
        if (DeploymentConditions.TIMED_OUT.equals(progressing.getReason())) {
            return true;
        }
        Instant updated = Objects.requireNonNullElse(Times.parse(progressing.getLastUpdateTime()), Instant.EPOCH);
        return updated.plusSeconds(deadline(deployment)).isBefore(now);
    }

    static boolean hasProgressDeadline(Deployment deployment) {
        Integer seconds = deployment.getSpec().getProgressDeadlineSeconds();
        return seconds != null && seconds != Integer.MAX_VALUE;
    }

    private static int deadline(Deployment deployment) {
        return deployment.getSpec().getProgressDeadlineSeconds();
    }

    private DeploymentCondition condition(String type, String status, String reason, String message) {
        return DeploymentConditions.of(type, status, reason, message, now);
    }
}
