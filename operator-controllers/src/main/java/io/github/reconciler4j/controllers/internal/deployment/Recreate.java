package io.github.reconciler4j.controllers.internal.deployment;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.github.reconciler4j.controllers.internal.support.Pods;
import java.util.Collection;

/** The strategy that never has pods of two templates at the same time: stop all old ones, then start new ones. */
final class Recreate {

    private Recreate() {}

    static ScalePlan stopOld(Collection<ReplicaSet> oldSets) {
        ScalePlan plan = ScalePlan.empty();
        ReplicaSets.active(oldSets).forEach(set -> plan.set(set, 0));
        return plan;
    }

    /** Return whether old pods may still be running: those that terminate do, and those of an unknown phase may. */
    static boolean oldPodsRun(Collection<ReplicaSet> oldSets, Collection<Pod> oldPods) {
        return ReplicaSets.sum(oldSets, ReplicaSets::actual) > 0
                || oldPods.stream().anyMatch(pod -> !Pods.isTerminal(pod));
    }
}
