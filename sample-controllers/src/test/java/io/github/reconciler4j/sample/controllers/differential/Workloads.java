package io.github.reconciler4j.sample.controllers.differential;

import static java.util.Comparator.comparing;

import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.apps.DeploymentStrategyBuilder;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;

/** What users do to Deployments, ReplicaSets and pods. Every action is decided once and then done on both clusters. */
final class Workloads {

    private static final List<String> AMOUNTS = List.of("0", "1", "2", "25%", "50%", "34%");

    private final Random random;
    private final String namespace;

    Workloads(Random random, String namespace) {
        this.random = random;
        this.namespace = namespace;
    }

    Consumer<KubernetesClient> createDeployment(String name) {
        boolean recreate = random.nextInt(5) == 0;
        String surge = pick(AMOUNTS);
        String unavailable = surge.equals("0") ? pick(AMOUNTS.subList(1, AMOUNTS.size())) : pick(AMOUNTS);
        Deployment deployment = new DeploymentBuilder()
                .withNewMetadata()
                .withName(name)
                .addToAnnotations("team", "t" + random.nextInt(3))
                .endMetadata()
                .withNewSpec()
                .withReplicas(random.nextInt(7))
                .withRevisionHistoryLimit(random.nextBoolean() ? null : random.nextInt(3))
                .withProgressDeadlineSeconds(pick(List.of(600, 600, 2)))
                .withPaused(random.nextInt(8) == 0 ? true : null)
                .withMinReadySeconds(random.nextInt(6) == 0 ? 1 : null)
                .withNewSelector()
                .addToMatchLabels("app", name)
                .endSelector()
                .withTemplate(template(name, image()))
                .endSpec()
                .build();
        DeploymentStrategyBuilder strategy = new DeploymentStrategyBuilder();
        deployment
                .getSpec()
                .setStrategy(
                        recreate
                                ? strategy.withType("Recreate").build()
                                : strategy.withType("RollingUpdate")
                                        .withNewRollingUpdate()
                                        .withMaxSurge(amount(surge))
                                        .withMaxUnavailable(amount(unavailable))
                                        .endRollingUpdate()
                                        .build());
        return client -> client.apps()
                .deployments()
                .inNamespace(namespace)
                .resource(deployment)
                .create();
    }

    private static IntOrString amount(String text) {
        return text.endsWith("%") ? new IntOrString(text) : new IntOrString(Integer.parseInt(text));
    }

    private PodTemplateSpec template(String app, String image) {
        PodTemplateSpec template = new PodTemplateSpec();
        Pod pod = new PodBuilder()
                .withNewMetadata()
                .addToLabels("app", app)
                .addToLabels("tier", "back")
                .endMetadata()
                .withNewSpec()
                .withTerminationGracePeriodSeconds(0L)
                .withHostname(random.nextInt(4) == 0 ? "host" : null)
                .withSubdomain(random.nextInt(2) == 0 ? "s0" : null)
                .addNewContainer()
                .withName("main")
                .withImage(image)
                .addNewPort()
                .withName("http")
                .withContainerPort(8080 + random.nextInt(2))
                .endPort()
                .endContainer()
                .endSpec()
                .build();
        template.setMetadata(pod.getMetadata());
        template.setSpec(pod.getSpec());
        return template;
    }

    private String image() {
        return random.nextInt(9) == 0 ? "missing.example/app" : "app:" + random.nextInt(4);
    }

    Consumer<KubernetesClient> scale(String name) {
        int replicas = random.nextInt(8);
        return editDeployment(name, d -> d.getSpec().setReplicas(replicas));
    }

    Consumer<KubernetesClient> setImage(String name) {
        String image = image();
        return editDeployment(
                name,
                d -> d.getSpec().getTemplate().getSpec().getContainers().get(0).setImage(image));
    }

    Consumer<KubernetesClient> restart(String name) {
        String stamp = "r" + random.nextInt(1000);
        return editDeployment(name, d -> {
            Map<String, String> annotations = new HashMap<>(
                    orEmpty(d.getSpec().getTemplate().getMetadata().getAnnotations()));
            annotations.put("kubectl.kubernetes.io/restartedAt", stamp);
            d.getSpec().getTemplate().getMetadata().setAnnotations(annotations);
        });
    }

    Consumer<KubernetesClient> pause(String name, boolean paused) {
        return editDeployment(name, d -> d.getSpec().setPaused(paused ? true : null));
    }

    Consumer<KubernetesClient> changeLimits(String name) {
        String surge = pick(AMOUNTS);
        String unavailable = surge.equals("0") ? "1" : pick(AMOUNTS);
        Integer history = random.nextInt(3);
        return editDeployment(name, d -> {
            d.getSpec().setRevisionHistoryLimit(history);
            if (d.getSpec().getStrategy().getRollingUpdate() != null) {
                d.getSpec().getStrategy().getRollingUpdate().setMaxSurge(amount(surge));
                d.getSpec().getStrategy().getRollingUpdate().setMaxUnavailable(amount(unavailable));
            }
        });
    }

    Consumer<KubernetesClient> annotate(String name) {
        String value = "v" + random.nextInt(5);
        return editDeployment(name, d -> {
            Map<String, String> annotations =
                    new HashMap<>(orEmpty(d.getMetadata().getAnnotations()));
            annotations.put("note", value);
            annotations.put("kubernetes.io/change-cause", "because of " + value);
            d.getMetadata().setAnnotations(annotations);
        });
    }

    /** As {@code kubectl rollout undo} does: the template of the revision before the latest. */
    Consumer<KubernetesClient> undo(String name) {
        return client -> revisions(client, name).stream()
                .skip(1)
                .findFirst()
                .ifPresent(previous -> editDeployment(name, d -> {
                            PodTemplateSpec template = previous.getSpec().getTemplate();
                            template.getMetadata().getLabels().remove("pod-template-hash");
                            d.getSpec().setTemplate(template);
                        })
                        .accept(client));
    }

    /** The old way to go back, by an annotation. */
    Consumer<KubernetesClient> rollBack(String name) {
        String revision = Integer.toString(random.nextInt(4));
        return editDeployment(name, d -> {
            Map<String, String> annotations =
                    new HashMap<>(orEmpty(d.getMetadata().getAnnotations()));
            annotations.put("deprecated.deployment.rollback.to", revision);
            d.getMetadata().setAnnotations(annotations);
        });
    }

    Consumer<KubernetesClient> deleteDeployment(String name) {
        DeletionPropagation propagation = pick(List.of(DeletionPropagation.BACKGROUND, DeletionPropagation.ORPHAN));
        return client -> client.apps()
                .deployments()
                .inNamespace(namespace)
                .withName(name)
                .withPropagationPolicy(propagation)
                .delete();
    }

    private Consumer<KubernetesClient> editDeployment(String name, Consumer<Deployment> change) {
        return client -> {
            var resource = client.apps().deployments().inNamespace(namespace).withName(name);
            if (resource.get() != null) {
                resource.edit(d -> {
                    change.accept(d);
                    return d;
                });
            }
        };
    }

    /** The ReplicaSets of a Deployment, the latest revision first. */
    private List<ReplicaSet> revisions(KubernetesClient client, String name) {
        return client.apps().replicaSets().inNamespace(namespace).withLabel("app", name).list().getItems().stream()
                .filter(set -> !set.getMetadata().getOwnerReferences().isEmpty())
                .filter(set ->
                        orEmpty(set.getMetadata().getAnnotations()).containsKey("deployment.kubernetes.io/revision"))
                .sorted(comparing((ReplicaSet set) -> Integer.parseInt(
                                set.getMetadata().getAnnotations().get("deployment.kubernetes.io/revision")))
                        .reversed())
                .toList();
    }

    /** A ReplicaSet that its Deployment does not select any more. */
    Consumer<KubernetesClient> releaseReplicaSet(String name) {
        return client -> revisions(client, name).stream()
                .findFirst()
                .ifPresent(set -> client.apps().replicaSets().resource(set).edit(s -> {
                    s.getMetadata().getLabels().put("app", "none");
                    return s;
                }));
    }

    Consumer<KubernetesClient> createReplicaSet(String name, String app) {
        ReplicaSet set = new ReplicaSetBuilder()
                .withNewMetadata()
                .withName(name)
                .addToLabels("standalone", "true")
                .endMetadata()
                .withNewSpec()
                .withReplicas(random.nextInt(5))
                .withNewSelector()
                .addToMatchLabels("app", app)
                .endSelector()
                .withTemplate(template(app, "app:0"))
                .endSpec()
                .build();
        return client ->
                client.apps().replicaSets().inNamespace(namespace).resource(set).create();
    }

    Consumer<KubernetesClient> scaleReplicaSet(String name) {
        int replicas = random.nextInt(6);
        return client -> {
            var resource = client.apps().replicaSets().inNamespace(namespace).withName(name);
            if (resource.get() != null) {
                resource.edit(set -> {
                    set.getSpec().setReplicas(replicas);
                    return set;
                });
            }
        };
    }

    Consumer<KubernetesClient> deleteReplicaSet(String name) {
        return client -> client.apps()
                .replicaSets()
                .inNamespace(namespace)
                .withName(name)
                .delete();
    }

    Consumer<KubernetesClient> deletePods(String app) {
        int count = 1 + random.nextInt(3);
        return client -> controlledPods(client, app).stream()
                .limit(count)
                .forEach(pod -> client.pods().resource(pod).delete());
    }

    /** A user takes a pod out of service to inspect it. */
    Consumer<KubernetesClient> releasePod(String app) {
        return client -> controlledPods(client, app).stream()
                .findFirst()
                .ifPresent(pod -> client.pods().resource(pod).edit(p -> {
                    p.getMetadata().getLabels().put("app", "inspected-" + app);
                    return p;
                }));
    }

    /** The pod goes back into service. */
    Consumer<KubernetesClient> returnPod(String app) {
        return client ->
                client.pods().inNamespace(namespace).withLabel("app", "inspected-" + app).list().getItems().stream()
                        .limit(1)
                        .forEach(pod -> client.pods().resource(pod).edit(p -> {
                            p.getMetadata().getLabels().put("app", app);
                            return p;
                        }));
    }

    Consumer<KubernetesClient> failPod(String app) {
        return editStatus(app, pod -> pod.getStatus().setPhase("Failed"));
    }

    Consumer<KubernetesClient> makePodUnready(String app) {
        return editStatus(
                app,
                pod -> pod.getStatus().getConditions().stream()
                        .filter(condition -> condition.getType().equals("Ready"))
                        .forEach(condition -> condition.setStatus("False")));
    }

    private Consumer<KubernetesClient> editStatus(String app, Consumer<Pod> change) {
        return client -> controlledPods(client, app).stream()
                .filter(pod -> "Running".equals(pod.getStatus().getPhase()))
                .findFirst()
                .ifPresent(pod -> client.pods().resource(pod).editStatus(p -> {
                    change.accept(p);
                    return p;
                }));
    }

    /** Pods that stand in no order that differs between the clusters: their controllers' sizes decide. */
    private List<Pod> controlledPods(KubernetesClient client, String app) {
        return client.pods().inNamespace(namespace).withLabel("app", app).list().getItems().stream()
                .filter(pod -> !pod.getMetadata().getOwnerReferences().isEmpty()
                        && pod.getMetadata().getDeletionTimestamp() == null)
                .sorted(comparing((Pod pod) -> pod.getMetadata().getCreationTimestamp()))
                .toList();
    }

    private static Map<String, String> orEmpty(Map<String, String> map) {
        return map == null ? Map.of() : map;
    }

    private <T> T pick(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
