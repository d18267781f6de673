package io.github.reconciler4j.controllers.internal.daemonset;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.github.reconciler4j.controllers.internal.revision.Revisions;
import io.github.reconciler4j.controllers.internal.revision.TemplateData;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The revisions of a DaemonSet, oldest first.
 *
 * @param current those with the present template; all but the last one are duplicates
 * @param old the others
 */
record DaemonRevisions(List<ControllerRevision> current, List<ControllerRevision> old) {

    static DaemonRevisions of(DaemonSet set, List<ControllerRevision> sorted) {
        List<ControllerRevision> current =
                Revisions.equal(sorted, TemplateData.of(set.getSpec().getTemplate()));
        return new DaemonRevisions(
                current,
                sorted.stream().filter(revision -> !current.contains(revision)).toList());
    }

    /** Return the hash that the pods of a revision have, {@code null} if it has none yet. */
    static @Nullable String hash(ControllerRevision revision) {
        Map<String, String> labels = revision.getMetadata().getLabels();
        return labels == null ? null : labels.get(Revisions.POD_LABEL);
    }

    /** Return the old revisions to delete: the oldest ones that no pod has, until as many are left as the limit says. */
    List<ControllerRevision> expired(DaemonSet set, Collection<Pod> pods) {
        Integer limit = set.getSpec().getRevisionHistoryLimit();
        Set<String> used = pods.stream()
                .map(pod -> DaemonPods.labels(pod).get(Revisions.POD_LABEL))
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
        return limit == null
                ? List.of()
                : old.stream()
                        .filter(revision -> hash(revision) == null || !used.contains(hash(revision)))
                        .limit(Math.max(0, old.size() - limit))
                        .toList();
    }
}
