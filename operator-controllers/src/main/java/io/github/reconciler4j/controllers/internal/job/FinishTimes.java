package io.github.reconciler4j.controllers.internal.job;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.github.reconciler4j.controllers.internal.support.Numbers;
import io.github.reconciler4j.controllers.internal.support.Pods;
import io.github.reconciler4j.controllers.internal.support.Times;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds out when pods ended. */
final class FinishTimes {

    private FinishTimes() {}

    /**
     * Return when a pod ended: when its last container did. If its containers do not say so, when it stopped being ready, when
     * its deletion was requested, or at last when it was created.
     */
    static Instant of(Pod pod) {
        return Stream.<Optional<Instant>>of(
                        Optional.ofNullable(ofContainers(pod)),
                        Optional.ofNullable(sinceUnready(pod)),
                        Optional.ofNullable(deletionRequested(pod)),
                        Optional.ofNullable(Times.parse(pod.getMetadata().getCreationTimestamp())))
                .flatMap(Optional::stream)
                .findFirst()
                .orElse(Instant.EPOCH);
    }

    /** Sidecars end after all other containers, and count as well. */
    private static @Nullable Instant ofContainers(Pod pod) {
        if (pod.getStatus() == null) {
            return null;
        }
        Instant last = last(pod.getStatus().getContainerStatuses());
        Set<String> sidecars = sidecars(pod);
        List<ContainerStatus> sidecarStatuses = pod.getStatus().getInitContainerStatuses().stream()
                .filter(status -> sidecars.contains(status.getName()))
                .toList();
        if (sidecarStatuses.isEmpty()) {
            return last;
        }
        Instant lastSidecar = last(sidecarStatuses);
        return lastSidecar == null || last == null || lastSidecar.isAfter(last) ? lastSidecar : last;
    }

    /** The time when the last of some containers ended, {@code null} if one has not. */
    private static @Nullable Instant last(List<ContainerStatus> containers) {
        List<Instant> times = containers.stream()
                .map(FinishTimes::end)
                .filter(Objects::nonNull)
                .toList();
        return times.size() < containers.size()
                ? null
                : times.stream().max(Instant::compareTo).orElse(null);
    }

    private static @Nullable Instant end(ContainerStatus container) {
        return container.getState() == null || container.getState().getTerminated() == null
                ? null
                : Times.parse(container.getState().getTerminated().getFinishedAt());
    }

    private static Set<String> sidecars(Pod pod) {
        return pod.getSpec() == null
                ? Set.of()
                : pod.getSpec().getInitContainers().stream()
                        .filter(container -> "Always".equals(container.getRestartPolicy()))
                        .map(Container::getName)
                        .collect(Collectors.toSet());
    }

    private static @Nullable Instant sinceUnready(Pod pod) {
        return Pods.readyCondition(pod)
                .filter(ready -> "False".equals(ready.getStatus()))
                .map(ready -> Times.parse(ready.getLastTransitionTime()))
                .orElse(null);
    }

    private static @Nullable Instant deletionRequested(Pod pod) {
        Instant deletion = Times.parse(pod.getMetadata().getDeletionTimestamp());
        return deletion == null
                ? null
                : deletion.minusSeconds(Numbers.orZero(pod.getMetadata().getDeletionGracePeriodSeconds()));
    }
}
