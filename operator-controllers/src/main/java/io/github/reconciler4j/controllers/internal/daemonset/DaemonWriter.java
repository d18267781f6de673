package io.github.reconciler4j.controllers.internal.daemonset;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.controllers.internal.support.Claims;
import io.github.reconciler4j.controllers.internal.support.PodCalls;
import io.github.reconciler4j.controllers.internal.support.SlowStart;
import io.github.reconciler4j.recorder.EventRecorder;
import java.util.List;

/** Carries out the plans of one DaemonSet, and records events about it. Safe for use by many threads. */
final class DaemonWriter {

    private final Client client;
    private final EventRecorder events;
    private final PodCalls calls;
    private final DaemonSet set;
    private final String hash;

    DaemonWriter(Client client, EventRecorder events, PodCalls calls, DaemonSet set, String hash) {
        this.client = client;
        this.events = events;
        this.calls = calls;
        this.set = set;
        this.hash = hash;
    }

    /** Do all that a plan says, as far as requests succeed, before the first failure is thrown. */
    void carryOut(DaemonPlan plan) {
        plan.ended().forEach(this::recordEnd);
        List<String> nodes = plan.create();
        int[] next = {0};
        RuntimeException creation = SlowStart.run(nodes.size(), size -> {
                    List<String> batch = nodes.subList(next[0], next[0] + size);
                    next[0] += size;
                    return calls.runAll(batch.stream()
                            .map(node -> (Runnable) () -> create(node))
                            .toList());
                })
                .failure();
        RuntimeException deletion = calls.runAll(plan.delete().stream()
                        .map(pod -> (Runnable) () -> delete(pod))
                        .toList())
                .failure();
        if (creation != null || deletion != null) {
            throw creation != null ? creation : deletion;
        }
    }

    private void create(String node) {
        try {
            Pod pod = client.create(DaemonPods.create(set, node, hash));
            events.normal(
                    set,
                    "SuccessfulCreate",
                    "Create",
                    "Created pod: " + pod.getMetadata().getName());
        } catch (RuntimeException e) {
            if (Claims.isNamespaceTerminating(e)) {
                return; // all further attempts would fail, too
            }
            events.warning(set, "FailedCreate", "Create", "Error creating: " + e.getMessage());
            throw e;
        }
    }

    private void delete(Pod pod) {
        try {
            if (client.delete(pod)) {
                events.normal(
                        set,
                        "SuccessfulDelete",
                        "Delete",
                        "Deleted pod: " + pod.getMetadata().getName());
            }
        } catch (RuntimeException e) {
            events.warning(set, "FailedDelete", "Delete", "Error deleting: " + e.getMessage());
            throw e;
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
