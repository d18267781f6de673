package io.github.reconciler4j.controllers.differential.sets;

import static java.util.Comparator.comparing;

import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/** What users do to StatefulSets, their pods and claims. Every action is decided once and then done on both clusters. */
final class SetActions extends PodUser {

    SetActions(Random random, String namespace) {
        super(random, namespace, comparing(pod -> pod.getMetadata().getName()));
    }

    /** Volumes for the claims of this history. */
    Consumer<KubernetesClient> createVolumes(int count) {
        return client -> {
            for (int i = 0; i < count; i++) {
                client.persistentVolumes()
                        .resource(new io.fabric8.kubernetes.api.model.PersistentVolumeBuilder()
                                .withNewMetadata()
                                .withName(namespace + "-" + i)
                                .endMetadata()
                                .withNewSpec()
                                .withStorageClassName(namespace)
                                .addToCapacity("storage", new Quantity("1Gi"))
                                .withAccessModes("ReadWriteOnce")
                                .withNewHostPath()
                                .withPath("/tmp")
                                .endHostPath()
                                .endSpec()
                                .build())
                        .create();
            }
        };
    }

    Consumer<KubernetesClient> create(String name) {
        String strategy = random.nextInt(5) == 0 ? "OnDelete" : "RollingUpdate";
        StatefulSet set = new StatefulSetBuilder()
                .withNewMetadata()
                .withName(name)
                .addToAnnotations("team", "t" + random.nextInt(3))
                .endMetadata()
                .withNewSpec()
                .withReplicas(random.nextInt(5))
                .withServiceName("service-of-" + name)
                .withPodManagementPolicy(random.nextBoolean() ? "Parallel" : "OrderedReady")
                .withRevisionHistoryLimit(random.nextBoolean() ? null : random.nextInt(3))
                .withMinReadySeconds(random.nextInt(4) == 0 ? 1 : null)
                .withNewSelector()
                .addToMatchLabels("app", name)
                .endSelector()
                .withTemplate(template(name, image()))
                .withNewUpdateStrategy()
                .withType(strategy)
                .endUpdateStrategy()
                .endSpec()
                .build();
        if (strategy.equals("RollingUpdate") && random.nextBoolean()) {
            addRollingUpdate(set);
        }
        if (random.nextInt(3) == 0) {
            set.getSpec().setOrdinals(new io.fabric8.kubernetes.api.model.apps.StatefulSetOrdinals(random.nextInt(4)));
        }
        if (random.nextBoolean()) {
            addClaims(set);
        }
        return client -> client.apps()
                .statefulSets()
                .inNamespace(namespace)
                .resource(set)
                .create();
    }

    private void addRollingUpdate(StatefulSet set) {
        set.getSpec()
                .setUpdateStrategy(new io.fabric8.kubernetes.api.model.apps.StatefulSetUpdateStrategyBuilder()
                        .withType("RollingUpdate")
                        .withNewRollingUpdate()
                        .withPartition(random.nextInt(3))
                        .withMaxUnavailable(maxUnavailable())
                        .endRollingUpdate()
                        .build());
    }

    private void addClaims(StatefulSet set) {
        set.getSpec()
                .setVolumeClaimTemplates(List.of(new io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder()
                        .withNewMetadata()
                        .withName("data")
                        .addToLabels("kind", "data")
                        .endMetadata()
                        .withNewSpec()
                        .withStorageClassName(namespace)
                        .withAccessModes("ReadWriteOnce")
                        .withNewResources()
                        .addToRequests("storage", new Quantity("1Gi"))
                        .endResources()
                        .endSpec()
                        .build()));
        set.getSpec().setPersistentVolumeClaimRetentionPolicy(policy());
    }

    private io.fabric8.kubernetes.api.model.apps.StatefulSetPersistentVolumeClaimRetentionPolicy policy() {
        return new io.fabric8.kubernetes.api.model.apps.StatefulSetPersistentVolumeClaimRetentionPolicy(
                pick(List.of("Retain", "Delete")), pick(List.of("Retain", "Delete")));
    }

    private IntOrString maxUnavailable() {
        return pick(List.of(new IntOrString(1), new IntOrString(2), new IntOrString("50%"), new IntOrString("34%")));
    }

    static PodTemplateSpec template(String app, String image) {
        return new PodTemplateSpecBuilder()
                .withNewMetadata()
                .addToLabels("app", app)
                .addToAnnotations("note", "a & b <c>")
                .endMetadata()
                .withNewSpec()
                .withTerminationGracePeriodSeconds(0L)
                .addNewContainer()
                .withName("main")
                .withImage(image)
                .endContainer()
                .endSpec()
                .build();
    }

    String image() {
        return random.nextInt(12) == 0 ? "missing.example/app" : "app:" + random.nextInt(4);
    }

    Consumer<KubernetesClient> scale(String name) {
        int replicas = random.nextInt(6);
        return edit(name, set -> set.getSpec().setReplicas(replicas));
    }

    /** Another template, or one that there was before. */
    Consumer<KubernetesClient> setImage(String name) {
        String image = image();
        return edit(
                name,
                set -> set.getSpec()
                        .getTemplate()
                        .getSpec()
                        .getContainers()
                        .get(0)
                        .setImage(image));
    }

    Consumer<KubernetesClient> setPartition(String name) {
        int partition = random.nextInt(4);
        IntOrString maxUnavailable = maxUnavailable();
        return edit(name, set -> {
            if (set.getSpec().getUpdateStrategy().getRollingUpdate() != null) {
                set.getSpec().getUpdateStrategy().getRollingUpdate().setPartition(partition);
                set.getSpec().getUpdateStrategy().getRollingUpdate().setMaxUnavailable(maxUnavailable);
            }
        });
    }

    Consumer<KubernetesClient> setPolicy(String name) {
        var policy = policy();
        int history = random.nextInt(3);
        return edit(name, set -> {
            set.getSpec().setPersistentVolumeClaimRetentionPolicy(policy);
            set.getSpec().setRevisionHistoryLimit(history);
        });
    }

    Consumer<KubernetesClient> setStart(String name) {
        int start = random.nextInt(4);
        return edit(
                name,
                set -> set.getSpec().setOrdinals(new io.fabric8.kubernetes.api.model.apps.StatefulSetOrdinals(start)));
    }

    private Consumer<KubernetesClient> edit(String name, Consumer<StatefulSet> change) {
        return client -> {
            Resource<StatefulSet> resource =
                    client.apps().statefulSets().inNamespace(namespace).withName(name);
            if (resource.get() != null) {
                resource.edit(set -> {
                    change.accept(set);
                    return set;
                });
            }
        };
    }

    Consumer<KubernetesClient> delete(String name) {
        DeletionPropagation propagation = pick(List.of(DeletionPropagation.BACKGROUND, DeletionPropagation.ORPHAN));
        return client -> client.apps()
                .statefulSets()
                .inNamespace(namespace)
                .withName(name)
                .withPropagationPolicy(propagation)
                .delete();
    }

    Consumer<KubernetesClient> failPod(String app) {
        return endPod(app, "Failed");
    }

    /** Claims that no pod needs any more. */
    Consumer<KubernetesClient> deleteClaims(String name) {
        return client -> {
            List<String> podNames = client.pods().inNamespace(namespace).list().getItems().stream()
                    .map(pod -> "data-" + pod.getMetadata().getName())
                    .toList();
            client.persistentVolumeClaims().inNamespace(namespace).list().getItems().stream()
                    .filter(claim -> claim.getMetadata().getName().startsWith("data-" + name)
                            && !podNames.contains(claim.getMetadata().getName()))
                    .forEach(claim -> client.resource(claim).delete());
        };
    }

    /** The label of the pod's name, which the controller sets again. */
    Consumer<KubernetesClient> removeIdentity(String app) {
        return client -> pods(client, app).stream()
                .findFirst()
                .ifPresent(pod -> client.pods().resource(pod).edit(p -> {
                    p.getMetadata().getLabels().remove("statefulset.kubernetes.io/pod-name");
                    return p;
                }));
    }
}
