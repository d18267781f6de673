package io.github.reconciler4j.controllers.internal.statefulset;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetStatus;
import io.github.reconciler4j.controllers.internal.revision.Revisions;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * The revisions that the pods of a StatefulSet may have.
 *
 * @param current the one before the rollout, or that of all pods if there is no rollout
 * @param update the one of the present template
 * @param collisionCount how many names of revisions were taken
 */
record SetRevisions(ControllerRevision current, ControllerRevision update, int collisionCount) {

    /** The label of a revision with the hash of its template. */
    static final String HASH_LABEL = "controller.kubernetes.io/hash";

    /** Find the current revision by its name in the status; it is the present one if it is gone. */
    static SetRevisions of(
            StatefulSet set, List<ControllerRevision> revisions, ControllerRevision update, int collisionCount) {
        String name = StatefulSetStatuses.current(set).getCurrentRevision();
        ControllerRevision current = revisions.stream()
                .filter(revision -> Objects.equals(name, Revisions.name(revision)))
                .findFirst()
                .orElse(update);
        return new SetRevisions(current, update, collisionCount);
    }

    /** Return the revisions as a status has them: the rollout may have ended. */
    SetRevisions after(StatefulSetStatus status) {
        return updateName().equals(status.getCurrentRevision())
                ? new SetRevisions(update, update, collisionCount)
                : this;
    }

    String currentName() {
        return Revisions.name(current);
    }

    String updateName() {
        return Revisions.name(update);
    }

    /**
     * Return the revisions to delete, the oldest first: no pod has them, and they are more than the history may have.
     *
     * @param sorted oldest first
     */
    List<ControllerRevision> expired(StatefulSet set, List<ControllerRevision> sorted, Collection<Pod> pods) {
        Set<String> used = new HashSet<>(Set.of(currentName()));
        used.add(updateName());
        pods.forEach(pod -> used.add(StatefulPods.revision(pod)));
        List<ControllerRevision> unused = sorted.stream()
                .filter(revision -> !used.contains(Revisions.name(revision)))
                .toList();
        Integer limit = set.getSpec().getRevisionHistoryLimit();
        return limit == null || limit < 0 ? List.of() : unused.subList(0, Math.max(0, unused.size() - limit));
    }
}
