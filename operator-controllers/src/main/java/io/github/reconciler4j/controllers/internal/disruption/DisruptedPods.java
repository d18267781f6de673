package io.github.reconciler4j.controllers.internal.disruption;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.github.reconciler4j.controllers.internal.support.Pods;
import io.github.reconciler4j.controllers.internal.support.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The pods whose eviction the API server has allowed, but that it has not deleted yet. They do not count as healthy, for at most
 * two minutes.
 *
 * @param waiting the times of the evictions by the names of the pods
 * @param overdue pods that should have been deleted by now
 * @param untilNext when the first of the others becomes overdue, {@code null} if it does not exist
 */
record DisruptedPods(
        Map<String, String> waiting,
        List<Pod> overdue,
        @Nullable Duration untilNext) {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    static DisruptedPods of(PodDisruptionBudget budget, Collection<Pod> pods, Instant now) {
        Map<String, String> waiting = new TreeMap<>();
        List<Pod> overdue = new ArrayList<>();
        Duration untilNext = null;
        Map<String, String> known =
                budget.getStatus() == null || budget.getStatus().getDisruptedPods() == null
                        ? Map.of()
                        : budget.getStatus().getDisruptedPods();
        for (Pod pod : pods) {
            Instant time = Times.parse(known.get(pod.getMetadata().getName()));
            if (time == null || pod.getMetadata().getDeletionTimestamp() != null) {
                continue;
            }
            Duration left = Duration.between(now, time.plus(TIMEOUT));
            if (left.isNegative()) {
                overdue.add(pod);
            } else {
                waiting.put(
                        pod.getMetadata().getName(), known.get(pod.getMetadata().getName()));
                untilNext = untilNext == null || left.compareTo(untilNext) < 0 ? left : untilNext;
            }
        }
        return new DisruptedPods(waiting, overdue, untilNext);
    }

    /** Return how many pods are ready, and neither being deleted nor about to be. */
    int countHealthy(Collection<Pod> pods, Instant now) {
        return (int) pods.stream()
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null && Pods.isReady(pod))
                .filter(pod -> !isWaiting(pod, now))
                .count();
    }

    private boolean isWaiting(Pod pod, Instant now) {
        Instant time = Times.parse(waiting.get(pod.getMetadata().getName()));
        return time != null && time.plus(TIMEOUT).isAfter(now);
    }
}
