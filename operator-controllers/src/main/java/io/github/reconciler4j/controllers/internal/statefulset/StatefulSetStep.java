package io.github.reconciler4j.controllers.internal.statefulset;

import static java.util.Comparator.comparing;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetStatus;
import io.github.reconciler4j.controllers.internal.revision.Revisions;
import io.github.reconciler4j.controllers.internal.support.Numbers;
import io.github.reconciler4j.controllers.internal.support.Pods;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One step of one StatefulSet: pods that are missing are created, surplus ones and outdated ones deleted. In order, a pod
 * has to wait until those before it are available. In parallel, pods wait for nothing. Decides alone; all that is done
 * goes through {@link PodActions}.
 */
final class StatefulSetStep {

    /**
     * How a step ended.
     *
     * @param status to write, also if the step failed
     * @param failure {@code null} if all went well
     */
    record Outcome(StatefulSetStatus status, @Nullable RuntimeException failure) {}

    /** What a step does with one pod. */
    private interface Part {
        /** Do it, and return whether the pods after this one must wait. */
        @CanIgnoreReturnValue
        boolean run(Pod pod);
    }

    private static final int MAX_BATCH = 500;

    private final StatefulSet set;
    private final SetRevisions revisions;
    private final List<Pod> pods;
    private final PodActions actions;
    private final Instant now;
    private final boolean ordered;
    private final int minReadySeconds;
    private final List<Pod> replicas = new ArrayList<>();
    private final List<Pod> condemned = new ArrayList<>();
    private int deleted;

    StatefulSetStep(StatefulSet set, SetRevisions revisions, List<Pod> pods, PodActions actions, Instant now) {
        this.set = set;
        this.revisions = revisions;
        this.pods = pods;
        this.actions = actions;
        this.now = now;
        this.ordered = !RollingUpdates.isParallel(set);
        this.minReadySeconds = Numbers.orZero(set.getSpec().getMinReadySeconds());
    }

    Outcome run() {
        if (set.getMetadata().getDeletionTimestamp() != null) {
            return new Outcome(status(pods), null);
        }
        sort();
        RuntimeException failure = null;
        try {
            step();
        } catch (RuntimeException e) {
            failure = e;
        }
        return new Outcome(
                status(Stream.concat(replicas.stream(), condemned.stream()).toList()), failure);
    }

    private StatefulSetStatus status(List<Pod> counted) {
        return StatefulSetStatuses.of(set, revisions, counted, deleted, now);
    }

    /** Separate the pods that the StatefulSet asks for from the others, and add those that are missing. */
    private void sort() {
        int start = Ordinals.start(set);
        Pod[] present = new Pod[Ordinals.replicas(set)];
        for (Pod pod : pods) {
            if (Ordinals.contains(set, pod)) {
                present[Ordinals.of(pod) - start] = pod;
            } else if (Ordinals.of(pod) != Ordinals.NONE) {
                condemned.add(pod);
            }
        }
        condemned.sort(comparing(Ordinals::of).reversed());
        PodTemplateSpec currentTemplate = null;
        for (int i = 0; i < present.length; i++) {
            if (present[i] != null) {
                replicas.add(present[i]);
            } else if (staysAtCurrent(i)) {
                if (currentTemplate == null) {
                    currentTemplate = Revisions.data(revisions.current()).template();
                }
                replicas.add(StatefulPods.create(set, currentTemplate, start + i, revisions.currentName()));
            } else {
                replicas.add(StatefulPods.create(set, set.getSpec().getTemplate(), start + i, revisions.updateName()));
            }
        }
    }

    /**
     * Whether the pod at an index is made from the current revision: it is below the partition. Without a partition, pods in order
     * are made again as they were. In parallel, a new pod is unavailable, and an outdated one would be deleted immediately, forever.
     */
    private boolean staysAtCurrent(int index) {
        Integer partition = RollingUpdates.partition(set);
        if (partition != null) {
            return index < partition;
        }
        return ordered
                && isStrategy("RollingUpdate")
                && index < Numbers.orZero(StatefulSetStatuses.current(set).getCurrentReplicas());
    }

    private boolean isStrategy(String type) {
        return set.getSpec().getUpdateStrategy() != null
                && type.equals(set.getSpec().getUpdateStrategy().getType());
    }

    private void step() {
        Pod firstUnavailable = firstUnavailable();
        if (stops(replicas, this::process)
                || stops(condemned, this::keepClaims)
                || stops(condemned, pod -> remove(pod, pod.equals(firstUnavailable)))
                || isStrategy("OnDelete")) {
            return;
        }
        for (Pod pod : new RollingUpdates(set, revisions.updateName(), now).toDelete(replicas)) {
            actions.delete(pod);
            deleted++;
        }
    }

    /** The pod that holds up the others: the first one by ordinal, those that the StatefulSet asks for before others. */
    private @Nullable Pod firstUnavailable() {
        List<Pod> ascending = new ArrayList<>(replicas);
        for (int i = condemned.size() - 1; i >= 0; i--) {
            ascending.add(condemned.get(i));
        }
        return ascending.stream()
                .filter(pod -> StatefulPods.isUnavailable(pod, minReadySeconds, now))
                .findFirst()
                .orElse(null);
    }

    /**
     * Do something with each pod: in order until one says that the step ends, else in batches that double. A batch with a
     * failure is the last one, so that what always fails is not tried with each pod.
     */
    private boolean stops(List<Pod> all, Part part) {
        if (ordered) {
            return all.stream().anyMatch(part::run);
        }
        int size = 1;
        for (int from = 0; from < all.size(); from += size, size = Math.min(2 * size, MAX_BATCH)) {
            RuntimeException failure = actions.runAll(all.subList(from, Math.min(from + size, all.size())).stream()
                    .map(pod -> (Runnable) () -> part.run(pod))
                    .toList());
            if (failure != null) {
                throw failure;
            }
        }
        return false;
    }

    /** Bring one pod that the StatefulSet asks for closer to what it should be; return whether later ones must wait. */
    private boolean process(Pod pod) {
        if (Pods.isTerminal(pod)) {
            if (!StatefulPods.isDeleting(pod)) {
                actions.delete(pod); // the next step creates it again, whatever it ended with
            }
            return true;
        }
        if (!StatefulPods.isCreated(pod)) {
            if (actions.hasStaleClaim(pod)) {
                return true;
            }
            actions.create(pod);
            if (ordered) {
                return true;
            }
        }
        if (Pods.phase(pod).equals("Pending")) {
            actions.createMissingClaims(pod);
        }
        if (ordered && (StatefulPods.isDeleting(pod) || isNotReady(pod))) {
            return true;
        }
        if (!StatefulPods.hasIdentity(set, pod)
                || !StatefulPods.hasStorage(set, pod)
                || !actions.haveClaimsRightOwners(pod)) {
            actions.update(pod);
        }
        return false;
    }

    private boolean isNotReady(Pod pod) {
        return !StatefulPods.isRunningAndReady(pod) || !Pods.isAvailable(pod, minReadySeconds, now);
    }

    private boolean keepClaims(Pod pod) {
        if (!actions.haveClaimsRightOwners(pod)) {
            actions.setClaimOwners(pod);
        }
        return false;
    }

    /** Delete a surplus pod, unless another one holds it up; return whether later ones must wait. */
    private boolean remove(Pod pod, boolean isFirstUnavailable) {
        if (StatefulPods.isDeleting(pod)) {
            return ordered;
        }
        if (ordered && isNotReady(pod) && !isFirstUnavailable) {
            return true;
        }
        actions.delete(pod);
        return true;
    }
}
