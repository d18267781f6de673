package io.github.reconciler4j.controllers.internal.deployment;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The annotations that a Deployment and its ReplicaSets keep their history in, and that {@code kubectl rollout history}
 * and {@code kubectl rollout undo} read.
 */
final class Revisions {

    static final String REVISION = "deployment.kubernetes.io/revision";
    static final String REVISION_HISTORY = "deployment.kubernetes.io/revision-history";
    static final String DESIRED_REPLICAS = "deployment.kubernetes.io/desired-replicas";
    static final String MAX_REPLICAS = "deployment.kubernetes.io/max-replicas";
    static final String ROLLBACK_TO = "deprecated.deployment.rollback.to";

    /** How long the list of former revisions may become, in characters. */
    static final int MAX_HISTORY_LENGTH = 2000;

    /** Annotations that belong to one object alone; all others go from the Deployment to its new ReplicaSet. */
    private static final Set<String> NOT_COPIED = Set.of(
            "kubectl.kubernetes.io/last-applied-configuration",
            REVISION,
            REVISION_HISTORY,
            DESIRED_REPLICAS,
            MAX_REPLICAS,
            ROLLBACK_TO);

    private Revisions() {}

    /** Return the revision of an object: zero if it has none yet, empty if it is not a number. */
    static OptionalLong of(HasMetadata object) {
        return parse(annotations(object).getOrDefault(REVISION, "0"));
    }

    static long max(Collection<ReplicaSet> sets) {
        return sets.stream()
                .map(Revisions::of)
                .flatMapToLong(OptionalLong::stream)
                .reduce(0, Math::max);
    }

    /** Return the revision before the latest one, or zero without one. */
    static long beforeLatest(Collection<ReplicaSet> sets) {
        return sets.stream()
                .map(Revisions::of)
                .flatMapToLong(OptionalLong::stream)
                .boxed()
                .sorted(Comparator.reverseOrder())
                .skip(1)
                .findFirst()
                .orElse(0L);
    }

    /** Sort by revision; by age where revisions are equal or unknown. */
    static Comparator<ReplicaSet> oldestFirst() {
        return (a, b) -> {
            OptionalLong first = of(a);
            OptionalLong second = of(b);
            return first.isEmpty() || second.isEmpty() || first.equals(second)
                    ? ReplicaSets.OLDEST_FIRST.compare(a, b)
                    : Long.compare(first.getAsLong(), second.getAsLong());
        };
    }

    /** Return the number in an annotation; empty if it is absent, negative, too large or not a number. */
    static OptionalInt number(ReplicaSet set, String annotation) {
        OptionalLong value = parseUnsigned(annotations(set).getOrDefault(annotation, ""));
        return value.isPresent() && value.getAsLong() <= Integer.MAX_VALUE
                ? OptionalInt.of((int) value.getAsLong())
                : OptionalInt.empty();
    }

    /** Write the annotations of the new ReplicaSet; return whether that changed any. */
    static boolean annotateNew(Deployment deployment, ReplicaSet newSet, long revision, int maxHistoryLength) {
        Map<String, String> annotations = new HashMap<>(annotations(newSet));
        annotations(deployment).forEach((key, value) -> {
            if (!NOT_COPIED.contains(key)) {
                annotations.put(key, value);
            }
        });
        String former = annotations.getOrDefault(REVISION, "");
        OptionalLong formerRevision = former.isEmpty() ? OptionalLong.of(0) : parse(former);
        if (formerRevision.isPresent() && formerRevision.getAsLong() < revision) {
            if (annotations.containsKey(REVISION)) { // it served before: a rollback
                remember(former, annotations, maxHistoryLength);
            }
            annotations.put(REVISION, Long.toString(revision));
        }
        boolean changed = formerRevision.isPresent() && !annotations.equals(annotations(newSet));
        newSet.getMetadata().setAnnotations(annotations);
        return changed;
    }

    /** Add a revision to the list of former ones, and drop the oldest ones that make it too long. */
    private static void remember(String revision, Map<String, String> annotations, int maxLength) {
        String list = annotations.getOrDefault(REVISION_HISTORY, "");
        List<String> revisions = new ArrayList<>(list.isEmpty() ? List.of() : List.of(list.split(",", -1)));
        revisions.add(revision);
        while (revisions.size() > 1 && String.join(",", revisions).length() > maxLength) {
            revisions.remove(0);
        }
        String remembered = String.join(",", revisions);
        if (revisions.size() == 1 && list.isEmpty() || remembered.length() <= maxLength) {
            annotations.put(REVISION_HISTORY, remembered);
        }
    }

    /** Write down how many pods the Deployment may have now; return whether that changed anything. */
    static boolean annotateSizes(ReplicaSet set, Deployment deployment) {
        return annotateSizes(
                set,
                ReplicaSets.desired(deployment),
                ReplicaSets.desired(deployment) + RolloutLimits.of(deployment).maxSurge());
    }

    static boolean annotateSizes(ReplicaSet set, int desired, int max) {
        Map<String, String> annotations = new HashMap<>(annotations(set));
        annotations.put(DESIRED_REPLICAS, Integer.toString(desired));
        annotations.put(MAX_REPLICAS, Integer.toString(max));
        boolean changed = !annotations.equals(annotations(set));
        set.getMetadata().setAnnotations(annotations);
        return changed;
    }

    /** Give the Deployment the annotations of the ReplicaSet that it rolls back to. */
    static void takeBack(Deployment deployment, ReplicaSet from) {
        Map<String, String> annotations = new HashMap<>(annotations(deployment));
        annotations.keySet().retainAll(NOT_COPIED);
        annotations(from).forEach((key, value) -> {
            if (!NOT_COPIED.contains(key)) {
                annotations.put(key, value);
            }
        });
        deployment.getMetadata().setAnnotations(annotations);
    }

    /** Return the old ReplicaSets to delete, so that as many are left as the Deployment's history limit says. */
    static List<ReplicaSet> expired(Deployment deployment, Collection<ReplicaSet> oldSets) {
        Integer limit = deployment.getSpec().getRevisionHistoryLimit();
        if (limit == null || limit == Integer.MAX_VALUE) {
            return List.of();
        }
        List<ReplicaSet> alive = oldSets.stream()
                .filter(set -> set.getMetadata().getDeletionTimestamp() == null)
                .sorted(oldestFirst())
                .toList();
        return alive.stream()
                .limit(Math.max(0, alive.size() - limit))
                .filter(Revisions::isUnused)
                .toList();
    }

    private static boolean isUnused(ReplicaSet set) {
        Long generation = set.getMetadata().getGeneration();
        Long observed = ReplicaSets.status(set).getObservedGeneration();
        return ReplicaSets.replicas(set) == 0
                && ReplicaSets.actual(set) == 0
                && Objects.requireNonNullElse(generation, 0L) <= Objects.requireNonNullElse(observed, 0L);
    }

    static Map<String, String> annotations(HasMetadata object) {
        Map<String, String> annotations = object.getMetadata().getAnnotations();
        return annotations == null ? Map.of() : annotations;
    }

    private static OptionalLong parse(String text) {
        try {
            return OptionalLong.of(Long.parseLong(text));
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    private static OptionalLong parseUnsigned(String text) {
        return text.matches("\\d+") ? parse(text) : OptionalLong.empty();
    }
}
