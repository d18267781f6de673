package io.github.reconciler4j.controllers.internal.deployment;

import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Takes a Deployment back to a former revision that an annotation names. {@code kubectl rollout undo} changes the pod
 * template itself today; the annotation is what remains of the field {@code rollbackTo} of old API versions.
 */
final class Rollback {

    private Rollback() {}

    /** Return the revision to go back to: zero for the one before the latest. Empty if nothing valid is asked for. */
    static OptionalLong requested(Deployment deployment) {
        String revision = Revisions.annotations(deployment).getOrDefault(Revisions.ROLLBACK_TO, "");
        return revision.matches("[+-]?\\d{1,18}") ? OptionalLong.of(Long.parseLong(revision)) : OptionalLong.empty();
    }

    static void clear(Deployment deployment) {
        Map<String, String> annotations = new HashMap<>(Revisions.annotations(deployment));
        annotations.remove(Revisions.ROLLBACK_TO);
        deployment.getMetadata().setAnnotations(annotations);
    }

    /** Return the ReplicaSet with a revision; zero is the one before the latest. */
    static Optional<ReplicaSet> find(Collection<ReplicaSet> sets, long revision) {
        long wanted = revision == 0 ? Revisions.beforeLatest(sets) : revision;
        return wanted == 0
                ? Optional.empty()
                : sets.stream()
                        .filter(set -> Revisions.of(set).equals(OptionalLong.of(wanted)))
                        .findFirst();
    }

    /** Give a Deployment the pod template and the annotations of a ReplicaSet. */
    static void apply(Deployment deployment, ReplicaSet from) {
        deployment.getSpec().setTemplate(withoutHash(from.getSpec().getTemplate()));
        Revisions.takeBack(deployment, from);
    }

    private static PodTemplateSpec withoutHash(PodTemplateSpec template) {
        return new PodTemplateSpecBuilder(template)
                .editOrNewMetadata()
                .removeFromLabels(PodTemplates.HASH_LABEL)
                .endMetadata()
                .build();
    }
}
