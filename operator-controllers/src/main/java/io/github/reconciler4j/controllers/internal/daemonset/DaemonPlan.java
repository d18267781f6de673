package io.github.reconciler4j.controllers.internal.daemonset;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.List;

/** What to do next: nodes that get a pod, pods to delete, and events about pods that have ended. Not thread-safe. */
final class DaemonPlan {

    /** How many pods are created, and deleted, at a time. */
    static final int BURST = 250;

    private final List<String> create = new ArrayList<>();
    private final List<Pod> delete = new ArrayList<>();
    private final List<Pod> ended = new ArrayList<>();

    void createOn(String node) {
        create.add(node);
    }

    void delete(Pod pod) {
        delete.add(pod);
    }

    /** Delete a pod that has ended, and say so. */
    void deleteEnded(Pod pod) {
        ended.add(pod);
        delete.add(pod);
    }

    void add(DaemonPlan other) {
        create.addAll(other.create);
        delete.addAll(other.delete);
        ended.addAll(other.ended);
    }

    /** Return the nodes that get a pod now. */
    List<String> create() {
        return create.subList(0, Math.min(BURST, create.size()));
    }

    /** Return the pods to delete now. */
    List<Pod> delete() {
        return delete.subList(0, Math.min(BURST, delete.size()));
    }

    /** Return those among the deleted pods that have failed or succeeded. */
    List<Pod> ended() {
        return ended;
    }

    boolean isEmpty() {
        return create.isEmpty() && delete.isEmpty();
    }
}
