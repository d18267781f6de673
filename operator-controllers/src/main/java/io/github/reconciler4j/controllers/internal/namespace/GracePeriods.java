package io.github.reconciler4j.controllers.internal.namespace;

import io.fabric8.kubernetes.api.model.Pod;
import io.github.reconciler4j.controllers.internal.support.Numbers;
import io.github.reconciler4j.controllers.internal.support.Pods;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;

/** Estimates how long the pods of a namespace take to end. */
final class GracePeriods {

    private GracePeriods() {}

    /** Return the longest grace period of pods that run, in seconds; zero if it has passed since the deletion. */
    static long estimate(Collection<Pod> pods, Instant namespaceDeleted, Instant now) {
        long longest = pods.stream()
                .filter(pod -> !Pods.isTerminal(pod) && pod.getSpec() != null)
                .mapToLong(pod -> Numbers.orZero(pod.getSpec().getTerminationGracePeriodSeconds()))
                .max()
                .orElse(0);
        boolean passed = Duration.between(namespaceDeleted, now).compareTo(Duration.ofSeconds(longest)) >= 0;
        return passed ? 0 : Math.max(0, longest);
    }
}
