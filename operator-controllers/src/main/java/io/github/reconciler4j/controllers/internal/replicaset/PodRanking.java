package io.github.reconciler4j.controllers.internal.replicaset;

import static java.util.Comparator.comparing;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.github.reconciler4j.controllers.internal.support.Numbers;
import io.github.reconciler4j.controllers.internal.support.Pods;
import io.github.reconciler4j.controllers.internal.support.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sorts pods by how little is lost when they are deleted: pods that do nothing yet come first, pods that have served for
 * long come last.
 *
 * <p>Ages are compared by their order of magnitude, and pods of about the same age are sorted by uid, that is at random,
 * so that scaling down does not always hit the pods of the zone or node that was filled last.
 *
 * @since 0.1.0
 */
public final class PodRanking {

    static final String DELETION_COST = "controller.kubernetes.io/pod-deletion-cost";

    private static final List<String> PHASES = List.of("Pending", "Unknown", "Running");

    private PodRanking() {}

    /** Return the pods to delete. Related pods are all of the same application: crowded nodes give theirs up first. */
    public static List<Pod> toDelete(List<Pod> pods, Collection<Pod> related, int count, Instant now) {
        if (count >= pods.size()) {
            return pods;
        }
        Map<String, Integer> podsOnNode = new HashMap<>();
        related.stream().filter(Pods::isActive).forEach(pod -> podsOnNode.merge(Pods.node(pod), 1, Integer::sum));
        return pods.stream()
                .sorted(leastUsefulFirst(pod -> podsOnNode.getOrDefault(Pods.node(pod), 0), now))
                .limit(count)
                .toList();
    }

    /** Return the order in which pods are deleted. */
    public static Comparator<Pod> leastUsefulFirst(ToIntFunction<Pod> podsOnNode, Instant now) {
        return comparing((Pod pod) -> !Pods.node(pod).isEmpty())
                .thenComparing(pod -> Math.max(0, PHASES.indexOf(Pods.phase(pod))))
                .thenComparing(Pods::isReady)
                .thenComparing(PodRanking::deletionCost)
                .thenComparing(pod -> -podsOnNode.applyAsInt(pod))
                .thenComparing(
                        (a, b) -> Pods.isReady(a) ? youngerFirst(a, b, Pods.readySince(a), Pods.readySince(b), now) : 0)
                .thenComparing(pod -> -mostRestarts(pod, false))
                .thenComparing(pod -> -mostRestarts(pod, true))
                .thenComparing((a, b) -> youngerFirst(a, b, created(a), created(b), now));
    }

    /** The younger of two pods first, by order of magnitude; an unknown time counts as very young. */
    private static int youngerFirst(Pod a, Pod b, @Nullable Instant timeA, @Nullable Instant timeB, Instant now) {
        if (Objects.equals(timeA, timeB)) {
            return 0;
        }
        if (timeA == null || timeB == null) {
            return timeA == null ? -1 : 1;
        }
        int byAge = Integer.compare(magnitude(Duration.between(timeA, now)), magnitude(Duration.between(timeB, now)));
        return byAge != 0
                ? byAge
                : a.getMetadata().getUid().compareTo(b.getMetadata().getUid());
    }

    /** The logarithm of an age to the base 2, rounded down; -1 for one that is not positive. */
    private static int magnitude(Duration age) {
        return age.isNegative() || age.isZero() ? -1 : 63 - Long.numberOfLeadingZeros(age.toNanos());
    }

    private static @Nullable Instant created(Pod pod) {
        return Times.parse(pod.getMetadata().getCreationTimestamp());
    }

    /** What a user says that deleting a pod costs; zero if nothing, or nothing valid. */
    static int deletionCost(Pod pod) {
        Map<String, String> annotations = pod.getMetadata().getAnnotations();
        String cost = annotations == null ? null : annotations.get(DELETION_COST);
        if (cost == null || !cost.matches("0|-\\d+|[1-9]\\d*")) {
            return 0;
        }
        try {
            return Integer.parseInt(cost);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /** How often the container of a pod was restarted that was restarted most; of its sidecars alone, or without them. */
    private static int mostRestarts(Pod pod, boolean sidecars) {
        if (pod.getStatus() == null) {
            return 0;
        }
        if (!sidecars) {
            return most(pod.getStatus().getContainerStatuses());
        }
        Set<String> names = pod.getSpec() == null
                ? Set.of()
                : pod.getSpec().getInitContainers().stream()
                        .filter(container -> "Always".equals(container.getRestartPolicy()))
                        .map(Container::getName)
                        .collect(Collectors.toSet());
        return most(pod.getStatus().getInitContainerStatuses().stream()
                .filter(status -> names.contains(status.getName()))
                .toList());
    }

    private static int most(List<ContainerStatus> statuses) {
        return statuses.stream()
                .mapToInt(status -> Numbers.orZero(status.getRestartCount()))
                .max()
                .orElse(0);
    }
}
