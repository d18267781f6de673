package io.github.reconciler4j.controllers.internal.support;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Answers the questions about pods that several controllers ask.
 *
 * @since 0.1.0
 */
public final class Pods {

    private Pods() {}

    /** Return the phase of a pod, an empty text before it has one. */
    public static String phase(Pod pod) {
        PodStatus status = pod.getStatus();
        return status == null || status.getPhase() == null ? "" : status.getPhase();
    }

    /** Return the node that a pod is assigned to, an empty text before the scheduler has chosen one. */
    public static String node(Pod pod) {
        return pod.getSpec() == null || pod.getSpec().getNodeName() == null
                ? ""
                : pod.getSpec().getNodeName();
    }

    /** Return whether all containers of a pod have ended for good. */
    public static boolean isTerminal(Pod pod) {
        return phase(pod).equals("Succeeded") || phase(pod).equals("Failed");
    }

    /** Return whether a pod counts as one of its owner's replicas: it has neither ended nor is it being deleted. */
    public static boolean isActive(Pod pod) {
        return !isTerminal(pod) && pod.getMetadata().getDeletionTimestamp() == null;
    }

    /** Return whether a pod is being deleted and still has running containers. */
    public static boolean isTerminating(Pod pod) {
        return !isTerminal(pod) && pod.getMetadata().getDeletionTimestamp() != null;
    }

    /** Return whether the condition {@code Ready} of a pod is true. */
    public static boolean isReady(Pod pod) {
        return readyCondition(pod)
                .filter(ready -> "True".equals(ready.getStatus()))
                .isPresent();
    }

    /** Return the condition {@code Ready} of a pod. */
    public static Optional<PodCondition> readyCondition(Pod pod) {
        return pod.getStatus() == null
                ? Optional.empty()
                : pod.getStatus().getConditions().stream()
                        .filter(condition -> "Ready".equals(condition.getType()))
                        .findFirst();
    }

    /** Return when a pod became ready, {@code null} if it is not or if the time is unknown. */
    public static @Nullable Instant readySince(Pod pod) {
        return isReady(pod)
                ? Times.parse(readyCondition(pod)
                        .map(PodCondition::getLastTransitionTime)
                        .orElse(null))
                : null;
    }

    /** Return whether a pod has been ready for {@code minReadySeconds}. */
    public static boolean isAvailable(Pod pod, int minReadySeconds, Instant now) {
        if (!isReady(pod)) {
            return false;
        }
        Instant since = readySince(pod);
        return minReadySeconds == 0
                || (since != null && !since.plusSeconds(minReadySeconds).isAfter(now));
    }

    /** Return the time until a ready pod becomes available; empty if it is available, or not ready. */
    public static Optional<Duration> untilAvailable(Pod pod, int minReadySeconds, Instant now) {
        Instant since = readySince(pod);
        if (since == null || minReadySeconds <= 0) {
            return Optional.empty();
        }
        Duration left = Duration.between(now, since.plusSeconds(minReadySeconds));
        return left.isNegative() || left.isZero() ? Optional.empty() : Optional.of(left);
    }

    /** Return the time until the first of these pods becomes available; empty if none of them will by waiting. */
    public static Optional<Duration> untilNextAvailable(Collection<Pod> pods, int minReadySeconds, Instant now) {
        return pods.stream()
                .map(pod -> untilAvailable(pod, minReadySeconds, now).orElse(null))
                .filter(Objects::nonNull)
                .min(Duration::compareTo);
    }
}
