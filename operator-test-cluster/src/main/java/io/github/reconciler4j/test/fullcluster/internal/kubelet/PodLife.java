package io.github.reconciler4j.test.fullcluster.internal.kubelet;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.HostIP;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodIP;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.github.reconciler4j.test.fullcluster.internal.kubelet.PodPhases.PodContainer;
import io.github.reconciler4j.test.fullcluster.internal.support.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Decides what happens next to a pod that has a node. Stateless. */
final class PodLife {

    private static final Set<String> ENDED = Set.of("Succeeded", "Failed");

    private final ContainerLife containers;

    PodLife(RestartBackoff backoff) {
        containers = new ContainerLife(backoff);
    }

    /**
     * What the decision depends on besides the pod.
     *
     * @param behavior returns how a container behaves
     * @param exitCode with which code the running containers end now; null if they do not
     * @param nodeAddress the address of the node
     * @param podAddress returns an unused address of the node
     * @param isKilling whether the end of the containers has been announced
     */
    record Surroundings(
            Function<ContainerPlace, Behavior> behavior,
            @Nullable Integer exitCode,
            String nodeAddress,
            Supplier<String> podAddress,
            boolean isKilling,
            Instant now) {}

    /**
     * What happens next.
     *
     * @param status the whole status from now on
     * @param again when to ask again if nothing changes until then; null if that is not needed
     * @param isGone whether nothing of the pod is left on the node, so that it can be deleted
     * @param hasEndedContainers whether the exit code of the surroundings was used
     */
    record Step(
            PodStatus status,
            List<ContainerEvent> events,
            @Nullable Duration again,
            boolean isGone,
            boolean hasEndedContainers) {}

    /** Collects the parts of a step. */
    private static final class Progress {
        private final List<PodContainer> containers = new ArrayList<>();
        private final List<ContainerEvent> events = new ArrayList<>();
        private @Nullable Duration again;
        private boolean hasEndedContainers;

        void keep(PodContainer container) {
            containers.add(container);
        }

        void add(ContainerPlace place, ContainerLife.Step step) {
            containers.add(new PodContainer(place, step.status()));
            events.addAll(step.events());
            Duration other = step.again();
            if (other != null && (again == null || other.compareTo(again) < 0)) {
                again = other;
            }
        }
    }

    /** Return the next step of a pod. */
    Step next(Pod pod, Surroundings around) {
        List<PodContainer> all = containersOf(pod);
        if (pod.getMetadata().getDeletionTimestamp() != null) {
            return end(pod, all, around);
        }
        if (ENDED.contains(Objects.requireNonNullElse(pod.getStatus().getPhase(), ""))) {
            return new Step(pod.getStatus(), List.of(), null, false, false);
        }
        if (pod.getStatus().getStartTime() == null) {
            PodStatus accepted = status(pod, all, "Pending", around, null);
            return new Step(accepted, List.of(), null, false, false);
        }
        Progress progress = run(all, around);
        String phase = PodPhases.of(progress.containers, false);
        PodStatus status = status(pod, progress.containers, phase, around, address(pod, around));
        return new Step(status, progress.events, progress.again, false, progress.hasEndedContainers);
    }

    private static List<PodContainer> containersOf(Pod pod) {
        List<PodContainer> all = new ArrayList<>();
        for (Container container : pod.getSpec().getInitContainers()) {
            all.add(known(
                    new ContainerPlace(pod, container, true), pod.getStatus().getInitContainerStatuses()));
        }
        for (Container container : pod.getSpec().getContainers()) {
            all.add(known(
                    new ContainerPlace(pod, container, false), pod.getStatus().getContainerStatuses()));
        }
        return all;
    }

    private static PodContainer known(ContainerPlace place, List<ContainerStatus> statuses) {
        ContainerStatus status = statuses.stream()
                .filter(one -> place.name().equals(one.getName()) && one.getState() != null)
                .findFirst()
                .orElseGet(() -> ContainerLife.waiting(place));
        return new PodContainer(place, status);
    }

    private Progress run(List<PodContainer> all, Surroundings around) {
        Progress progress = new Progress();
        boolean isDone = all.stream().filter(one -> !one.place().isInit()).allMatch(PodLife::hasEndedForGood);
        boolean isBlocked = false;
        for (PodContainer one : all) {
            Behavior behavior = around.behavior().apply(one.place());
            if (one.place().isSidecar() && isDone) {
                progress.keep(
                        one.isRunning()
                                ? new PodContainer(
                                        one.place(), ContainerLife.ended(one.place(), one.status(), 0, around.now()))
                                : one);
            } else if (isBlocked || one.place().isInit() && isComplete(one)) {
                progress.keep(one);
            } else if (!one.place().isInit()) {
                runMain(progress, one, behavior, around);
            } else {
                ContainerLife.Step step = containers.next(one.place(), one.status(), behavior, around.now());
                progress.add(one.place(), step);
                isBlocked = !one.place().isSidecar()
                        || !Boolean.TRUE.equals(step.status().getStarted());
            }
        }
        return progress;
    }

    private void runMain(Progress progress, PodContainer one, Behavior usual, Surroundings around) {
        boolean endsNow = around.exitCode() != null && one.isRunning();
        progress.hasEndedContainers |= endsNow;
        Behavior behavior = endsNow ? usual.withExitCode(around.exitCode()) : usual;
        progress.add(one.place(), containers.next(one.place(), one.status(), behavior, around.now()));
    }

    private static boolean hasEndedForGood(PodContainer container) {
        return container.terminated() != null
                && !container.place().restartsAfter(container.terminated().getExitCode());
    }

    private static boolean isComplete(PodContainer container) {
        return !container.place().isSidecar()
                && container.terminated() != null
                && container.terminated().getExitCode() == 0;
    }

    /** End the containers of a deleted pod, those that ignore the wish at the end of the grace period. */
    private static Step end(Pod pod, List<PodContainer> all, Surroundings around) {
        Instant end = Times.parse(pod.getMetadata().getDeletionTimestamp(), around.now());
        List<PodContainer> ended = new ArrayList<>();
        List<ContainerEvent> events = new ArrayList<>();
        boolean waits = false;
        for (PodContainer one : all) {
            if (!one.isRunning()) {
                ended.add(one);
                continue;
            }
            if (!around.isKilling()) {
                events.add(ContainerEvent.normal(
                        one.place(),
                        "Killing",
                        "Stopping container " + one.place().name()));
            }
            if (around.behavior().apply(one.place()).ignoresTermination()) {
                boolean isLate = !around.now().isBefore(end);
                waits |= !isLate;
                ended.add(
                        isLate
                                ? new PodContainer(
                                        one.place(), ContainerLife.killed(one.place(), one.status(), around.now()))
                                : one);
            } else {
                ended.add(
                        new PodContainer(one.place(), ContainerLife.ended(one.place(), one.status(), 0, around.now())));
            }
        }
        if (pod.getStatus().getStartTime() == null) {
            return new Step(pod.getStatus(), List.of(), null, true, false);
        }
        String before = Objects.requireNonNullElse(pod.getStatus().getPhase(), "");
        String phase = ENDED.contains(before) ? before : PodPhases.of(ended, !waits);
        PodStatus status = status(pod, ended, phase, around, pod.getStatus().getPodIP());
        Duration again = waits ? Duration.between(around.now(), end) : null;
        return new Step(status, events, again, !waits, false);
    }

    private static String address(Pod pod, Surroundings around) {
        String known = pod.getStatus().getPodIP();
        if (known != null && !known.isEmpty()) {
            return known;
        }
        return Boolean.TRUE.equals(pod.getSpec().getHostNetwork())
                ? around.nodeAddress()
                : around.podAddress().get();
    }

    private static PodStatus status(
            Pod pod, List<PodContainer> containers, String phase, Surroundings around, @Nullable String address) {
        boolean hasNetwork = address != null && !address.isEmpty();
        PodStatus before = pod.getStatus();
        return new PodStatusBuilder(before)
                .withPhase(phase)
                .withObservedGeneration(pod.getMetadata().getGeneration())
                .withStartTime(Objects.requireNonNullElseGet(before.getStartTime(), () -> Times.format(around.now())))
                .withHostIP(around.nodeAddress())
                .withHostIPs(new HostIP(around.nodeAddress()))
                .withPodIP(hasNetwork ? address : null)
                .withPodIPs(hasNetwork ? List.of(new PodIP(address)) : List.of())
                .withInitContainerStatuses(statuses(containers, true))
                .withContainerStatuses(statuses(containers, false))
                .withConditions(PodConditions.of(pod, containers, phase, hasNetwork, around.now()))
                .build();
    }

    private static List<ContainerStatus> statuses(List<PodContainer> containers, boolean isInit) {
        return containers.stream()
                .filter(one -> one.place().isInit() == isInit)
                .map(PodContainer::status)
                .toList();
    }
}
