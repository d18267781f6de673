package io.github.reconciler4j.controllers.differential.sets;

import static java.util.Comparator.comparing;

import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.TaintBuilder;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.DaemonSetBuilder;
import io.fabric8.kubernetes.api.model.apps.DaemonSetUpdateStrategy;
import io.fabric8.kubernetes.api.model.apps.DaemonSetUpdateStrategyBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;

/** What users do to DaemonSets, their pods, and the nodes of one history, which no other history uses. */
final class DaemonActions extends PodUser {

    static final int NODES = 4;

    DaemonActions(Random random, String namespace) {
        super(random, namespace, comparing(pod -> Objects.toString(pod.getSpec().getNodeName(), "")));
    }

    String node(int index) {
        return namespace + "-node-" + index;
    }

    Consumer<KubernetesClient> addNode(int index) {
        Node node = new NodeBuilder()
                .withNewMetadata()
                .withName(node(index))
                .addToAnnotations("kwok.x-k8s.io/node", "fake")
                .addToLabels(Map.of(
                        "history",
                        namespace,
                        "kubernetes.io/hostname",
                        node(index),
                        "zone",
                        index % 2 == 0 ? "a" : "b"))
                .endMetadata()
                .build();
        return client -> client.nodes().resource(node).create();
    }

    Consumer<KubernetesClient> removeNode(int index) {
        return client -> client.nodes().withName(node(index)).delete();
    }

    Consumer<KubernetesClient> taint(int index) {
        Taint taint = new TaintBuilder()
                .withKey("dedicated")
                .withValue(pick(List.of("a", "b")))
                .withEffect(pick(List.of("NoSchedule", "NoExecute", "PreferNoSchedule")))
                .build();
        return editNode(index, node -> {
            List<Taint> taints = new ArrayList<>(node.getSpec().getTaints());
            taints.removeIf(other -> other.getKey().equals("dedicated"));
            taints.add(taint);
            node.getSpec().setTaints(taints);
        });
    }

    Consumer<KubernetesClient> untaint(int index) {
        return editNode(index, node -> {
            List<Taint> taints = new ArrayList<>(node.getSpec().getTaints());
            taints.removeIf(other -> other.getKey().equals("dedicated"));
            node.getSpec().setTaints(taints);
        });
    }

    Consumer<KubernetesClient> cordon(int index) {
        Boolean unschedulable = random.nextBoolean() ? true : null;
        return editNode(index, node -> node.getSpec().setUnschedulable(unschedulable));
    }

    Consumer<KubernetesClient> moveNode(int index) {
        String zone = pick(List.of("a", "b"));
        return editNode(index, node -> node.getMetadata().getLabels().put("zone", zone));
    }

    private Consumer<KubernetesClient> editNode(int index, Consumer<Node> change) {
        return client -> {
            if (client.nodes().withName(node(index)).get() != null) {
                client.nodes().withName(node(index)).edit(node -> {
                    change.accept(node);
                    return node;
                });
            }
        };
    }

    Consumer<KubernetesClient> create(String name) {
        DaemonSet set = new DaemonSetBuilder()
                .withNewMetadata()
                .withName(name)
                .addToAnnotations("team", "t" + random.nextInt(3))
                .endMetadata()
                .withNewSpec()
                .withRevisionHistoryLimit(random.nextBoolean() ? null : random.nextInt(3))
                .withMinReadySeconds(random.nextInt(4) == 0 ? 1 : null)
                .withNewSelector()
                .addToMatchLabels("app", name)
                .endSelector()
                .withTemplate(template(name))
                .withUpdateStrategy(strategy())
                .endSpec()
                .build();
        return client ->
                client.apps().daemonSets().inNamespace(namespace).resource(set).create();
    }

    private PodTemplateSpec template(String app) {
        PodTemplateSpec template = SetActions.template(app, image());
        template.getMetadata().getLabels().put("daemon", "true");
        template.getSpec().setNodeSelector(Map.of("history", namespace));
        if (random.nextInt(3) == 0) {
            template.getSpec()
                    .setAffinity(new io.fabric8.kubernetes.api.model.AffinityBuilder()
                            .withNewNodeAffinity()
                            .withNewRequiredDuringSchedulingIgnoredDuringExecution()
                            .addNewNodeSelectorTerm()
                            .addNewMatchExpression()
                            .withKey("zone")
                            .withOperator(pick(List.of("In", "NotIn")))
                            .withValues("a")
                            .endMatchExpression()
                            .endNodeSelectorTerm()
                            .endRequiredDuringSchedulingIgnoredDuringExecution()
                            .endNodeAffinity()
                            .build());
        }
        if (random.nextInt(3) == 0) {
            Toleration toleration = new TolerationBuilder()
                    .withKey("dedicated")
                    .withOperator("Equal")
                    .withValue("a")
                    .build();
            template.getSpec().setTolerations(List.of(toleration));
        }
        return template;
    }

    /** All of them start: Kubernetes chooses the node whose pod is replaced first by chance. */
    private String image() {
        return "app:" + random.nextInt(4);
    }

    private DaemonSetUpdateStrategy strategy() {
        return switch (random.nextInt(4)) {
            case 0 -> new DaemonSetUpdateStrategyBuilder().withType("OnDelete").build();
            case 1 -> rolling(pick(List.of(new IntOrString(1), new IntOrString("50%"))), new IntOrString(0));
            default ->
                rolling(
                        new IntOrString(0),
                        pick(List.of(new IntOrString(1), new IntOrString(2), new IntOrString("60%"))));
        };
    }

    private static DaemonSetUpdateStrategy rolling(IntOrString maxSurge, IntOrString maxUnavailable) {
        return new DaemonSetUpdateStrategyBuilder()
                .withType("RollingUpdate")
                .withNewRollingUpdate()
                .withMaxSurge(maxSurge)
                .withMaxUnavailable(maxUnavailable)
                .endRollingUpdate()
                .build();
    }

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

    Consumer<KubernetesClient> setStrategy(String name) {
        DaemonSetUpdateStrategy strategy = strategy();
        int history = random.nextInt(3);
        return edit(name, set -> {
            set.getSpec().setUpdateStrategy(strategy);
            set.getSpec().setRevisionHistoryLimit(history);
        });
    }

    private Consumer<KubernetesClient> edit(String name, Consumer<DaemonSet> change) {
        return client -> {
            Resource<DaemonSet> resource =
                    client.apps().daemonSets().inNamespace(namespace).withName(name);
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
                .daemonSets()
                .inNamespace(namespace)
                .withName(name)
                .withPropagationPolicy(propagation)
                .delete();
    }

    Consumer<KubernetesClient> endPod(String app) {
        return endPod(app, pick(List.of("Failed", "Succeeded")));
    }
}
