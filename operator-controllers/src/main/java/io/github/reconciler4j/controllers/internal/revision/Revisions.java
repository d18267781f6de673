package io.github.reconciler4j.controllers.internal.revision;

import static java.util.Comparator.comparing;
import static java.util.Comparator.naturalOrder;
import static java.util.Comparator.nullsFirst;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.fabric8.kubernetes.api.model.apps.ControllerRevisionBuilder;
import io.github.reconciler4j.client.OwnerReferences;
import io.github.reconciler4j.controllers.internal.support.Numbers;
import io.github.reconciler4j.controllers.internal.support.Times;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sorts, compares, describes and selects the revisions of pod templates.
 *
 * @since 0.1.0
 */
public final class Revisions {

    /** The label of pods with the revision that they were created from. */
    public static final String POD_LABEL = "controller-revision-hash";

    /** By number; by age and name where numbers are equal. */
    public static final Comparator<ControllerRevision> OLDEST_FIRST = comparing(Revisions::number)
            .thenComparing(
                    revision -> Times.parse(revision.getMetadata().getCreationTimestamp()), nullsFirst(naturalOrder()))
            .thenComparing(revision -> name(revision));

    private static final int MAX_PREFIX = 223;

    private Revisions() {}

    /** Return the number of a revision. */
    public static long number(ControllerRevision revision) {
        return Numbers.orZero(revision.getRevision());
    }

    /** Return the name of a revision. */
    public static String name(ControllerRevision revision) {
        return revision.getMetadata().getName();
    }

    /** Return the template that a revision keeps. */
    public static TemplateData data(ControllerRevision revision) {
        return TemplateData.in(revision.getData());
    }

    /** Return the number for a revision after these. */
    public static long next(Collection<ControllerRevision> revisions) {
        return revisions.stream().mapToLong(Revisions::number).max().orElse(0) + 1;
    }

    /** Return the revisions with this template, in their order. */
    public static List<ControllerRevision> equal(List<ControllerRevision> revisions, TemplateData template) {
        return revisions.stream()
                .filter(revision -> data(revision).equals(template))
                .toList();
    }

    /**
     * Describe the revision of a template.
     *
     * @param owner gives its name and its annotations to the revision
     * @param hashLabel the label with the hash, which each controller calls by another name
     * @param collisionCount makes another name if it differs
     */
    public static ControllerRevision describe(
            HasMetadata owner,
            PodTemplateSpec template,
            String hashLabel,
            long number,
            @Nullable Integer collisionCount) {
        TemplateData data = TemplateData.of(template);
        String hash = data.hash(collisionCount);
        Map<String, String> labels = new HashMap<>();
        if (template.getMetadata() != null && template.getMetadata().getLabels() != null) {
            labels.putAll(template.getMetadata().getLabels());
        }
        labels.put(hashLabel, hash);
        ControllerRevision revision = new ControllerRevisionBuilder()
                .withNewMetadata()
                .withNamespace(owner.getMetadata().getNamespace())
                .withName(name(owner.getMetadata().getName(), hash))
                .withLabels(labels)
                .withAnnotations(owner.getMetadata().getAnnotations())
                .endMetadata()
                .withData(data.patch())
                .withRevision(number)
                .build();
        OwnerReferences.setController(revision, owner);
        return revision;
    }

    /** Return the name of an owner's revision; the name of the owner is shortened if there is no room for it. */
    static String name(String owner, String hash) {
        return (owner.length() > MAX_PREFIX ? owner.substring(0, MAX_PREFIX) : owner) + "-" + hash;
    }
}
