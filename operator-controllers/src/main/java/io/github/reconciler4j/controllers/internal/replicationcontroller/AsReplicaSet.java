package io.github.reconciler4j.controllers.internal.replicationcontroller;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.ReplicationController;
import io.fabric8.kubernetes.api.model.ReplicationControllerCondition;
import io.fabric8.kubernetes.api.model.ReplicationControllerConditionBuilder;
import io.fabric8.kubernetes.api.model.ReplicationControllerStatus;
import io.fabric8.kubernetes.api.model.ReplicationControllerStatusBuilder;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetBuilder;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetCondition;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetConditionBuilder;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetStatus;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetStatusBuilder;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Shows a ReplicationController as the ReplicaSet that it would be, since both follow the same rules. */
final class AsReplicaSet {

    private AsReplicaSet() {}

    static ReplicaSet of(ReplicationController controller) {
        return new ReplicaSetBuilder()
                .withMetadata(controller.getMetadata())
                .withNewSpec()
                .withReplicas(controller.getSpec().getReplicas())
                .withMinReadySeconds(controller.getSpec().getMinReadySeconds())
                .withSelector(selector(controller))
                .withTemplate(controller.getSpec().getTemplate())
                .endSpec()
                .withStatus(status(controller.getStatus()))
                .build();
    }

    /** Return the labels that pods must have; null if there are none, so that nothing is selected. */
    static @Nullable LabelSelector selector(ReplicationController controller) {
        return controller.getSpec().getSelector() == null
                        || controller.getSpec().getSelector().isEmpty()
                ? null
                : new LabelSelectorBuilder()
                        .withMatchLabels(controller.getSpec().getSelector())
                        .build();
    }

    private static ReplicaSetStatus status(@Nullable ReplicationControllerStatus status) {
        return status == null
                ? new ReplicaSetStatus()
                : new ReplicaSetStatusBuilder()
                        .withReplicas(status.getReplicas())
                        .withFullyLabeledReplicas(status.getFullyLabeledReplicas())
                        .withReadyReplicas(status.getReadyReplicas())
                        .withAvailableReplicas(status.getAvailableReplicas())
                        .withObservedGeneration(status.getObservedGeneration())
                        .withConditions(
                                Objects.requireNonNullElse(
                                                status.getConditions(), List.<ReplicationControllerCondition>of())
                                        .stream()
                                        .map(AsReplicaSet::condition)
                                        .toList())
                        .build();
    }

    private static ReplicaSetCondition condition(ReplicationControllerCondition condition) {
        return new ReplicaSetConditionBuilder()
                .withType(condition.getType())
                .withStatus(condition.getStatus())
                .withReason(condition.getReason())
                .withMessage(condition.getMessage())
                .withLastTransitionTime(condition.getLastTransitionTime())
                .build();
    }

    /** Return the status of the ReplicationController. It has no number of pods that are being deleted. */
    static ReplicationControllerStatus statusOf(ReplicaSetStatus status) {
        return new ReplicationControllerStatusBuilder()
                .withReplicas(status.getReplicas())
                .withFullyLabeledReplicas(status.getFullyLabeledReplicas())
                .withReadyReplicas(status.getReadyReplicas())
                .withAvailableReplicas(status.getAvailableReplicas())
                .withObservedGeneration(status.getObservedGeneration())
                .withConditions(status.getConditions().stream()
                        .map(condition -> new ReplicationControllerConditionBuilder()
                                .withType(condition.getType())
                                .withStatus(condition.getStatus())
                                .withReason(condition.getReason())
                                .withMessage(condition.getMessage())
                                .withLastTransitionTime(condition.getLastTransitionTime())
                                .build())
                        .toList())
                .build();
    }
}
