package io.github.reconciler4j.test.fullcluster.internal.kubelet;

import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import java.util.List;

/** Computes the phase of a pod from the status of its containers. Stateless. */
final class PodPhases {

    private PodPhases() {}

    /**
     * Return the phase.
     *
     * @param containers all containers with their status
     * @param isTerminal whether the containers have ended for good, since the pod is deleted
     */
    static String of(List<PodContainer> containers, boolean isTerminal) {
        List<PodContainer> inits = containers.stream()
                .filter(one -> one.place().isInit() && !one.place().isSidecar())
                .toList();
        if (inits.stream().anyMatch(PodPhases::hasFailedForGood)) {
            return "Failed";
        }
        boolean initializes = inits.stream().anyMatch(one -> !one.hasEndedBefore() && one.terminated() == null);
        List<PodContainer> mains =
                containers.stream().filter(one -> !one.place().isInit()).toList();
        boolean waits = mains.stream().anyMatch(one -> one.isWaiting() && !one.hasEndedBefore());
        if (initializes || waits) {
            return "Pending";
        }
        boolean runs = containers.stream()
                .filter(one -> !one.place().isInit() || one.place().isSidecar())
                .anyMatch(PodContainer::isRunning);
        if (runs) {
            return "Running";
        }
        boolean restarts = mains.stream()
                .anyMatch(one -> one.place().restartsAfter(one.lastEnd().getExitCode()));
        if (restarts && !isTerminal) {
            return "Running";
        }
        return mains.stream()
                        .allMatch(
                                one -> one.terminated() != null && one.lastEnd().getExitCode() == 0)
                ? "Succeeded"
                : "Failed";
    }

    private static boolean hasFailedForGood(PodContainer container) {
        ContainerStateTerminated end = container.terminated();
        return end != null && end.getExitCode() != 0 && !container.place().restartsAfter(end.getExitCode());
    }

    /** A container with its status. */
    record PodContainer(ContainerPlace place, ContainerStatus status) {

        boolean isRunning() {
            return status.getState().getRunning() != null;
        }

        boolean isWaiting() {
            return status.getState().getWaiting() != null;
        }

        boolean hasEndedBefore() {
            return status.getLastState() != null && status.getLastState().getTerminated() != null;
        }

        @org.jspecify.annotations.Nullable
        ContainerStateTerminated terminated() {
            return status.getState().getTerminated();
        }

        /** Return how it ended last; only for one that has ended. */
        ContainerStateTerminated lastEnd() {
            ContainerStateTerminated now = terminated();
            return now == null ? status.getLastState().getTerminated() : now;
        }
    }
}
