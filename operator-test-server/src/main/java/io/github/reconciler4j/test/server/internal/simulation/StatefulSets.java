package io.github.reconciler4j.test.server.internal.simulation;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.github.reconciler4j.test.server.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.storage.ObjectName;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** StatefulSets have numbered pods of their present template. */
final class StatefulSets implements Simulation {
    private static final String REVISION = "controller-revision-hash";

    private final SimulatedObjects objects;

    StatefulSets(SimulatedObjects objects) {
        this.objects = objects;
    }

    @Override
    public void sync(ObjectName name) {
        StatefulSet set = objects.find(StatefulSet.class, name);
        if (set == null) {
            return;
        }
        byte[] template = Json.bytes(Json.tree(set.getSpec().getTemplate()));
        String revision = name.name() + "-" + Integer.toHexString(Arrays.hashCode(template));
        Set<String> wanted = IntStream.range(
                        0, SimulatedObjects.number(set.getSpec().getReplicas(), 1))
                .mapToObj(number -> name.name() + "-" + number)
                .collect(Collectors.toSet());
        for (Pod pod : objects.ownedBy(set, Pod.class)) {
            if (!wanted.contains(pod.getMetadata().getName()) || !isOf(pod, revision)) {
                objects.delete(pod);
            }
        }
        for (String pod : wanted) {
            set.getSpec().getVolumeClaimTemplates().forEach(claim -> objects.create(claim(set, claim, pod)));
            objects.create(pod(set, pod, revision));
        }
        report(name, objects.ownedBy(set, Pod.class), revision);
    }

    private static boolean isOf(Pod pod, String revision) {
        return revision.equals(pod.getMetadata().getLabels().get(REVISION));
    }

    private static Pod pod(StatefulSet set, String name, String revision) {
        return new PodBuilder(Pods.of(set, set.getSpec().getTemplate(), name))
                .editMetadata()
                .addToLabels(REVISION, revision)
                .addToLabels("statefulset.kubernetes.io/pod-name", name)
                .endMetadata()
                .editSpec()
                .withHostname(name)
                .withSubdomain(set.getSpec().getServiceName())
                .addAllToVolumes(set.getSpec().getVolumeClaimTemplates().stream()
                        .map(template -> volume(template, name))
                        .toList())
                .endSpec()
                .build();
    }

    private static Volume volume(PersistentVolumeClaim template, String pod) {
        return new VolumeBuilder()
                .withName(template.getMetadata().getName())
                .withNewPersistentVolumeClaim()
                .withClaimName(claimName(template, pod))
                .endPersistentVolumeClaim()
                .build();
    }

    private static String claimName(PersistentVolumeClaim template, String pod) {
        return template.getMetadata().getName() + "-" + pod;
    }

    /** The claim of a pod. It has no owner, so that it outlives the set. */
    private static PersistentVolumeClaim claim(StatefulSet set, PersistentVolumeClaim template, String pod) {
        return new PersistentVolumeClaimBuilder()
                .withNewMetadata()
                .withNamespace(set.getMetadata().getNamespace())
                .withName(claimName(template, pod))
                .withLabels(set.getSpec().getSelector().getMatchLabels())
                .endMetadata()
                .withSpec(template.getSpec())
                .build();
    }

    private void report(ObjectName name, List<Pod> pods, String revision) {
        int ready = (int) pods.stream().filter(Pods::isReady).count();
        int updated = (int) pods.stream().filter(pod -> isOf(pod, revision)).count();
        objects.updateStatus(
                StatefulSet.class,
                name,
                now -> new StatefulSetBuilder(now)
                        .editOrNewStatus()
                        .withObservedGeneration(now.getMetadata().getGeneration())
                        .withReplicas(pods.size())
                        .withReadyReplicas(ready)
                        .withAvailableReplicas(ready)
                        .withCurrentReplicas(updated)
                        .withUpdatedReplicas(updated)
                        .withCurrentRevision(revision)
                        .withUpdateRevision(revision)
                        .withCollisionCount(0)
                        .endStatus()
                        .build());
    }
}
