package io.github.reconciler4j.test.server.internal.simulation;

import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.apps.DeploymentCondition;
import io.fabric8.kubernetes.api.model.apps.DeploymentConditionBuilder;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatus;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetBuilder;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetStatus;
import io.github.reconciler4j.test.server.apimachinery.Json;
import io.github.reconciler4j.test.server.apimachinery.Times;
import io.github.reconciler4j.test.server.internal.storage.ObjectName;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Deployments have a ReplicaSet for each template they had; that of the present one has all replicas. */
final class Deployments implements Simulation {
    private static final String HASH = "pod-template-hash";

    private final SimulatedObjects objects;

    Deployments(SimulatedObjects objects) {
        this.objects = objects;
    }

    @Override
    public void sync(ObjectName name) {
        Deployment deployment = objects.find(Deployment.class, name);
        if (deployment == null) {
            return;
        }
        if (!Boolean.TRUE.equals(deployment.getSpec().getPaused())) {
            roll(deployment);
        }
        String current = replicaSetName(deployment);
        List<ReplicaSet> sets = objects.ownedBy(deployment, ReplicaSet.class);
        objects.updateStatus(
                Deployment.class,
                name,
                now -> new DeploymentBuilder(now)
                        .withStatus(status(now, sets, current))
                        .build());
    }

    private void roll(Deployment deployment) {
        String current = replicaSetName(deployment);
        int replicas = SimulatedObjects.number(deployment.getSpec().getReplicas(), 1);
        List<ReplicaSet> sets = objects.ownedBy(deployment, ReplicaSet.class);
        if (sets.stream().noneMatch(set -> set.getMetadata().getName().equals(current))) {
            objects.create(replicaSet(deployment, replicas));
        }
        for (ReplicaSet set : sets) {
            int wanted = set.getMetadata().getName().equals(current) ? replicas : 0;
            if (SimulatedObjects.number(set.getSpec().getReplicas(), 1) != wanted) {
                objects.update(
                        ReplicaSet.class,
                        SimulatedObjects.name(set),
                        now -> new ReplicaSetBuilder(now)
                                .editSpec()
                                .withReplicas(wanted)
                                .endSpec()
                                .build());
            }
        }
    }

    private static String hash(Deployment deployment) {
        byte[] template = Json.bytes(Json.tree(deployment.getSpec().getTemplate()));
        return Integer.toHexString(Arrays.hashCode(template));
    }

    private static String replicaSetName(Deployment deployment) {
        return deployment.getMetadata().getName() + "-" + hash(deployment);
    }

    private static ReplicaSet replicaSet(Deployment deployment, int replicas) {
        String hash = hash(deployment);
        PodTemplateSpec template = deployment.getSpec().getTemplate();
        return new ReplicaSetBuilder()
                .withNewMetadata()
                .withNamespace(deployment.getMetadata().getNamespace())
                .withName(replicaSetName(deployment))
                .withLabels(template.getMetadata().getLabels())
                .addToLabels(HASH, hash)
                .withOwnerReferences(SimulatedObjects.controller(deployment))
                .endMetadata()
                .withNewSpec()
                .withReplicas(replicas)
                .withSelector(deployment.getSpec().getSelector())
                .editSelector()
                .addToMatchLabels(HASH, hash)
                .endSelector()
                .withTemplate(template)
                .editTemplate()
                .editMetadata()
                .addToLabels(HASH, hash)
                .endMetadata()
                .endTemplate()
                .endSpec()
                .build();
    }

    private DeploymentStatus status(Deployment deployment, List<ReplicaSet> sets, String current) {
        DeploymentStatus status = new DeploymentStatus();
        List<ReplicaSet> newest = sets.stream()
                .filter(set -> set.getMetadata().getName().equals(current))
                .toList();
        int wanted = SimulatedObjects.number(deployment.getSpec().getReplicas(), 1);
        int available = sum(sets, ReplicaSetStatus::getAvailableReplicas);
        int updated = sum(newest, ReplicaSetStatus::getReplicas);
        status.setObservedGeneration(deployment.getMetadata().getGeneration());
        status.setReplicas(sum(sets, ReplicaSetStatus::getReplicas));
        status.setUpdatedReplicas(updated);
        status.setReadyReplicas(sum(sets, ReplicaSetStatus::getReadyReplicas));
        status.setAvailableReplicas(available);
        if (available < wanted) {
            status.setUnavailableReplicas(wanted - available);
        }
        boolean complete = updated == wanted && available == wanted;
        status.setConditions(List.of(
                condition(
                        deployment,
                        "Available",
                        available >= wanted,
                        "MinimumReplicasAvailable",
                        "MinimumReplicasUnavailable"),
                condition(
                        deployment,
                        "Progressing",
                        true,
                        complete ? "NewReplicaSetAvailable" : "ReplicaSetUpdated",
                        "")));
        return status;
    }

    private static int sum(List<ReplicaSet> sets, Function<ReplicaSetStatus, @Nullable Integer> field) {
        return sets.stream()
                .map(ReplicaSet::getStatus)
                .filter(Objects::nonNull)
                .mapToInt(status -> SimulatedObjects.number(field.apply(status), 0))
                .sum();
    }

    /** The condition; its times stay while its status does. */
    private DeploymentCondition condition(
            Deployment deployment, String type, boolean holds, String reason, String otherwise) {
        String status = holds ? "True" : "False";
        String now = Times.text(objects.access().now());
        String since = deployment.getStatus() == null
                ? now
                : deployment.getStatus().getConditions().stream()
                        .filter(known -> known.getType().equals(type)
                                && known.getStatus().equals(status))
                        .map(DeploymentCondition::getLastTransitionTime)
                        .findFirst()
                        .orElse(now);
        return new DeploymentConditionBuilder()
                .withType(type)
                .withStatus(status)
                .withReason(holds ? reason : otherwise)
                .withLastTransitionTime(since)
                .withLastUpdateTime(since)
                .build();
    }
}
