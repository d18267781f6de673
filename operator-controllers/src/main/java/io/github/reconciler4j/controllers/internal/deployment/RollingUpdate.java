package io.github.reconciler4j.controllers.internal.deployment;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import java.util.Collection;
import java.util.List;

/**
 * The arithmetic of a rolling update: never more pods than desired plus surge, never fewer available ones than desired
 * less unavailable.
 */
final class RollingUpdate {

    private final int desired;
    private final RolloutLimits limits;

    private RollingUpdate(int desired, RolloutLimits limits) {
        this.desired = desired;
        this.limits = limits;
    }

    static RollingUpdate of(Deployment deployment) {
        return new RollingUpdate(ReplicaSets.desired(deployment), RolloutLimits.of(deployment));
    }

    /**
     * Return the size of the new ReplicaSet, given all others: it takes what room the surge leaves. Pods that an old one
     * is about to delete still take theirs.
     */
    int newSize(Collection<ReplicaSet> oldSets, int currentSize) {
        if (currentSize >= desired) {
            return desired;
        }
        int room = desired + limits.maxSurge() - ReplicaSets.sum(oldSets, ReplicaSets::wantedOrPresent) - currentSize;
        return room <= 0 ? currentSize : Math.min(currentSize + room, desired);
    }

    /**
     * Decide which old ReplicaSets shrink. Pods of the new one that are not available yet count as if they were missing,
     * so that a broken new template does not take the old pods away.
     */
    ScalePlan shrinkOld(Collection<ReplicaSet> oldSets, ReplicaSet newSet) {
        ScalePlan plan = ScalePlan.empty();
        List<ReplicaSet> old = ReplicaSets.active(oldSets).stream()
                .sorted(ReplicaSets.OLDEST_FIRST)
                .toList();
        int newSize = ReplicaSets.replicas(newSet);
        int all = ReplicaSets.sum(old, ReplicaSets::replicas) + newSize;
        int superfluous = all - minAvailable() - (newSize - ReplicaSets.available(newSet));
        if (old.isEmpty() || superfluous <= 0) {
            return plan;
        }
        if (!shrinkUnhealthy(old, superfluous, plan)) {
            return plan;
        }
        int available = ReplicaSets.sum(old, ReplicaSets::available) + ReplicaSets.available(newSet);
        shrinkAvailable(old, available, plan);
        return plan;
    }

    /**
     * Take away pods that are not available, which costs no availability; at most {@code limit} of them. Return whether
     * the counts can be trusted: a ReplicaSet with more available pods than it asks for was shrunk a moment ago, and its
     * status still counts pods that are about to go.
     */
    static boolean shrinkUnhealthy(List<ReplicaSet> oldestFirst, int limit, ScalePlan plan) {
        int left = limit;
        for (ReplicaSet set : oldestFirst) {
            int size = plan.sizeOf(set);
            int unhealthy = size - ReplicaSets.available(set);
            if (left <= 0) {
                break;
            }
            if (size > 0 && unhealthy < 0) {
                return false;
            }
            if (size > 0 && unhealthy > 0) {
                int taken = Math.min(left, unhealthy);
                plan.set(set, size - taken);
                left -= taken;
            }
        }
        return true;
    }

    /** Take away as many pods as are available beyond the minimum. */
    void shrinkAvailable(List<ReplicaSet> oldestFirst, int available, ScalePlan plan) {
        int left = available - minAvailable();
        for (ReplicaSet set : oldestFirst) {
            int size = plan.sizeOf(set);
            if (left > 0 && size > 0) {
                int taken = Math.min(left, size);
                plan.set(set, size - taken);
                left -= taken;
            }
        }
    }

    int minAvailable() {
        return desired - limits.maxUnavailable();
    }
}
