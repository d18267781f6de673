package io.github.reconciler4j.test.fullcluster.internal.kubelet;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.PodReadinessGate;
import io.github.reconciler4j.test.fullcluster.internal.kubelet.PodPhases.PodContainer;
import io.github.reconciler4j.test.fullcluster.internal.support.Times;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Computes the conditions of a pod that a kubelet owns. Stateless. */
final class PodConditions {

    private static final Set<String> OWN =
            Set.of("PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled");

    private PodConditions() {}

    /** A condition without its times. */
    private record Wanted(
            String type,
            boolean holds,
            @Nullable String reason,
            @Nullable String message) {}

    /**
     * Return the conditions of others and the own ones.
     *
     * @param hasNetwork whether the pod has its address, so that containers can start
     */
    static List<PodCondition> of(
            Pod pod, List<PodContainer> containers, String phase, boolean hasNetwork, Instant now) {
        List<PodCondition> before = pod.getStatus().getConditions();
        List<PodCondition> all = new ArrayList<>(before.stream()
                .filter(condition -> !OWN.contains(condition.getType()))
                .toList());
        Wanted containersReady = containersReady(containers, phase);
        List<Wanted> own = List.of(
                new Wanted("PodReadyToStartContainers", hasNetwork, null, null),
                initialized(containers, phase),
                ready(pod, all, containersReady),
                containersReady,
                new Wanted("PodScheduled", true, null, null));
        own.forEach(wanted -> all.add(condition(pod, wanted, before, now)));
        return all;
    }

    private static PodCondition condition(Pod pod, Wanted wanted, List<PodCondition> before, Instant now) {
        String status = wanted.holds() ? "True" : "False";
        String since = before.stream()
                .filter(one -> wanted.type().equals(one.getType()) && status.equals(one.getStatus()))
                .map(PodCondition::getLastTransitionTime)
                .filter(Objects::nonNull)
                .findFirst()
                .orElseGet(() -> Times.format(now));
        return new PodConditionBuilder()
                .withType(wanted.type())
                .withStatus(status)
                .withReason(wanted.reason())
                .withMessage(wanted.message())
                .withObservedGeneration(pod.getMetadata().getGeneration())
                .withLastTransitionTime(since)
                .build();
    }

    private static Wanted initialized(List<PodContainer> containers, String phase) {
        if (phase.equals("Succeeded")) {
            return new Wanted("Initialized", true, "PodCompleted", null);
        }
        boolean hasStarted = containers.stream()
                .anyMatch(one -> !one.place().isInit() && (!one.isWaiting() || one.hasEndedBefore()));
        String missing = hasStarted ? "" : names(containers, one -> one.place().isInit() && !isInitialized(one));
        return missing.isEmpty()
                ? new Wanted("Initialized", true, null, null)
                : new Wanted(
                        "Initialized",
                        false,
                        "ContainersNotInitialized",
                        "containers with incomplete status: [" + missing + "]");
    }

    private static boolean isInitialized(PodContainer container) {
        return Boolean.TRUE.equals(
                container.place().isSidecar()
                        ? container.status().getStarted()
                        : container.status().getReady());
    }

    private static Wanted containersReady(List<PodContainer> containers, String phase) {
        if (phase.equals("Succeeded") || phase.equals("Failed")) {
            return new Wanted("ContainersReady", false, phase.equals("Succeeded") ? "PodCompleted" : "PodFailed", null);
        }
        String unready = names(
                containers,
                one -> (!one.place().isInit() || one.place().isSidecar())
                        && !Boolean.TRUE.equals(one.status().getReady()));
        return unready.isEmpty()
                ? new Wanted("ContainersReady", true, null, null)
                : new Wanted(
                        "ContainersReady",
                        false,
                        "ContainersNotReady",
                        "containers with unready status: [" + unready + "]");
    }

    private static Wanted ready(Pod pod, List<PodCondition> others, Wanted containersReady) {
        if (!containersReady.holds()) {
            return new Wanted("Ready", false, containersReady.reason(), containersReady.message());
        }
        String problems = pod.getSpec().getReadinessGates().stream()
                .map(gate -> problem(gate, others))
                .filter(problem -> !problem.isEmpty())
                .collect(Collectors.joining(", "));
        return problems.isEmpty()
                ? new Wanted("Ready", true, null, null)
                : new Wanted("Ready", false, "ReadinessGatesNotReady", problems);
    }

    private static String problem(PodReadinessGate gate, List<PodCondition> others) {
        String type = gate.getConditionType();
        PodCondition condition = others.stream()
                .filter(one -> type.equals(one.getType()))
                .findFirst()
                .orElse(null);
        if (condition == null) {
            return "corresponding condition of pod readiness gate \"" + type + "\" does not exist.";
        }
        return "True".equals(condition.getStatus())
                ? ""
                : "the status of pod readiness gate \"" + type + "\" is not \"True\", but " + condition.getStatus();
    }

    private static String names(List<PodContainer> containers, Predicate<PodContainer> which) {
        return containers.stream().filter(which).map(one -> one.place().name()).collect(Collectors.joining(" "));
    }
}
