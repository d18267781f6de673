package io.github.reconciler4j.controllers.internal.deployment;

import static java.util.Comparator.comparing;
import static java.util.Comparator.naturalOrder;
import static java.util.Comparator.nullsFirst;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetStatus;
import io.github.reconciler4j.controllers.internal.support.Numbers;
import io.github.reconciler4j.controllers.internal.support.Times;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Counts, sorts and finds the ReplicaSets of a Deployment. */
final class ReplicaSets {

    static final Comparator<ReplicaSet> OLDEST_FIRST = comparing(
                    (ReplicaSet set) -> Times.parse(set.getMetadata().getCreationTimestamp()),
                    nullsFirst(naturalOrder()))
            .thenComparing(set -> set.getMetadata().getName());

    static final Comparator<ReplicaSet> LARGEST_THEN_OLDEST_FIRST =
            comparing(ReplicaSets::replicas).reversed().thenComparing(OLDEST_FIRST);

    static final Comparator<ReplicaSet> LARGEST_THEN_NEWEST_FIRST =
            comparing(ReplicaSets::replicas).reversed().thenComparing(OLDEST_FIRST.reversed());

    private ReplicaSets() {}

    /** The number of pods that a deployment asks for. */
    static int desired(Deployment deployment) {
        return Numbers.orZero(deployment.getSpec().getReplicas());
    }

    static boolean isRollingUpdate(Deployment deployment) {
        return deployment.getSpec().getStrategy() != null
                && "RollingUpdate".equals(deployment.getSpec().getStrategy().getType());
    }

    /** The number of pods that a ReplicaSet asks for. */
    static int replicas(ReplicaSet set) {
        return Numbers.orZero(set.getSpec().getReplicas());
    }

    static ReplicaSetStatus status(ReplicaSet set) {
        return set.getStatus() == null ? new ReplicaSetStatus() : set.getStatus();
    }

    static int available(ReplicaSet set) {
        return Numbers.orZero(status(set).getAvailableReplicas());
    }

    static int actual(ReplicaSet set) {
        return Numbers.orZero(status(set).getReplicas());
    }

    /** The number of pods that a ReplicaSet asks for, or has if that is more. */
    static int wantedOrPresent(ReplicaSet set) {
        return Math.max(replicas(set), actual(set));
    }

    static int ready(ReplicaSet set) {
        return Numbers.orZero(status(set).getReadyReplicas());
    }

    static int sum(Collection<ReplicaSet> sets, ToIntFunction<ReplicaSet> number) {
        return sets.stream().mapToInt(number).sum();
    }

    /**
     * Return how many pods of these ReplicaSets are terminating, {@code null} if that is unknown because the controller
     * that wrote one of their status did not count them.
     */
    static @Nullable Integer terminating(Collection<ReplicaSet> sets) {
        int sum = 0;
        for (ReplicaSet set : sets) {
            ReplicaSetStatus status = status(set);
            if (status.getTerminatingReplicas() != null) {
                sum += status.getTerminatingReplicas();
            } else if (Numbers.orZero(status.getObservedGeneration()) != 0) {
                return null;
            }
        }
        return sum;
    }

    /** Those that have pods or ought to have some. */
    static List<ReplicaSet> active(Collection<ReplicaSet> sets) {
        return sets.stream().filter(set -> replicas(set) > 0).toList();
    }

    /** Return the oldest ReplicaSet with the pod template of the deployment. */
    static Optional<ReplicaSet> findNew(Deployment deployment, Collection<ReplicaSet> sets) {
        return sets.stream()
                .sorted(OLDEST_FIRST)
                .filter(set -> PodTemplates.areEqual(
                        set.getSpec().getTemplate(), deployment.getSpec().getTemplate()))
                .findFirst();
    }

    /** Return all ReplicaSets but the new one, oldest first. */
    static List<ReplicaSet> findOld(Collection<ReplicaSet> sets, @Nullable ReplicaSet newSet) {
        return sets.stream()
                .filter(set -> newSet == null
                        || !set.getMetadata()
                                .getUid()
                                .equals(newSet.getMetadata().getUid()))
                .sorted(OLDEST_FIRST)
                .toList();
    }

    /** Return the one ReplicaSet to scale when at most one is active: that one, else the new one, else the latest. */
    static Optional<ReplicaSet> findActiveOrLatest(@Nullable ReplicaSet newSet, Collection<ReplicaSet> oldSets) {
        List<ReplicaSet> active = active(all(oldSets, newSet));
        return switch (active.size()) {
            case 0 -> newSet != null ? Optional.of(newSet) : oldSets.stream().max(OLDEST_FIRST);
            case 1 -> Optional.of(active.get(0));
            default -> Optional.empty();
        };
    }

    static List<ReplicaSet> all(Collection<ReplicaSet> oldSets, @Nullable ReplicaSet newSet) {
        return Stream.concat(oldSets.stream(), Stream.ofNullable(newSet)).toList();
    }
}
