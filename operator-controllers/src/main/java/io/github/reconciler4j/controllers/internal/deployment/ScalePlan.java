package io.github.reconciler4j.controllers.internal.deployment;

import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** New sizes of ReplicaSets, decided before any of them is written. */
final class ScalePlan {

    /** One ReplicaSet and the size it gets. */
    record Scale(ReplicaSet replicaSet, int replicas) {
        boolean isChange() {
            return ReplicaSets.replicas(replicaSet) != replicas;
        }
    }

    private final Map<String, Scale> scales = new LinkedHashMap<>();

    static ScalePlan empty() {
        return new ScalePlan();
    }

    /** Return a plan for one ReplicaSet; an empty one if it has that size. */
    static ScalePlan of(ReplicaSet set, int replicas) {
        return ReplicaSets.replicas(set) == replicas ? empty() : empty().set(set, replicas);
    }

    ScalePlan set(ReplicaSet set, int replicas) {
        scales.put(set.getMetadata().getName(), new Scale(set, replicas));
        return this;
    }

    /** The size of a ReplicaSet after this plan. */
    int sizeOf(ReplicaSet set) {
        Scale scale = scales.get(set.getMetadata().getName());
        return scale == null ? ReplicaSets.replicas(set) : scale.replicas();
    }

    /** All ReplicaSets the plan speaks of, also those that keep their size. */
    List<Scale> scales() {
        return new ArrayList<>(scales.values());
    }

    boolean changesSizes() {
        return scales.values().stream().anyMatch(Scale::isChange);
    }
}
