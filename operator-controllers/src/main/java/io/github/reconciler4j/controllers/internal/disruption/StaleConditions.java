package io.github.reconciler4j.controllers.internal.disruption;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.github.reconciler4j.controllers.internal.support.Pods;
import io.github.reconciler4j.controllers.internal.support.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Decides when the condition {@code DisruptionTarget} of a pod is out of date: the one that wanted to evict the pod has set it, but the
 * pod has not been deleted for two minutes.
 */
final class StaleConditions {

    static final String TYPE = "DisruptionTarget";

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private StaleConditions() {}

    /**
     * Return the time until the condition of a pod is out of date, zero if it is; empty if the pod has no such condition, has
     * ended or is being deleted, or if its kubelet has set the condition, which can take any time to stop a pod.
     */
    static Optional<Duration> timeLeft(Pod pod, Instant now) {
        if (pod.getMetadata().getDeletionTimestamp() != null || Pods.isTerminal(pod) || pod.getStatus() == null) {
            return Optional.empty();
        }
        return pod.getStatus().getConditions().stream()
                .filter(condition -> TYPE.equals(condition.getType()))
                .findFirst()
                .filter(condition ->
                        "True".equals(condition.getStatus()) && !"TerminationByKubelet".equals(condition.getReason()))
                .map(condition -> timeLeft(condition, now));
    }

    private static Duration timeLeft(PodCondition condition, Instant now) {
        Instant since = Objects.requireNonNullElse(Times.parse(condition.getLastTransitionTime()), Instant.EPOCH);
        Duration left = Duration.between(now, since.plus(TIMEOUT));
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** Return the conditions of a pod, with {@code DisruptionTarget} set to false. */
    static List<PodCondition> reset(Pod pod, Instant now) {
        PodCondition reset = new PodConditionBuilder()
                .withType(TYPE)
                .withStatus("False")
                .withObservedGeneration(pod.getMetadata().getGeneration())
                .withLastTransitionTime(Times.format(now))
                .build();
        return pod.getStatus().getConditions().stream()
                .map(condition -> TYPE.equals(condition.getType()) ? reset : condition)
                .toList();
    }
}
