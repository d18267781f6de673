package io.github.reconciler4j.controllers.internal.daemonset;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.DaemonSetStatus;
import io.fabric8.kubernetes.api.model.apps.DaemonSetStatusBuilder;
import io.github.reconciler4j.controllers.internal.support.Numbers;
import io.github.reconciler4j.controllers.internal.support.Pods;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Works out the status of a DaemonSet from the nodes and its pods. */
final class DaemonSetStatuses {

    private DaemonSetStatuses() {}

    static DaemonSetStatus of(
            DaemonSet set, Collection<Node> nodes, Map<String, List<Pod>> podsByNode, String hash, Instant now) {
        int minReadySeconds = Numbers.orZero(set.getSpec().getMinReadySeconds());
        int desired = 0;
        int scheduled = 0;
        int misscheduled = 0;
        int ready = 0;
        int updated = 0;
        int available = 0;
        for (Node node : nodes) {
            List<Pod> pods = podsByNode.getOrDefault(node.getMetadata().getName(), List.of());
            if (!NodeFit.of(set, node).run()) {
                misscheduled += pods.isEmpty() ? 0 : 1;
                continue;
            }
            desired++;
            if (pods.isEmpty()) {
                continue;
            }
            scheduled++;
            Pod oldest = pods.stream().min(DaemonPods.OLDEST_FIRST).orElseThrow();
            ready += Pods.isReady(oldest) ? 1 : 0;
            available += Pods.isAvailable(oldest, minReadySeconds, now) ? 1 : 0;
            updated += DaemonPods.isUpdated(set, oldest, hash) ? 1 : 0;
        }
        return new DaemonSetStatusBuilder(current(set))
                .withObservedGeneration(
                        Numbers.orAbsent(Numbers.orZero(set.getMetadata().getGeneration())))
                .withDesiredNumberScheduled(desired)
                .withCurrentNumberScheduled(scheduled)
                .withNumberMisscheduled(misscheduled)
                .withNumberReady(ready)
                .withUpdatedNumberScheduled(Numbers.orAbsent(updated))
                .withNumberAvailable(Numbers.orAbsent(available))
                .withNumberUnavailable(Numbers.orAbsent(desired - available))
                .build();
    }

    static DaemonSetStatus current(DaemonSet set) {
        return set.getStatus() == null ? new DaemonSetStatus() : set.getStatus();
    }
}
