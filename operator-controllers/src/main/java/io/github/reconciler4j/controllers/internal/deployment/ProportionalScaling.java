package io.github.reconciler4j.controllers.internal.deployment;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.github.reconciler4j.controllers.internal.support.Numbers;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Decides the sizes when a Deployment is scaled while it is paused or in the middle of a rollout: every ReplicaSet grows
 * or shrinks by its share, so that scaling does not hasten the rollout.
 */
final class ProportionalScaling {

    private ProportionalScaling() {}

    static ScalePlan plan(Deployment deployment, @Nullable ReplicaSet newSet, Collection<ReplicaSet> oldSets) {
        int desired = ReplicaSets.desired(deployment);
        List<ReplicaSet> active = ReplicaSets.active(ReplicaSets.all(oldSets, newSet));
        if (active.size() <= 1) {
            return ReplicaSets.findActiveOrLatest(newSet, oldSets)
                    .filter(set -> ReplicaSets.replicas(set) != desired)
                    .map(set -> ScalePlan.of(set, desired))
                    .orElseGet(ScalePlan::empty);
        }
        if (newSet != null && isSaturated(deployment, newSet)) {
            ScalePlan plan = ScalePlan.empty();
            ReplicaSets.active(oldSets).forEach(set -> plan.set(set, 0));
            return plan;
        }
        return ReplicaSets.isRollingUpdate(deployment) ? distribute(deployment, active) : ScalePlan.empty();
    }

    /** Whether the new ReplicaSet has all desired pods, knows so, and all of them are available. */
    static boolean isSaturated(Deployment deployment, ReplicaSet newSet) {
        int desired = ReplicaSets.desired(deployment);
        return ReplicaSets.replicas(newSet) == desired
                && Revisions.number(newSet, Revisions.DESIRED_REPLICAS).equals(OptionalInt.of(desired))
                && ReplicaSets.available(newSet) == desired;
    }

    private static ScalePlan distribute(Deployment deployment, List<ReplicaSet> active) {
        int desired = ReplicaSets.desired(deployment);
        int allowed = desired > 0 ? desired + RolloutLimits.of(deployment).maxSurge() : 0;
        int toAdd = allowed - ReplicaSets.sum(active, ReplicaSets::replicas);
        Comparator<ReplicaSet> order =
                toAdd > 0 ? ReplicaSets.LARGEST_THEN_NEWEST_FIRST : ReplicaSets.LARGEST_THEN_OLDEST_FIRST;
        List<ReplicaSet> sets =
                toAdd == 0 ? active : active.stream().sorted(order).toList();
        ScalePlan plan = ScalePlan.empty();
        int added = 0;
        for (ReplicaSet set : sets) {
            int share = share(set, deployment, toAdd, added);
            plan.set(set, ReplicaSets.replicas(set) + share);
            added += share;
        }
        if (toAdd != added) { // what rounding left over
            ReplicaSet first = sets.get(0);
            plan.set(first, Math.max(0, plan.sizeOf(first) + toAdd - added));
        }
        return plan;
    }

    /** Return by how much a ReplicaSet grows (or shrinks, if negative) when {@code toAdd} pods are distributed. */
    static int share(ReplicaSet set, Deployment deployment, int toAdd, int added) {
        if (ReplicaSets.replicas(set) == 0 || toAdd == added) {
            return 0;
        }
        int fraction = fraction(set, deployment);
        return toAdd > 0 ? Math.min(fraction, toAdd - added) : Math.max(fraction, toAdd - added);
    }

    /** Return by how much a ReplicaSet would grow if its size followed the size of the deployment exactly. */
    static int fraction(ReplicaSet set, Deployment deployment) {
        int size = ReplicaSets.replicas(set);
        int desired = ReplicaSets.desired(deployment);
        if (desired == 0) {
            return -size;
        }
        int maxBefore = Revisions.number(set, Revisions.MAX_REPLICAS).orElse(0);
        if (maxBefore == 0) { // the annotation is missing, so the present number of pods has to do
            maxBefore = deployment.getStatus() == null
                    ? 0
                    : Numbers.orZero(deployment.getStatus().getReplicas());
        }
        if (maxBefore == 0) {
            return 0;
        }
        int maxNow = desired + RolloutLimits.of(deployment).maxSurge();
        double newSize = (double) (size * maxNow) / maxBefore;
        return (int) (newSize < 0 ? newSize - 0.5 : newSize + 0.5) - size;
    }
}
