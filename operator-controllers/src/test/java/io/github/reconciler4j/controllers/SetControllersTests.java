package io.github.reconciler4j.controllers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.TaintBuilder;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.DaemonSetBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.github.reconciler4j.controllers.differential.ControllersInJvm;
import io.github.reconciler4j.test.cluster.TestCluster;
import io.github.reconciler4j.test.cluster.TestClusterOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The StatefulSet and DaemonSet controllers with the API server in this JVM. A test says itself what pods do. */
class SetControllersTests {

    private static TestCluster cluster;
    private static ControllersInJvm controllers;
    private static KubernetesClient client;

    private String namespace;

    @BeforeAll
    static void start() {
        cluster = TestCluster.start(TestClusterOptions.defaults());
        client = cluster.client();
        controllers =
                ControllersInJvm.start(cluster.config(), ControllersOptions.defaults(), "daemonset", "statefulset");
    }

    @AfterAll
    static void stop() {
        controllers.close();
        cluster.close();
    }

    @BeforeEach
    void createNamespace() {
        namespace = cluster.createNamespace("sets");
    }

    private static PodTemplateSpec template(String image) {
        return new PodTemplateSpecBuilder()
                .withNewMetadata()
                .addToLabels("app", "web")
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

    private StatefulSet statefulSet(int replicas, String podManagementPolicy) {
        return new StatefulSetBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("web")
                .endMetadata()
                .withNewSpec()
                .withReplicas(replicas)
                .withServiceName("web")
                .withPodManagementPolicy(podManagementPolicy)
                .withNewSelector()
                .addToMatchLabels("app", "web")
                .endSelector()
                .withTemplate(template("app:1"))
                .endSpec()
                .build();
    }

    private List<Pod> pods() {
        return client.pods().inNamespace(namespace).list().getItems();
    }

    private List<String> podNames() {
        return pods().stream().map(pod -> pod.getMetadata().getName()).sorted().toList();
    }

    private static void until(Runnable assertion) {
        await().atMost(Duration.ofSeconds(60)).untilAsserted(assertion::run);
    }

    private void makeReady(Pod pod) {
        client.pods().resource(pod).editStatus(changed -> {
            changed.getStatus().setPhase("Running");
            changed.getStatus()
                    .setConditions(List.of(new PodConditionBuilder()
                            .withType("Ready")
                            .withStatus("True")
                            .build()));
            return changed;
        });
    }

    private Pod pod(String name) {
        return client.pods().inNamespace(namespace).withName(name).get();
    }

    private StatefulSet read() {
        return client.apps()
                .statefulSets()
                .inNamespace(namespace)
                .withName("web")
                .get();
    }

    private void setImage(String image) {
        client.apps()
                .statefulSets()
                .inNamespace(namespace)
                .withName("web")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"main\",\"image\":\"" + image
                                + "\"}]}}}}");
    }

    @Test
    void statefulSetWhenOrderedStartsEachPodAfterTheOneBefore() {
        StatefulSet set = statefulSet(2, "OrderedReady");
        set.getSpec()
                .setVolumeClaimTemplates(List.of(new PersistentVolumeClaimBuilder()
                        .withNewMetadata()
                        .withName("data")
                        .endMetadata()
                        .withNewSpec()
                        .withAccessModes("ReadWriteOnce")
                        .withNewResources()
                        .addToRequests("storage", new Quantity("1Gi"))
                        .endResources()
                        .endSpec()
                        .build()));
        client.resource(set).create();

        until(() -> assertThat(podNames()).containsExactly("web-0"));
        assertThat(pod("web-0").getMetadata().getLabels())
                .containsEntry("statefulset.kubernetes.io/pod-name", "web-0")
                .containsEntry("apps.kubernetes.io/pod-index", "0")
                .containsKey("controller-revision-hash");
        makeReady(pod("web-0"));
        until(() -> assertThat(podNames()).containsExactly("web-0", "web-1"));
        makeReady(pod("web-1"));
        until(() -> assertThat(read().getStatus().getAvailableReplicas()).isEqualTo(2));
        assertThat(client.persistentVolumeClaims().inNamespace(namespace).list().getItems())
                .extracting((PersistentVolumeClaim claim) -> claim.getMetadata().getName())
                .containsExactlyInAnyOrder("data-web-0", "data-web-1");
    }

    @Test
    void statefulSetWhenItsTemplateComesBackUsesTheRevisionAgain() {
        client.resource(statefulSet(0, "Parallel")).create();
        until(() -> assertThat(revisions()).hasSize(1));
        String first = revisions().get(0).getMetadata().getName();
        setImage("app:2");
        until(() -> assertThat(revisions()).hasSize(2));

        setImage("app:1");

        until(() -> assertThat(revision(first).getRevision()).isEqualTo(3L));
        until(() -> assertThat(read().getStatus().getUpdateRevision()).isEqualTo(first));
        assertThat(revisions()).hasSize(2);
    }

    private List<ControllerRevision> revisions() {
        return client.apps().controllerRevisions().inNamespace(namespace).list().getItems();
    }

    private ControllerRevision revision(String name) {
        return revisions().stream()
                .filter(revision -> revision.getMetadata().getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void statefulSetWhenParallelStartsAndReplacesPodsTogether() {
        client.resource(statefulSet(3, "Parallel")).create();
        until(() -> assertThat(podNames()).containsExactly("web-0", "web-1", "web-2"));

        setImage("app:2"); // the pods are not ready, so that their replacement costs nothing

        until(() -> assertThat(pods()).hasSize(3).allMatch(hasImage("app:2")));
    }

    private static Predicate<Pod> hasImage(String image) {
        return pod -> pod.getSpec().getContainers().get(0).getImage().equals(image);
    }

    @Test
    void daemonSetWhenNodesChangeHasAPodOnEachNodeThatFits() {
        createNode("one");
        createNode("two");
        createDaemonSet();
        until(() -> assertThat(targets()).containsExactly(namespace + "-one", namespace + "-two"));

        createNode("three");
        client.nodes().withName(namespace + "-one").edit(node -> {
            node.getSpec()
                    .setTaints(List.of(new TaintBuilder()
                            .withKey("broken")
                            .withEffect("NoExecute")
                            .build()));
            return node;
        });

        until(() -> assertThat(targets()).containsExactly(namespace + "-three", namespace + "-two"));
        until(() -> assertThat(client.apps()
                        .daemonSets()
                        .inNamespace(namespace)
                        .withName("web")
                        .get()
                        .getStatus()
                        .getDesiredNumberScheduled())
                .isEqualTo(2));
    }

    private void createDaemonSet() {
        DaemonSet set = new DaemonSetBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("web")
                .endMetadata()
                .withNewSpec()
                .withNewSelector()
                .addToMatchLabels("app", "web")
                .endSelector()
                .withTemplate(template("app:1"))
                .endSpec()
                .build();
        set.getSpec().getTemplate().getSpec().setNodeSelector(Map.of("for", namespace));
        client.resource(set).create();
    }

    /** A new node is not ready, and has a taint for it, until its kubelet has reported. */
    private void createNode(String name) {
        client.resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName(namespace + "-" + name)
                        .addToLabels("for", namespace)
                        .endMetadata()
                        .withNewSpec()
                        .endSpec()
                        .build())
                .create();
        client.nodes().withName(namespace + "-" + name).edit(node -> {
            node.getSpec().setTaints(List.of());
            return node;
        });
    }

    /** The nodes that the scheduler would have to choose. */
    private List<String> targets() {
        return pods().stream()
                .map(pod -> pod.getSpec()
                        .getAffinity()
                        .getNodeAffinity()
                        .getRequiredDuringSchedulingIgnoredDuringExecution()
                        .getNodeSelectorTerms()
                        .get(0)
                        .getMatchFields()
                        .get(0)
                        .getValues()
                        .get(0))
                .sorted()
                .toList();
    }
}
