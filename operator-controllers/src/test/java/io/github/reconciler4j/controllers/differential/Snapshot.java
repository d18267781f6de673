package io.github.reconciler4j.controllers.differential;

import static java.util.Comparator.comparing;

import io.fabric8.kubernetes.api.model.EndpointAddress;
import io.fabric8.kubernetes.api.model.EndpointSubset;
import io.fabric8.kubernetes.api.model.Endpoints;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.discovery.v1.Endpoint;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the controllers have made of a namespace, as lines that are equal on both clusters if the controllers did the
 * same: without uids, times, addresses, and with ReplicaSets named by their Deployment and revision.
 */
public final class Snapshot {

    private static final String HASH = "pod-template-hash";
    private static final String REVISION = "deployment.kubernetes.io/revision";
    private static final String TRIGGER_TIME = "endpoints.kubernetes.io/last-change-trigger-time";

    /**
     * The message may name an earlier ReplicaSet, even one that is gone: when a Deployment goes back to an earlier template,
     * or when the controllers are killed between creating a ReplicaSet and writing the status.
     */
    private static final Pattern SUCCESS = Pattern.compile("ReplicaSet \"\\S+\" has(?= successfully progressed)");

    private static final String ZONE = "topology.kubernetes.io/zone";

    private final List<ReplicaSet> sets;
    private final Map<String, Pod> podsByUid;

    /** What replaces a text: names of ReplicaSets and hashes, the longest first. */
    private final Map<String, String> replacements =
            new TreeMap<>(comparing(String::length).reversed().thenComparing(Function.identity()));

    private final Map<String, String> identities = new TreeMap<>();

    private Snapshot(List<ReplicaSet> sets, List<Pod> pods) {
        this.sets = sets;
        this.podsByUid =
                pods.stream().collect(Collectors.toMap(pod -> pod.getMetadata().getUid(), pod -> pod));
        for (ReplicaSet set : sets) {
            String identity = identityOf(set);
            identities.put(set.getMetadata().getUid(), identity);
            String hash = set.getMetadata().getLabels() == null
                    ? null
                    : set.getMetadata().getLabels().get(HASH);
            if (hash != null) {
                replacements.put(set.getMetadata().getName(), identity);
                replacements.put(hash, "HASH");
            }
        }
    }

    /** Describe a namespace. */
    public static List<String> of(KubernetesClient client, String namespace) {
        List<Deployment> deployments =
                client.apps().deployments().inNamespace(namespace).list().getItems();
        List<ReplicaSet> sets =
                client.apps().replicaSets().inNamespace(namespace).list().getItems();
        List<Pod> pods = client.pods().inNamespace(namespace).list().getItems();
        Snapshot snapshot = new Snapshot(sets, pods);
        return Stream.of(
                        deployments.stream().map(snapshot::describe),
                        sets.stream().map(snapshot::describe),
                        pods.stream().map(snapshot::describe),
                        client.endpoints().inNamespace(namespace).list().getItems().stream()
                                .map(snapshot::describe),
                        client.discovery().v1().endpointSlices().inNamespace(namespace).list().getItems().stream()
                                .map(snapshot::describe))
                .flatMap(lines -> lines)
                .sorted()
                .toList();
    }

    private static String identityOf(ReplicaSet set) {
        String hash = set.getMetadata().getLabels() == null
                ? null
                : set.getMetadata().getLabels().get(HASH);
        if (hash == null) {
            return set.getMetadata().getName();
        }
        return set.getMetadata().getName().replace("-" + hash, "") + "@"
                + annotations(set).get(REVISION);
    }

    private String describe(Deployment deployment) {
        var status = deployment.getStatus();
        return scrub("deployment " + deployment.getMetadata().getName()
                + " deleting=" + (deployment.getMetadata().getDeletionTimestamp() != null)
                + " image="
                + deployment
                        .getSpec()
                        .getTemplate()
                        .getSpec()
                        .getContainers()
                        .get(0)
                        .getImage()
                + " annotations=" + annotations(deployment)
                + " replicas=" + status.getReplicas() + " updated=" + status.getUpdatedReplicas()
                + " ready=" + status.getReadyReplicas() + " available=" + status.getAvailableReplicas()
                + " unavailable=" + status.getUnavailableReplicas() + " terminating=" + status.getTerminatingReplicas()
                + " collisions=" + status.getCollisionCount()
                + " incomplete="
                + !Objects.equals(
                        status.getAvailableReplicas(), deployment.getSpec().getReplicas())
                + " observed="
                + Objects.equals(
                        status.getObservedGeneration(), deployment.getMetadata().getGeneration())
                + " conditions="
                + status.getConditions().stream()
                        .map(c -> c.getType() + "=" + c.getStatus() + "/" + c.getReason() + "/"
                                + SUCCESS.matcher(c.getMessage()).replaceAll("It has"))
                        .sorted()
                        .toList());
    }

    private String describe(ReplicaSet set) {
        var status = set.getStatus();
        Map<String, String> annotations = annotations(set);
        if (set.getSpec().getReplicas() == 0) { // of the last step it had a part in, which is a matter of time
            annotations.remove("deployment.kubernetes.io/desired-replicas");
            annotations.remove("deployment.kubernetes.io/max-replicas");
        }
        return scrub("replicaset " + identities.get(set.getMetadata().getUid())
                + " owner=" + owner(set)
                + " deleting=" + (set.getMetadata().getDeletionTimestamp() != null)
                + " size=" + set.getSpec().getReplicas()
                + " minReady=" + set.getSpec().getMinReadySeconds()
                + " image="
                + set.getSpec().getTemplate().getSpec().getContainers().get(0).getImage()
                + " labels=" + labels(set)
                + " annotations=" + annotations
                + " selector=" + new TreeMap<>(set.getSpec().getSelector().getMatchLabels())
                + " replicas=" + status.getReplicas() + " labeled=" + status.getFullyLabeledReplicas()
                + " ready=" + status.getReadyReplicas() + " available=" + status.getAvailableReplicas()
                + " terminating=" + status.getTerminatingReplicas()
                + " observed="
                + Objects.equals(
                        status.getObservedGeneration(), set.getMetadata().getGeneration())
                + " conditions="
                + status.getConditions().stream()
                        .map(c -> c.getType() + "=" + c.getStatus() + "/" + c.getReason())
                        .sorted()
                        .toList());
    }

    private String describe(Pod pod) {
        Map<String, String> labels = labels(pod);
        labels.remove(ZONE); // which the scheduler decides
        return scrub("pod of " + owner(pod)
                + " labels=" + labels
                + " annotations=" + annotations(pod)
                + " image=" + pod.getSpec().getContainers().get(0).getImage()
                + " phase=" + pod.getStatus().getPhase()
                + " ready=" + isReady(pod)
                + " deleting=" + (pod.getMetadata().getDeletionTimestamp() != null));
    }

    private static boolean isReady(Pod pod) {
        return pod.getStatus().getConditions().stream()
                .anyMatch(c -> c.getType().equals("Ready") && c.getStatus().equals("True"));
    }

    private String describe(Endpoints endpoints) {
        Map<String, String> annotations = annotations(endpoints);
        annotations.remove(TRIGGER_TIME); // what was written last depends on what came together
        return scrub("endpoints " + endpoints.getMetadata().getName() + " labels=" + labels(endpoints)
                + " annotations=" + annotations
                + " subsets="
                + endpoints.getSubsets().stream().map(this::describe).sorted().toList());
    }

    private String describe(EndpointSubset subset) {
        return "ports="
                + subset.getPorts().stream()
                        .map(p -> p.getName() + ":" + p.getPort() + "/" + p.getProtocol() + "/" + p.getAppProtocol())
                        .sorted()
                        .toList()
                + " ready=" + describe(subset.getAddresses()) + " notReady=" + describe(subset.getNotReadyAddresses());
    }

    private List<String> describe(List<EndpointAddress> addresses) {
        return addresses.stream()
                .map(a ->
                        target(a.getTargetRef(), List.of(a.getIp()), a.getNodeName()) + " hostname=" + a.getHostname())
                .sorted()
                .toList();
    }

    private String describe(EndpointSlice slice) {
        List<Endpoint> endpoints = slice.getEndpoints() == null ? List.of() : slice.getEndpoints();
        return scrub("endpointslice " + slice.getMetadata().getGenerateName() + " labels=" + labels(slice)
                + " type=" + slice.getAddressType()
                + " owners="
                + slice.getMetadata().getOwnerReferences().stream()
                        .map(o -> o.getKind() + "/" + o.getName() + "/" + o.getController() + o.getBlockOwnerDeletion())
                        .toList()
                + " ports="
                + (slice.getPorts() == null
                        ? List.of()
                        : slice.getPorts().stream()
                                .map(p -> p.getName() + ":" + p.getPort() + "/" + p.getProtocol())
                                .sorted()
                                .toList())
                + " endpoints="
                + endpoints.stream()
                        .map(e -> target(e.getTargetRef(), e.getAddresses(), e.getNodeName()) + " ready="
                                + e.getConditions().getReady() + " serving="
                                + e.getConditions().getServing() + " terminating="
                                + e.getConditions().getTerminating() + " hostname=" + e.getHostname() + " hints="
                                + hints(e))
                        .sorted()
                        .toList());
    }

    /** Zones depend on where the scheduler has put a pod. */
    private static String hints(Endpoint endpoint) {
        if (endpoint.getHints() == null) {
            return "none";
        }
        boolean ownZone = endpoint.getHints().getForZones().stream()
                .allMatch(zone -> zone.getName().equals(endpoint.getZone()));
        boolean ownNode = endpoint.getHints().getForNodes().stream()
                .allMatch(node -> node.getName().equals(endpoint.getNodeName()));
        return endpoint.getHints().getForZones().size() + (ownZone ? " own" : " other") + " zones, "
                + endpoint.getHints().getForNodes().size() + (ownNode ? " own" : " other") + " nodes";
    }

    /** An address by the pod it belongs to, and whether it is said rightly where that is. */
    private String target(@Nullable ObjectReference target, List<String> addresses, @Nullable String node) {
        if (target == null) {
            return "nothing";
        }
        Pod pod = podsByUid.get(target.getUid());
        if (pod == null) {
            return "a pod that is gone";
        }
        return "pod of " + owner(pod)
                + (addresses.size() == 1
                                && addresses.get(0).equals(pod.getStatus().getPodIP())
                        ? ""
                        : " WRONG ADDRESS")
                + (Objects.equals(node, pod.getSpec().getNodeName()) ? "" : " WRONG NODE");
    }

    private String owner(HasMetadata object) {
        return object.getMetadata().getOwnerReferences().stream()
                .map(this::describe)
                .collect(Collectors.joining("+"));
    }

    private String describe(OwnerReference owner) {
        boolean present = owner.getKind().equals("ReplicaSet")
                && sets.stream().anyMatch(set -> set.getMetadata().getUid().equals(owner.getUid()));
        return owner.getKind() + "/" + (present ? identities.get(owner.getUid()) : owner.getName()) + "/"
                + owner.getController() + "/" + owner.getBlockOwnerDeletion();
    }

    private static Map<String, String> labels(HasMetadata object) {
        return object.getMetadata().getLabels() == null
                ? new TreeMap<>()
                : new TreeMap<>(object.getMetadata().getLabels());
    }

    private static Map<String, String> annotations(HasMetadata object) {
        return object.getMetadata().getAnnotations() == null
                ? new TreeMap<>()
                : new TreeMap<>(object.getMetadata().getAnnotations());
    }

    private String scrub(String line) {
        String scrubbed = line;
        for (Map.Entry<String, String> replacement : replacements.entrySet()) {
            scrubbed = scrubbed.replace(replacement.getKey(), replacement.getValue());
        }
        return scrubbed;
    }

    /**
     * Whether both clusters are in the same state.
     *
     * <p>When a Deployment goes back to a template that it had before, there is no new ReplicaSet, and whether the
     * condition {@code Progressing} says so depends on whether a reconciliation comes while there are old and new pods.
     */
    public static boolean areEqual(List<String> upstream, List<String> ours) {
        if (upstream.equals(ours)) {
            return true;
        }
        Set<String> undecided = Stream.concat(upstream.stream(), ours.stream())
                .filter(line -> line.contains("incomplete=true") && line.contains("/NewReplicaSetAvailable/"))
                .map(Snapshot::name)
                .collect(Collectors.toSet());
        return withoutProgress(upstream, undecided).equals(withoutProgress(ours, undecided));
    }

    private static String name(String line) {
        return line.split(" ")[1];
    }

    private static List<String> withoutProgress(List<String> lines, Set<String> deployments) {
        return lines.stream()
                .map(line -> line.startsWith("deployment ") && deployments.contains(name(line))
                        ? line.replaceAll("Progressing=[^,\\]]*", "Progressing")
                        : line)
                .toList();
    }

    /** Return the lines that are in one list only. */
    public static String difference(List<String> upstream, List<String> ours) {
        List<String> missing = new ArrayList<>(upstream);
        ours.forEach(missing::remove);
        List<String> surplus = new ArrayList<>(ours);
        upstream.forEach(surplus::remove);
        return "only upstream:\n  " + String.join("\n  ", missing) + "\nonly ours:\n  " + String.join("\n  ", surplus);
    }
}
