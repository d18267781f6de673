package io.github.reconciler4j.controllers.internal.statefulset;

import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.RollingUpdateStatefulSetStrategy;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.github.reconciler4j.controllers.internal.support.Numbers;
import io.github.reconciler4j.controllers.internal.support.Pods;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Selects the pods that make room for pods of the new revision: from the highest ordinal down to the partition. */
final class RollingUpdates {

    private final StatefulSet set;
    private final String newRevision;
    private final Instant now;

    RollingUpdates(StatefulSet set, String newRevision, Instant now) {
        this.set = set;
        this.newRevision = newRevision;
        this.now = now;
    }

    static boolean isParallel(StatefulSet set) {
        return "Parallel".equals(set.getSpec().getPodManagementPolicy());
    }

    private static @Nullable RollingUpdateStatefulSetStrategy settings(StatefulSet set) {
        return set.getSpec().getUpdateStrategy() == null
                ? null
                : set.getSpec().getUpdateStrategy().getRollingUpdate();
    }

    /** Return how many pods from the first on stay at the current revision; {@code null} without such a setting. */
    static @Nullable Integer partition(StatefulSet set) {
        RollingUpdateStatefulSetStrategy settings = settings(set);
        return settings == null ? null : Numbers.orZero(settings.getPartition());
    }

    /** Return how many pods may be unavailable, at least one. */
    static int maxUnavailable(StatefulSet set) {
        RollingUpdateStatefulSetStrategy settings = settings(set);
        IntOrString limit = settings == null ? null : settings.getMaxUnavailable();
        return Math.max(1, limit == null ? 1 : scaled(limit, Ordinals.replicas(set)));
    }

    /** A number, or a percentage of all, rounded down. */
    private static int scaled(IntOrString limit, int all) {
        String text = limit.getStrVal();
        if (text == null) {
            return Numbers.orZero(limit.getIntVal());
        }
        if (!text.matches("\\d{1,9}%")) {
            throw new IllegalArgumentException("'maxUnavailable' must be a number or a percentage, was '" + text + "'");
        }
        return (int) (Long.parseLong(text.substring(0, text.length() - 1)) * all / 100);
    }

    /**
     * Return the pods to delete, in this order.
     *
     * @param replicas all pods that the StatefulSet asks for, by ordinal
     */
    List<Pod> toDelete(List<Pod> replicas) {
        int left = maxUnavailable(set)
                - (int) replicas.stream().filter(this::isUnavailable).count();
        List<Pod> outdated = new ArrayList<>();
        Integer partition = partition(set);
        for (int i = replicas.size() - 1; i >= (partition == null ? 0 : partition); i--) {
            Pod pod = replicas.get(i);
            if (!StatefulPods.revision(pod).equals(newRevision) && !StatefulPods.isDeleting(pod)) {
                outdated.add(pod);
            }
        }
        if (!isParallel(set)) {
            return outdated.subList(0, Math.max(0, Math.min(left, outdated.size())));
        }
        // Pods that do not serve may go at any time; those that serve are deleted as far as the limit allows.
        Predicate<Pod> serves = pod -> Pods.isAvailable(pod, minReadySeconds(), now);
        List<Pod> selected = new ArrayList<>(outdated);
        selected.removeIf(serves);
        outdated.stream().filter(serves).limit(Math.max(0, left)).forEach(selected::add);
        return selected;
    }

    private boolean isUnavailable(Pod pod) {
        return StatefulPods.isUnavailable(pod, minReadySeconds(), now);
    }

    private int minReadySeconds() {
        return Numbers.orZero(set.getSpec().getMinReadySeconds());
    }
}
