package io.github.reconciler4j.controllers.internal.deployment;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatus;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetBuilder;
import io.github.reconciler4j.controllers.upstream.UpstreamCase;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Helpers of the replays of the Deployment controller. */
final class DeploymentCases {

    private DeploymentCases() {}

    static Deployment deployment(UpstreamCase call) {
        return call.in("deployment").isMissingNode()
                ? new DeploymentBuilder(call.in("d", Deployment.class)).build()
                : call.in("deployment", Deployment.class);
    }

    static DeploymentStatus newStatus(UpstreamCase call) {
        return call.in("newStatus", DeploymentStatus.class);
    }

    /** The sizes of the ReplicaSets that Kubernetes wrote, by their names. */
    static Map<String, Integer> written(UpstreamCase call) {
        Map<String, Integer> sizes = new TreeMap<>();
        call.actions("update", "replicasets").forEach(action -> {
            ReplicaSet set = UpstreamCase.read(action.get("object"), ReplicaSet.class);
            sizes.put(set.getMetadata().getName(), ReplicaSets.replicas(set));
        });
        return sizes;
    }

    /** The sizes of the ReplicaSets that a plan has written: those whose size or annotations change. */
    static Map<String, Integer> written(ScalePlan plan, Deployment deployment) {
        Map<String, Integer> sizes = new TreeMap<>();
        for (ScalePlan.Scale scale : plan.scales()) {
            if (scale.isChange()
                    || Revisions.annotateSizes(new ReplicaSetBuilder(scale.replicaSet()).build(), deployment)) {
                sizes.put(name(scale.replicaSet()), scale.replicas());
            }
        }
        return sizes;
    }

    static int removed(ScalePlan plan) {
        return plan.scales().stream()
                .mapToInt(scale -> ReplicaSets.replicas(scale.replicaSet()) - scale.replicas())
                .sum();
    }

    static List<ReplicaSet> oldestFirst(List<ReplicaSet> sets) {
        return sets.stream().sorted(ReplicaSets.OLDEST_FIRST).toList();
    }

    static List<ReplicaSet> without(@Nullable ReplicaSet one, List<ReplicaSet> sets) {
        return sets.stream().filter(set -> !set.equals(one)).toList();
    }

    static Map<String, String> labels(ReplicaSet set) {
        return set.getMetadata().getLabels() == null
                ? Map.of()
                : set.getMetadata().getLabels();
    }

    static @Nullable String name(@Nullable HasMetadata object) {
        return object == null ? null : object.getMetadata().getName();
    }

    static List<String> names(Collection<? extends HasMetadata> objects) {
        return objects.stream().map(DeploymentCases::name).toList();
    }
}
