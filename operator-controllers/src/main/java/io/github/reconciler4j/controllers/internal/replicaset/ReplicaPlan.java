package io.github.reconciler4j.controllers.internal.replicaset;

import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

/**
 * What a ReplicaSet needs to have as many pods as it asks for.
 *
 * @param create how many pods to create
 * @param delete the pods to delete
 * @since 0.1.0
 */
public record ReplicaPlan(int create, List<Pod> delete) {

    /** Compare what there is with what is asked for. At most {@code burst} pods are created or deleted at a time. */
    public static ReplicaPlan of(
            int replicas, List<Pod> active, Supplier<? extends Collection<Pod>> related, int burst, Instant now) {
        int missing = replicas - active.size();
        return missing >= 0
                ? new ReplicaPlan(Math.min(missing, burst), List.of())
                : new ReplicaPlan(0, PodRanking.toDelete(active, related.get(), Math.min(-missing, burst), now));
    }
}
