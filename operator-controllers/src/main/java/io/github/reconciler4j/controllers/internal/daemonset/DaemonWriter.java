package io.github.reconciler4j.controllers.internal.daemonset;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.github.reconciler4j.controllers.internal.support.PodChanges;
import io.github.reconciler4j.recorder.EventRecorder;
import java.util.function.Supplier;

/** Carries out the plans of one DaemonSet, and records events about it. Safe for use by many threads. */
final class DaemonWriter {

    private final EventRecorder events;
    private final PodChanges changes;
    private final DaemonSet set;
    private final String hash;

    DaemonWriter(EventRecorder events, PodChanges changes, DaemonSet set, String hash) {
        this.events = events;
        this.changes = changes;
        this.set = set;
        this.hash = hash;
    }

    /** Do all that a plan says, as far as requests succeed, before the first failure is thrown. */
    void carryOut(DaemonPlan plan) {
        plan.ended().forEach(this::recordEnd);
        RuntimeException failure = changes.carryOut(
                set,
                plan.create().stream()
                        .map(node -> (Supplier<Pod>) () -> DaemonPods.create(set, node, hash))
                        .toList(),
                plan.delete());
        if (failure != null) {
            throw failure;
        }
    }

    private void recordEnd(Pod pod) {
        String subject = pod.getMetadata().getNamespace() + "/"
                + pod.getMetadata().getName() + " on node " + DaemonPods.targetNode(pod);
        if ("Failed".equals(pod.getStatus().getPhase())) {
            events.warning(
                    set, "FailedDaemonPod", "Delete", "Found failed daemon pod " + subject + ", will try to kill it");
        } else {
            events.normal(
                    set,
                    "SucceededDaemonPod",
                    "Delete",
                    "Found succeeded daemon pod " + subject + ", will try to delete it");
        }
    }
}
