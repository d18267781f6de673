package io.github.reconciler4j.controllers.internal.statefulset;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetStatus;
import io.fabric8.kubernetes.api.model.apps.StatefulSetStatusBuilder;
import io.github.reconciler4j.controllers.internal.support.Numbers;
import io.github.reconciler4j.controllers.internal.support.Pods;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;

/** Works out the status of a StatefulSet from its pods. */
final class StatefulSetStatuses {

    private StatefulSetStatuses() {}

    /**
     * Return the status with counts of these pods.
     *
     * @param deleted how many pods of the current revision are being deleted since they were read
     */
    static StatefulSetStatus of(StatefulSet set, SetRevisions revisions, List<Pod> pods, int deleted, Instant now) {
        int minReadySeconds = Numbers.orZero(set.getSpec().getMinReadySeconds());
        StatefulSetStatus status = new StatefulSetStatusBuilder(current(set))
                .withObservedGeneration(
                        Numbers.orAbsent(Numbers.orZero(set.getMetadata().getGeneration())))
                .withCurrentRevision(revisions.currentName())
                .withUpdateRevision(revisions.updateName())
                .withCollisionCount(revisions.collisionCount())
                .withReplicas(count(pods, StatefulPods::isCreated))
                .withReadyReplicas(Numbers.orAbsent(count(pods, StatefulPods::isRunningAndReady)))
                .withAvailableReplicas(count(
                        pods,
                        pod -> StatefulPods.isRunningAndReady(pod) && Pods.isAvailable(pod, minReadySeconds, now)))
                .withCurrentReplicas(Numbers.orAbsent(count(pods, pod -> is(pod, revisions.currentName())) - deleted))
                .withUpdatedReplicas(Numbers.orAbsent(count(pods, pod -> is(pod, revisions.updateName()))))
                .build();
        complete(set, status);
        return status;
    }

    static StatefulSetStatus current(StatefulSet set) {
        return set.getStatus() == null ? new StatefulSetStatus() : set.getStatus();
    }

    private static boolean is(Pod pod, String revision) {
        return StatefulPods.isCreated(pod)
                && !StatefulPods.isDeleting(pod)
                && StatefulPods.revision(pod).equals(revision);
    }

    private static int count(List<Pod> pods, Predicate<Pod> which) {
        return (int) pods.stream().filter(which).count();
    }

    /** The new revision becomes the current one when all pods have it and are ready. */
    static void complete(StatefulSet set, StatefulSetStatus status) {
        int wanted = Ordinals.replicas(set);
        if (Numbers.orZero(status.getUpdatedReplicas()) == wanted
                && Numbers.orZero(status.getReadyReplicas()) == wanted
                && Numbers.orZero(status.getReplicas()) == wanted) {
            status.setCurrentReplicas(status.getUpdatedReplicas());
            status.setCurrentRevision(status.getUpdateRevision());
        }
    }
}
