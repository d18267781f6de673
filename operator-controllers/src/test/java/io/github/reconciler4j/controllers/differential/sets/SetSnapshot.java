package io.github.reconciler4j.controllers.differential.sets;

import static java.util.Comparator.comparing;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What the controllers have made of a namespace, as lines that are equal on both clusters if the controllers did the same:
 * without uids and times. Revisions of StatefulSets have the same names; those of DaemonSets are named by their numbers.
 */
final class SetSnapshot {

    private static final String HASH = "controller-revision-hash";

    /** A released pod may have the hash of a revision that has been deleted. */
    private static final Pattern GONE = Pattern.compile(HASH + "=(?!HASH)\\w+");

    /** Hashes of DaemonSets and what stands for them, the longest first. */
    private final Map<String, String> replacements =
            new TreeMap<>(comparing(String::length).reversed().thenComparing(Function.identity()));

    private SetSnapshot(List<ControllerRevision> revisions) {
        for (ControllerRevision revision : revisions) {
            String hash = map(revision.getMetadata().getLabels()).get(HASH);
            if (hash != null) {
                replacements.put(hash, "HASH" + revision.getRevision());
            }
        }
    }

    static List<String> of(KubernetesClient client, String namespace) {
        List<ControllerRevision> revisions = client.apps()
                .controllerRevisions()
                .inNamespace(namespace)
                .list()
                .getItems();
        SetSnapshot snapshot = new SetSnapshot(revisions);
        return Stream.of(
                        client.apps().statefulSets().inNamespace(namespace).list().getItems().stream()
                                .map(SetSnapshot::describe),
                        client.apps().daemonSets().inNamespace(namespace).list().getItems().stream()
                                .map(SetSnapshot::describe),
                        client.pods().inNamespace(namespace).list().getItems().stream()
                                .map(SetSnapshot::describe),
                        client.persistentVolumeClaims().inNamespace(namespace).list().getItems().stream()
                                .map(SetSnapshot::describe),
                        revisions.stream().map(SetSnapshot::describe))
                .flatMap(lines -> lines)
                .map(snapshot::scrub)
                .sorted()
                .toList();
    }

    private String scrub(String line) {
        String scrubbed = line;
        for (Map.Entry<String, String> replacement : replacements.entrySet()) {
            scrubbed = scrubbed.replace(replacement.getKey(), replacement.getValue());
        }
        return line.startsWith("pod  ") ? GONE.matcher(scrubbed).replaceAll(HASH + "=GONE") : scrubbed;
    }

    private static String describe(StatefulSet set) {
        var status = set.getStatus();
        return "statefulset " + metadata(set)
                + " observed="
                + Objects.equals(
                        status.getObservedGeneration(), set.getMetadata().getGeneration())
                + " replicas=" + status.getReplicas() + " ready=" + status.getReadyReplicas()
                + " available=" + status.getAvailableReplicas() + " current=" + status.getCurrentReplicas()
                + " updated=" + status.getUpdatedReplicas()
                + " currentRevision=" + status.getCurrentRevision() + " updateRevision=" + status.getUpdateRevision()
                + " collisions=" + status.getCollisionCount() + " conditions=" + status.getConditions();
    }

    private static String describe(DaemonSet set) {
        var status = set.getStatus();
        return "daemonset " + metadata(set)
                + " observed="
                + Objects.equals(
                        status.getObservedGeneration(), set.getMetadata().getGeneration())
                + " desired=" + status.getDesiredNumberScheduled()
                + " current=" + status.getCurrentNumberScheduled()
                + " misscheduled=" + status.getNumberMisscheduled() + " ready=" + status.getNumberReady()
                + " updated=" + status.getUpdatedNumberScheduled() + " available=" + status.getNumberAvailable()
                + " unavailable=" + status.getNumberUnavailable() + " collisions=" + status.getCollisionCount();
    }

    private static String describe(Pod pod) {
        boolean named = pod.getMetadata().getOwnerReferences().stream()
                        .noneMatch(owner -> owner.getKind().equals("DaemonSet"))
                && !map(pod.getMetadata().getLabels()).containsKey("daemon");
        return "pod " + (named ? metadata(pod) : metadata(pod, ""))
                + " generateName=" + pod.getMetadata().getGenerateName()
                + " image=" + pod.getSpec().getContainers().get(0).getImage()
                + " phase=" + pod.getStatus().getPhase()
                + " ready="
                + pod.getStatus().getConditions().stream()
                        .anyMatch(c ->
                                c.getType().equals("Ready") && c.getStatus().equals("True"))
                + " hostname=" + pod.getSpec().getHostname() + " subdomain="
                + pod.getSpec().getSubdomain()
                + " claims="
                + pod.getSpec().getVolumes().stream()
                        .filter(volume -> volume.getPersistentVolumeClaim() != null)
                        .map(volume -> volume.getName() + ":"
                                + volume.getPersistentVolumeClaim().getClaimName())
                        .toList()
                + (named
                        ? ""
                        : " node=" + pod.getSpec().getNodeName() + " affinity="
                                + Serialization.asJson(pod.getSpec().getAffinity()) + " tolerations="
                                + Serialization.asJson(pod.getSpec().getTolerations()));
    }

    private static String describe(PersistentVolumeClaim claim) {
        return "claim " + metadata(claim) + " phase=" + claim.getStatus().getPhase();
    }

    private static String describe(ControllerRevision revision) {
        return "revision " + metadata(revision) + " number=" + revision.getRevision() + " data="
                + Serialization.asJson(revision.getData());
    }

    private static String metadata(HasMetadata object) {
        return metadata(object, object.getMetadata().getName());
    }

    private static String metadata(HasMetadata object, String name) {
        ObjectMeta metadata = object.getMetadata();
        Map<String, String> annotations = map(metadata.getAnnotations());
        annotations.keySet().removeIf(key -> key.startsWith("pv.kubernetes.io/"));
        return name + " deleting=" + (metadata.getDeletionTimestamp() != null) + " labels=" + map(metadata.getLabels())
                + " annotations=" + annotations + " owners="
                + metadata.getOwnerReferences().stream()
                        .map(owner -> owner.getKind() + "/" + owner.getName() + "/" + owner.getController() + "/"
                                + owner.getBlockOwnerDeletion())
                        .sorted()
                        .toList();
    }

    private static Map<String, String> map(Map<String, String> map) {
        return map == null ? new TreeMap<>() : new TreeMap<>(map);
    }

    /** Return the lines that are in one list only. */
    static String difference(List<String> upstream, List<String> ours) {
        List<String> missing = new ArrayList<>(upstream);
        ours.forEach(missing::remove);
        List<String> surplus = new ArrayList<>(ours);
        upstream.forEach(surplus::remove);
        return "only upstream:\n  " + String.join("\n  ", missing) + "\nonly ours:\n  " + String.join("\n  ", surplus);
    }
}
