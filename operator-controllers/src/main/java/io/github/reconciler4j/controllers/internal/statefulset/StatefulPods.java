package io.github.reconciler4j.controllers.internal.statefulset;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.github.reconciler4j.client.OwnerReferences;
import io.github.reconciler4j.controllers.internal.revision.Revisions;
import io.github.reconciler4j.controllers.internal.support.Pods;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Makes the pods of StatefulSets, and says whether they are as they should be. */
final class StatefulPods {

    static final String NAME_LABEL = "statefulset.kubernetes.io/pod-name";
    static final String INDEX_LABEL = "apps.kubernetes.io/pod-index";

    private StatefulPods() {}

    /** Make the pod with an ordinal from a template, and remember which revision that is. */
    static Pod create(StatefulSet set, PodTemplateSpec template, int ordinal, String revision) {
        ObjectMeta metadata = template.getMetadata() == null ? new ObjectMeta() : template.getMetadata();
        Pod pod = new PodBuilder()
                .withNewMetadata()
                .withNamespace(set.getMetadata().getNamespace())
                .withName(Ordinals.podName(set, ordinal))
                .withGenerateName(set.getMetadata().getName() + "-")
                .withLabels(orEmpty(metadata.getLabels()))
                .addToLabels(Revisions.POD_LABEL, revision)
                .withAnnotations(orEmpty(metadata.getAnnotations()))
                .withFinalizers(metadata.getFinalizers())
                .endMetadata()
                .withSpec(template.getSpec() == null ? new PodSpec() : template.getSpec())
                .build();
        OwnerReferences.setController(pod, set);
        pod.getSpec().setHostname(pod.getMetadata().getName());
        pod.getSpec().setSubdomain(set.getSpec().getServiceName());
        giveIdentity(set, pod);
        giveStorage(set, pod);
        return pod;
    }

    /** Return whether a pod has the name and the label that make it this member of the StatefulSet. */
    static boolean hasIdentity(StatefulSet set, Pod pod) {
        String name = pod.getMetadata().getName();
        int ordinal = Ordinals.of(pod);
        return ordinal != Ordinals.NONE
                && name.equals(Ordinals.podName(set, ordinal))
                && Objects.equals(
                        pod.getMetadata().getNamespace(), set.getMetadata().getNamespace())
                && name.equals(label(pod, NAME_LABEL));
    }

    /** Set the name and the labels that make a pod this member of the StatefulSet. */
    static void giveIdentity(StatefulSet set, Pod pod) {
        int ordinal = Ordinals.of(pod);
        ObjectMeta metadata = pod.getMetadata();
        metadata.setName(Ordinals.podName(set, ordinal));
        metadata.setNamespace(set.getMetadata().getNamespace());
        Map<String, String> labels = new HashMap<>(orEmpty(metadata.getLabels()));
        labels.put(NAME_LABEL, metadata.getName());
        labels.put(INDEX_LABEL, Integer.toString(ordinal));
        metadata.setLabels(labels);
    }

    /** Return whether a pod mounts the claims that the StatefulSet has for it. */
    static boolean hasStorage(StatefulSet set, Pod pod) {
        int ordinal = Ordinals.of(pod);
        return ordinal != Ordinals.NONE
                && set.getSpec().getVolumeClaimTemplates().stream()
                        .map(template -> template.getMetadata().getName())
                        .allMatch(name -> pod.getSpec().getVolumes().stream()
                                .anyMatch(volume -> name.equals(volume.getName())
                                        && volume.getPersistentVolumeClaim() != null
                                        && Ordinals.claimName(set, name, ordinal)
                                                .equals(volume.getPersistentVolumeClaim()
                                                        .getClaimName())));
    }

    /** Let a pod mount the claims that the StatefulSet has for it, in the place of volumes with the same names. */
    static void giveStorage(StatefulSet set, Pod pod) {
        int ordinal = Ordinals.of(pod);
        List<Volume> volumes = new ArrayList<>();
        for (PersistentVolumeClaim template : set.getSpec().getVolumeClaimTemplates()) {
            String name = template.getMetadata().getName();
            volumes.add(new VolumeBuilder()
                    .withName(name)
                    .withNewPersistentVolumeClaim()
                    .withClaimName(Ordinals.claimName(set, name, ordinal))
                    .endPersistentVolumeClaim()
                    .build());
        }
        Set<String> names = volumes.stream().map(Volume::getName).collect(Collectors.toSet());
        pod.getSpec().getVolumes().stream()
                .filter(volume -> !names.contains(volume.getName()))
                .forEach(volumes::add);
        pod.getSpec().setVolumes(volumes);
    }

    /** Return the claims that a pod needs. */
    static List<PersistentVolumeClaim> claims(StatefulSet set, Pod pod) {
        int ordinal = Ordinals.of(pod);
        Map<String, String> selected = orEmpty(set.getSpec().getSelector().getMatchLabels());
        return set.getSpec().getVolumeClaimTemplates().stream()
                .map(template -> new PersistentVolumeClaimBuilder(template)
                        .editMetadata()
                        .withName(Ordinals.claimName(set, template.getMetadata().getName(), ordinal))
                        .withNamespace(set.getMetadata().getNamespace())
                        .addToLabels(selected)
                        .endMetadata()
                        .build())
                .toList();
    }

    /** Return the name of the revision that a pod was made from, an empty text without one. */
    static String revision(Pod pod) {
        return Objects.requireNonNullElse(label(pod, Revisions.POD_LABEL), "");
    }

    private static @Nullable String label(Pod pod, String name) {
        return orEmpty(pod.getMetadata().getLabels()).get(name);
    }

    /** Return whether a pod is on the server; one that is yet to be created has no phase. */
    static boolean isCreated(Pod pod) {
        return !Pods.phase(pod).isEmpty();
    }

    static boolean isDeleting(Pod pod) {
        return pod.getMetadata().getDeletionTimestamp() != null;
    }

    static boolean isRunningAndReady(Pod pod) {
        return Pods.phase(pod).equals("Running") && Pods.isReady(pod);
    }

    static boolean isUnavailable(Pod pod, int minReadySeconds, Instant now) {
        return !Pods.isAvailable(pod, minReadySeconds, now) || isDeleting(pod);
    }

    private static Map<String, String> orEmpty(@Nullable Map<String, String> map) {
        return map == null ? Map.of() : map;
    }
}
