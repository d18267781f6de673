package io.github.reconciler4j.controllers.deletion;

import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What users do to the objects of one history: create them with owners, change their owners, delete them. */
final class Things {

    /** An object of a history. */
    record Thing(String apiVersion, String kind, String plural, String namespace, String name) {

        ResourceDefinitionContext context() {
            String[] parts = apiVersion.split("/");
            return new ResourceDefinitionContext.Builder()
                    .withGroup(parts.length == 1 ? "" : parts[0])
                    .withVersion(parts[parts.length - 1])
                    .withKind(kind)
                    .withPlural(plural)
                    .withNamespaced(!namespace.isEmpty())
                    .build();
        }

        /** Return whether it is a ReplicationController, which has pods. */
        boolean isController() {
            return kind.equals("ReplicationController");
        }

        Resource<GenericKubernetesResource> in(KubernetesClient client) {
            return namespace.isEmpty()
                    ? client.genericKubernetesResources(context()).withName(name)
                    : client.genericKubernetesResources(context())
                            .inNamespace(namespace)
                            .withName(name);
        }
    }

    /** How an object names an owner. */
    record Link(Thing owner, boolean blocking, boolean wrongUid, boolean wrongKind) {

        OwnerReference reference(KubernetesClient client) {
            GenericKubernetesResource found = wrongUid ? null : owner.in(client).get();
            String uid = found == null
                    ? UUID.nameUUIDFromBytes(owner.toString().getBytes(StandardCharsets.UTF_8))
                            .toString()
                    : found.getMetadata().getUid();
            return new OwnerReferenceBuilder()
                    .withApiVersion(wrongKind ? "v1" : owner.apiVersion())
                    .withKind(wrongKind ? "Secret" : owner.kind())
                    .withName(owner.name())
                    .withUid(uid)
                    .withBlockOwnerDeletion(blocking ? true : null)
                    .build();
        }
    }

    private Things() {}

    static void createNamespace(KubernetesClient client, String name) {
        client.namespaces()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
        while (client.serviceAccounts().inNamespace(name).withName("default").get() == null
                || client.configMaps()
                                .inNamespace(name)
                                .withName("kube-root-ca.crt")
                                .get()
                        == null) {
            Thread.onSpinWait();
        }
    }

    static void create(KubernetesClient client, Thing thing, List<Link> owners, List<String> finalizers) {
        create(client, thing, references(client, owners), finalizers, thing.isController() ? spec(2) : null);
    }

    /** Return what a ReplicationController needs. */
    static Map<String, Object> spec(int replicas) {
        Map<String, String> labels = Map.of("app", "rc");
        return Map.of(
                "replicas",
                replicas,
                "selector",
                labels,
                "template",
                Map.of(
                        "metadata",
                        Map.of("labels", labels),
                        "spec",
                        Map.of("containers", List.of(Map.of("name", "main", "image", "nginx")))));
    }

    static List<OwnerReference> references(KubernetesClient client, List<Link> owners) {
        List<OwnerReference> references = new ArrayList<>();
        for (Link owner : owners) {
            OwnerReference reference = owner.reference(client);
            if (references.stream().noneMatch(other -> other.getUid().equals(reference.getUid()))) {
                references.add(reference);
            }
        }
        return references;
    }

    static void create(
            KubernetesClient client,
            Thing thing,
            List<OwnerReference> owners,
            List<String> finalizers,
            @Nullable Object content) {
        GenericKubernetesResource object = new GenericKubernetesResource();
        object.setApiVersion(thing.apiVersion());
        object.setKind(thing.kind());
        object.setMetadata(new ObjectMetaBuilder()
                .withNamespace(thing.namespace().isEmpty() ? null : thing.namespace())
                .withName(thing.name())
                .withOwnerReferences(owners)
                .withFinalizers(finalizers)
                .build());
        if (content != null) {
            object.setAdditionalProperty("spec", content);
        }
        lenient(() -> client.resource(object).create());
    }

    static void delete(KubernetesClient client, Thing thing, DeletionPropagation propagation) {
        lenient(() -> thing.in(client).withPropagationPolicy(propagation).delete());
    }

    static void edit(KubernetesClient client, Thing thing, UnaryOperator<GenericKubernetesResource> change) {
        lenient(() -> {
            if (thing.in(client).get() != null) {
                thing.in(client).edit(change);
            }
        });
    }

    /** What the API server refuses, it refuses on both clusters; a conflict is tried again. */
    private static void lenient(Runnable action) {
        for (int attempt = 1; ; attempt++) {
            try {
                action.run();
                return;
            } catch (KubernetesClientException e) {
                boolean conflict =
                        e.getCode() == 409 && String.valueOf(e.getMessage()).contains("has been modified");
                if (conflict && attempt < 20) {
                    continue;
                }
                if (e.getCode() == 409 || e.getCode() == 404 || e.getCode() == 422 || e.getCode() == 403) {
                    return;
                }
                throw e;
            }
        }
    }
}
