package io.github.reconciler4j.controllers.internal.job;

import static java.util.Comparator.comparing;
import static java.util.Comparator.nullsFirst;
import static java.util.Comparator.reverseOrder;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.github.reconciler4j.controllers.internal.support.Numbers;
import io.github.reconciler4j.controllers.internal.support.Pods;
import io.github.reconciler4j.controllers.internal.support.Times;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Chooses which of the active pods of a Job to delete. */
final class ActivePods {

    private static final List<String> PHASES = List.of("Pending", "Unknown", "Running");

    /** Pods that have done the least come first. */
    static final Comparator<Pod> LEAST_USEFUL_FIRST = comparing(
                    (Pod pod) -> !Pods.node(pod).isEmpty())
            .thenComparing(pod -> Math.max(0, PHASES.indexOf(Pods.phase(pod))))
            .thenComparing(Pods::isReady)
            .thenComparing(Pods::readySince, nullsFirst(reverseOrder()))
            .thenComparing(pod -> -mostRestarts(pod, false))
            .thenComparing(pod -> -mostRestarts(pod, true))
            .thenComparing(ActivePods::created, nullsFirst(Comparator.<Instant>reverseOrder()));

    private ActivePods() {}

    /**
     * Return the pods to delete: at least {@code count}. Of an indexed Job, pods without a valid index go in any case, and of
     * several pods with the same index all but one.
     */
    static List<Pod> toDelete(Job job, List<Pod> active, int count) {
        List<Pod> delete = new ArrayList<>();
        List<Pod> keep = new ArrayList<>();
        if (JobSpecs.isIndexed(job)) {
            sortOut(active, JobSpecs.completions(job), delete, keep);
        } else {
            keep.addAll(active);
        }
        keep.stream()
                .sorted(LEAST_USEFUL_FIRST)
                .limit(Math.max(0, count - delete.size()))
                .forEach(delete::add);
        return delete;
    }

    static void sortOut(List<Pod> active, int completions, List<Pod> delete, List<Pod> keep) {
        Map<Integer, List<Pod>> byIndex =
                active.stream().collect(Collectors.groupingBy(IndexedPods::index, TreeMap::new, Collectors.toList()));
        byIndex.forEach((index, pods) -> {
            if (index == IndexedPods.UNKNOWN || index >= completions) {
                delete.addAll(pods);
            } else {
                List<Pod> sorted = pods.stream().sorted(LEAST_USEFUL_FIRST).toList();
                delete.addAll(sorted.subList(0, sorted.size() - 1));
                keep.add(sorted.get(sorted.size() - 1));
            }
        });
    }

    private static @Nullable Instant created(Pod pod) {
        return Times.parse(pod.getMetadata().getCreationTimestamp());
    }

    /** How often the container of a pod was restarted that was restarted most; of its sidecars alone, or without them. */
    private static int mostRestarts(Pod pod, boolean ofSidecars) {
        if (pod.getStatus() == null) {
            return 0;
        }
        Set<String> sidecars = pod.getSpec() == null
                ? Set.of()
                : pod.getSpec().getInitContainers().stream()
                        .filter(container -> "Always".equals(container.getRestartPolicy()))
                        .map(Container::getName)
                        .collect(Collectors.toSet());
        List<ContainerStatus> statuses = ofSidecars
                ? pod.getStatus().getInitContainerStatuses().stream()
                        .filter(status -> sidecars.contains(status.getName()))
                        .toList()
                : pod.getStatus().getContainerStatuses();
        return statuses.stream()
                .mapToInt(status -> Numbers.orZero(status.getRestartCount()))
                .max()
                .orElse(0);
    }
}
