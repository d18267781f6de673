package io.github.reconciler4j.test.fullcluster.internal.scheduler;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.Set;

/** Which pods need a node. Stateless. */
final class Schedulable {

    private static final String DEFAULT = "default-scheduler";
    private static final Set<String> ENDED = Set.of("Succeeded", "Failed");

    private Schedulable() {}

    /** Return whether a pod waits for this scheduler: without a node, gates and another scheduler, and not deleted. */
    static boolean isWaiting(Pod pod) {
        String scheduler = pod.getSpec().getSchedulerName();
        String node = pod.getSpec().getNodeName();
        return (node == null || node.isEmpty())
                && pod.getMetadata().getDeletionTimestamp() == null
                && pod.getSpec().getSchedulingGates().isEmpty()
                && (scheduler == null || scheduler.isEmpty() || scheduler.equals(DEFAULT))
                && !hasEnded(pod);
    }

    /** Return whether a pod has ended, so that it needs no place on a node. */
    static boolean hasEnded(Pod pod) {
        return pod.getStatus() != null
                && pod.getStatus().getPhase() != null
                && ENDED.contains(pod.getStatus().getPhase());
    }
}
