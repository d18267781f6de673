package io.github.reconciler4j.controllers.internal.daemonset;

import static java.util.Comparator.comparing;
import static java.util.Comparator.naturalOrder;
import static java.util.Comparator.nullsFirst;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.AffinityBuilder;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirementBuilder;
import io.fabric8.kubernetes.api.model.NodeSelectorTermBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.github.reconciler4j.client.OwnerReferences;
import io.github.reconciler4j.controllers.internal.revision.Revisions;
import io.github.reconciler4j.controllers.internal.support.Pods;
import io.github.reconciler4j.controllers.internal.support.Times;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Makes the pods of DaemonSets, and says which node and which revision they are for. */
final class DaemonPods {

    static final String GENERATION_LABEL = "pod-template-generation";
    static final String GENERATION_ANNOTATION = "deprecated.daemonset.template.generation";

    /** Pods on a node before those that wait for one; the oldest first. */
    static final Comparator<Pod> OLDEST_FIRST = comparing(
                    (Pod pod) -> Pods.node(pod).isEmpty())
            .thenComparing(pod -> Times.parse(pod.getMetadata().getCreationTimestamp()), nullsFirst(naturalOrder()))
            .thenComparing(pod -> pod.getMetadata().getName());

    private DaemonPods() {}

    /** Make the pod for a node. */
    static Pod create(DaemonSet set, String node, String hash) {
        PodTemplateSpec template = set.getSpec().getTemplate();
        ObjectMeta metadata = template.getMetadata() == null ? new ObjectMeta() : template.getMetadata();
        Pod pod = new PodBuilder()
                .withNewMetadata()
                .withNamespace(set.getMetadata().getNamespace())
                .withGenerateName(set.getMetadata().getName() + "-")
                .withLabels(Objects.requireNonNullElse(metadata.getLabels(), Map.of()))
                .addToLabels(Revisions.POD_LABEL, hash)
                .withAnnotations(Objects.requireNonNullElse(metadata.getAnnotations(), Map.of()))
                .withFinalizers(metadata.getFinalizers())
                .endMetadata()
                .withSpec(template.getSpec())
                .build();
        String generation = generation(set);
        if (generation != null) {
            pod.getMetadata().getLabels().put(GENERATION_LABEL, generation);
        }
        OwnerReferences.setController(pod, set);
        PodSpec spec = pod.getSpec();
        spec.setTolerations(Tolerance.of(spec));
        spec.setAffinity(bindTo(spec.getAffinity(), node));
        return pod;
    }

    /** Let the scheduler choose this node alone; what else is required of nodes, the node has been checked for. */
    static Affinity bindTo(@Nullable Affinity affinity, String node) {
        NodeSelectorRequirement name = new NodeSelectorRequirementBuilder()
                .withKey(NodeSelection.NAME_FIELD)
                .withOperator("In")
                .withValues(node)
                .build();
        return (affinity == null ? new AffinityBuilder() : new AffinityBuilder(affinity))
                .editOrNewNodeAffinity()
                .editOrNewRequiredDuringSchedulingIgnoredDuringExecution()
                .withNodeSelectorTerms(
                        new NodeSelectorTermBuilder().withMatchFields(name).build())
                .endRequiredDuringSchedulingIgnoredDuringExecution()
                .endNodeAffinity()
                .build();
    }

    /** The generation of the template, which API servers have counted before there were revisions. */
    static @Nullable String generation(DaemonSet set) {
        Map<String, String> annotations = set.getMetadata().getAnnotations();
        String generation = annotations == null ? null : annotations.get(GENERATION_ANNOTATION);
        try {
            return generation == null ? null : Long.toString(Long.parseLong(generation));
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** Return whether a pod is made from the present template. */
    static boolean isUpdated(DaemonSet set, Pod pod, String hash) {
        Map<String, String> labels = labels(pod);
        String generation = generation(set);
        return (!hash.isEmpty() && hash.equals(labels.get(Revisions.POD_LABEL)))
                || (generation != null && generation.equals(labels.get(GENERATION_LABEL)));
    }

    static Map<String, String> labels(Pod pod) {
        return pod.getMetadata().getLabels() == null
                ? Map.of()
                : pod.getMetadata().getLabels();
    }

    static boolean isDeleting(Pod pod) {
        return pod.getMetadata().getDeletionTimestamp() != null;
    }

    /** Return the node that a pod is on, or waits for; {@code null} if it is unknown. */
    static @Nullable String targetNode(Pod pod) {
        if (!Pods.node(pod).isEmpty()) {
            return Pods.node(pod);
        }
        List<NodeSelectorRequirement> names = NodeSelection.required(pod.getSpec()).orElse(List.of()).stream()
                .flatMap(term -> term.getMatchFields().stream())
                .filter(field -> NodeSelection.NAME_FIELD.equals(field.getKey()) && "In".equals(field.getOperator()))
                .toList();
        return names.isEmpty() || names.get(0).getValues().size() != 1
                ? null
                : names.get(0).getValues().get(0);
    }

    /** Sort pods by their nodes, without those that have ended and are being deleted. */
    static Map<String, List<Pod>> byNode(Collection<Pod> pods) {
        Map<String, List<Pod>> byNode = new TreeMap<>();
        for (Pod pod : pods) {
            String node = targetNode(pod);
            if (node != null && !(Pods.isTerminal(pod) && isDeleting(pod))) {
                byNode.computeIfAbsent(node, name -> new ArrayList<>()).add(pod);
            }
        }
        return byNode;
    }
}
