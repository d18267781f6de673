package io.github.reconciler4j.controllers.internal.replicaset;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetCondition;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetConditionBuilder;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetStatus;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetStatusBuilder;
import io.github.reconciler4j.controllers.internal.support.Numbers;
import io.github.reconciler4j.controllers.internal.support.Pods;
import io.github.reconciler4j.controllers.internal.support.Times;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Works out the status of a ReplicaSet from its pods.
 *
 * @since 0.1.0
 */
public final class ReplicaSetStatuses {

    static final String REPLICA_FAILURE = "ReplicaFailure";

    private ReplicaSetStatuses() {}

    /** Return the status; {@code failure} is why pods could not be created or deleted just now. */
    public static ReplicaSetStatus of(
            ReplicaSet set, List<Pod> active, int terminating, @Nullable String failure, Instant now) {
        int minReadySeconds = Numbers.orZero(set.getSpec().getMinReadySeconds());
        Map<String, String> labels = templateLabels(set);
        ReplicaSetStatus status = new ReplicaSetStatusBuilder(current(set))
                .withObservedGeneration(
                        Numbers.orAbsent(Numbers.orZero(set.getMetadata().getGeneration())))
                .withReplicas(active.size())
                .withFullyLabeledReplicas(count(active, pod -> hasLabels(pod, labels)))
                .withReadyReplicas(count(active, Pods::isReady))
                .withAvailableReplicas(count(active, pod -> Pods.isAvailable(pod, minReadySeconds, now)))
                .withTerminatingReplicas(terminating)
                .build();
        boolean failedBefore = find(status, REPLICA_FAILURE).isPresent();
        if (failure != null && !failedBefore) {
            int missing = Numbers.orZero(set.getSpec().getReplicas()) - active.size();
            String reason = missing > 0 ? "FailedCreate" : missing < 0 ? "FailedDelete" : "";
            set(status, condition(REPLICA_FAILURE, reason, failure, now));
        } else if (failure == null && failedBefore) {
            remove(status, REPLICA_FAILURE);
        }
        return status;
    }

    static ReplicaSetStatus current(ReplicaSet set) {
        return set.getStatus() == null ? new ReplicaSetStatus() : set.getStatus();
    }

    private static ReplicaSetCondition condition(String type, String reason, String message, Instant now) {
        return new ReplicaSetConditionBuilder()
                .withType(type)
                .withStatus("True")
                .withReason(reason)
                .withMessage(message)
                .withLastTransitionTime(Times.format(now))
                .build();
    }

    static Optional<ReplicaSetCondition> find(ReplicaSetStatus status, String type) {
        return status.getConditions().stream()
                .filter(condition -> type.equals(condition.getType()))
                .findFirst();
    }

    /** Set a condition; one with the same status and reason stays as it is. */
    static void set(ReplicaSetStatus status, ReplicaSetCondition condition) {
        boolean present = find(status, condition.getType())
                .filter(other -> other.getStatus().equals(condition.getStatus())
                        && other.getReason().equals(condition.getReason()))
                .isPresent();
        if (!present) {
            remove(status, condition.getType());
            status.getConditions().add(condition);
        }
    }

    static void remove(ReplicaSetStatus status, String type) {
        List<ReplicaSetCondition> conditions = new ArrayList<>(status.getConditions());
        conditions.removeIf(condition -> type.equals(condition.getType()));
        status.setConditions(conditions);
    }

    private static @Nullable Integer count(List<Pod> pods, Predicate<Pod> which) {
        return Numbers.orAbsent((int) pods.stream().filter(which).count());
    }

    private static boolean hasLabels(Pod pod, Map<String, String> wanted) {
        Map<String, String> labels = pod.getMetadata().getLabels();
        return wanted.isEmpty() || (labels != null && labels.entrySet().containsAll(wanted.entrySet()));
    }

    private static Map<String, String> templateLabels(ReplicaSet set) {
        return set.getSpec().getTemplate() == null
                        || set.getSpec().getTemplate().getMetadata() == null
                        || set.getSpec().getTemplate().getMetadata().getLabels() == null
                ? Map.of()
                : set.getSpec().getTemplate().getMetadata().getLabels();
    }
}
