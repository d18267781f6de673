package io.github.reconciler4j.sample.controllers.replicaset;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.github.reconciler4j.controllers.internal.support.Numbers;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

/**
 * What a ReplicaSet needs to have as many pods as it asks for.
 *
 * @param create how many pods to create
 * @param delete the pods to delete
 */
record ReplicaPlan(int create, List<Pod> delete) {

    /** Compare what there is with what is asked for. At most {@code burst} pods are created or deleted at a time. */
    static ReplicaPlan of(
            ReplicaSet set, List<Pod> active, Supplier<? extends Collection<Pod>> related, int burst, Instant now) {
        int missing = Numbers.orZero(set.getSpec().getReplicas()) - active.size();
        return missing >= 0
                ? new ReplicaPlan(Math.min(missing, burst), List.of())
                : new ReplicaPlan(0, PodRanking.toDelete(active, related.get(), Math.min(-missing, burst), now));
    }
}
