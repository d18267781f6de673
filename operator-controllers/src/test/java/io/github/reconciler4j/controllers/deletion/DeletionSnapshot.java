package io.github.reconciler4j.controllers.deletion;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The objects of a history as lines, without uids, versions and times. */
final class DeletionSnapshot {

    private DeletionSnapshot() {}

    static List<String> of(KubernetesClient client, List<String> namespaces, List<ResourceDefinitionContext> kinds) {
        List<HasMetadata> objects = new ArrayList<>();
        for (ResourceDefinitionContext kind : kinds) {
            objects.addAll(list(client, kind, namespaces));
        }
        Map<String, String> names = new HashMap<>();
        objects.forEach(object -> names.put(object.getMetadata().getUid(), name(object)));
        List<String> lines = new ArrayList<>();
        objects.forEach(object -> lines.add(line(object, names)));
        for (String namespace : namespaces) {
            Namespace found = client.namespaces().withName(namespace).get();
            if (found != null) {
                lines.add(line(found));
            }
        }
        lines.sort(null);
        return lines;
    }

    private static List<GenericKubernetesResource> list(
            KubernetesClient client, ResourceDefinitionContext kind, List<String> namespaces) {
        List<GenericKubernetesResource> found = new ArrayList<>();
        try {
            if (!kind.isNamespaceScoped()) {
                client.genericKubernetesResources(kind).list().getItems().stream()
                        .filter(object -> object.getMetadata().getName().startsWith(namespaces.get(0) + "-"))
                        .forEach(found::add);
            } else {
                for (String namespace : namespaces) {
                    found.addAll(client.genericKubernetesResources(kind)
                            .inNamespace(namespace)
                            .list()
                            .getItems());
                }
            }
        } catch (KubernetesClientException e) {
            if (e.getCode() != 404) { // the kind is not served at the moment
                throw e;
            }
        }
        return found;
    }

    private static String name(HasMetadata object) {
        ObjectMeta metadata = object.getMetadata();
        return object.getKind() + " " + Objects.requireNonNullElse(metadata.getNamespace(), "") + "/"
                + (metadata.getGenerateName() == null ? metadata.getName() : metadata.getGenerateName());
    }

    private static String line(HasMetadata object, Map<String, String> names) {
        ObjectMeta metadata = object.getMetadata();
        List<String> owners = Objects.requireNonNullElse(
                        metadata.getOwnerReferences(), List.<io.fabric8.kubernetes.api.model.OwnerReference>of())
                .stream()
                .map(owner -> owner.getKind() + "/" + owner.getName() + "="
                        + names.getOrDefault(owner.getUid(), "nothing") + "," + owner.getBlockOwnerDeletion())
                .toList();
        return name(object) + " owners=" + owners + " finalizers=" + metadata.getFinalizers() + " deleting="
                + (metadata.getDeletionTimestamp() != null)
                + (object.getKind().equals("ReplicationController") ? " replicas=" + replicas(object) : "");
    }

    private static String replicas(HasMetadata object) {
        GenericKubernetesResource controller = (GenericKubernetesResource) object;
        Integer wanted = controller.get("spec", "replicas");
        Integer present = controller.get("status", "replicas");
        Integer labeled = controller.get("status", "fullyLabeledReplicas");
        return wanted + "/" + present + "/" + labeled;
    }

    private static String line(Namespace namespace) {
        List<String> conditions = Objects.requireNonNullElse(
                        namespace.getStatus().getConditions(),
                        List.<io.fabric8.kubernetes.api.model.NamespaceCondition>of())
                .stream()
                .map(each ->
                        each.getType() + "=" + each.getStatus() + "/" + each.getReason() + ": " + each.getMessage())
                .toList();
        return "Namespace " + namespace.getMetadata().getName() + " finalizers="
                + namespace.getSpec().getFinalizers() + " phase="
                + namespace.getStatus().getPhase() + " conditions=" + conditions;
    }
}
