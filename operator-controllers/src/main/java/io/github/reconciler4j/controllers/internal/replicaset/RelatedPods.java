package io.github.reconciler4j.controllers.internal.replicaset;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.github.reconciler4j.client.OwnerReferences;
import io.github.reconciler4j.controllers.internal.support.Selectors;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Finds the pods of the same application: those of all ReplicaSets that have the same controller, a Deployment. */
final class RelatedPods {

    private RelatedPods() {}

    static List<Pod> of(ReplicaSet set, Collection<ReplicaSet> sets, Collection<Pod> pods) {
        Optional<String> owner = controllerUid(set);
        List<ReplicaSet> related = sets.stream()
                .filter(other -> owner.isPresent() && controllerUid(other).equals(owner))
                .toList();
        return pods.stream()
                .filter(pod -> related.stream().anyMatch(other -> selects(other, pod)))
                .toList();
    }

    private static boolean selects(ReplicaSet set, Pod pod) {
        try {
            return Objects.equals(
                            set.getMetadata().getNamespace(), pod.getMetadata().getNamespace())
                    && Selectors.matches(set.getSpec().getSelector(), pod);
        } catch (IllegalArgumentException e) {
            return false; // a selector that is not valid selects nothing
        }
    }

    private static Optional<String> controllerUid(ReplicaSet set) {
        return OwnerReferences.controllerOf(set).map(OwnerReference::getUid);
    }
}
