package io.github.reconciler4j.test.fullcluster;

import static io.github.reconciler4j.test.fullcluster.TestPods.condition;
import static io.github.reconciler4j.test.fullcluster.TestPods.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.TaintBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Where the replacement for the scheduler lets pods run. */
class SchedulerTests {

    private static FullCluster cluster;
    private static KubernetesClient client;

    @BeforeAll
    static void start() {
        cluster = FullCluster.builder()
                .nodes(2)
                .controllers("scheduler", "kubelet")
                .start();
        client = cluster.client();
    }

    @AfterAll
    static void close() {
        cluster.close();
    }

    @AfterEach
    void deletePods() {
        client.pods().inNamespace("default").delete();
        await().until(() ->
                client.pods().inNamespace("default").list().getItems().isEmpty());
        for (String name : List.of("node-1", "node-2")) {
            edit(name, node -> {
                node.getMetadata().getLabels().remove("zone");
                node.getSpec().setTaints(List.of());
                node.getSpec().setUnschedulable(null);
            });
        }
    }

    private static void edit(String name, Consumer<Node> change) {
        withoutConflict(() -> client.nodes().withName(name).edit(node -> {
            change.accept(node);
            return node;
        }));
    }

    private static void setPodLimit(String limit) {
        for (String name : List.of("node-1", "node-2")) {
            withoutConflict(() -> client.nodes().withName(name).editStatus(node -> {
                node.getStatus().getAllocatable().put("pods", new Quantity(limit));
                return node;
            }));
        }
    }

    /** The controller of nodes writes them, too. */
    private static void withoutConflict(Runnable write) {
        await().ignoreExceptionsMatching(
                        e -> e instanceof KubernetesClientException failure && failure.getCode() == 409)
                .until(() -> {
                    write.run();
                    return true;
                });
    }

    private static Pod get(String name) {
        return client.pods().inNamespace("default").withName(name).get();
    }

    private static String awaitNode(String name) {
        return await().until(() -> get(name).getSpec().getNodeName(), Objects::nonNull);
    }

    private static void awaitRefusal(String name, String message) {
        await().untilAsserted(() -> {
            assertThat(condition(get(name), "PodScheduled").getReason()).isEqualTo("Unschedulable");
            assertThat(condition(get(name), "PodScheduled").getMessage()).isEqualTo(message);
        });
        await().untilAsserted(() -> assertThat(
                        client.v1().events().inNamespace("default").list().getItems())
                .anySatisfy(event -> {
                    assertThat(event.getReason()).isEqualTo("FailedScheduling");
                    assertThat(event.getInvolvedObject().getName()).isEqualTo(name);
                    assertThat(event.getMessage()).isEqualTo(message);
                    assertThat(event.getReportingComponent()).isEqualTo("default-scheduler");
                }));
    }

    @Test
    void podsWhenSeveralFitAreSpread() {
        client.resource(pod("default", "one").build()).create();
        client.resource(pod("default", "two").build()).create();

        assertThat(List.of(awaitNode("one"), awaitNode("two"))).containsExactlyInAnyOrder("node-1", "node-2");
        await().untilAsserted(() -> assertThat(
                        client.v1().events().inNamespace("default").list().getItems())
                .anyMatch(event -> event.getReason().equals("Scheduled")
                        && event.getMessage().equals("Successfully assigned default/one to " + awaitNode("one"))));
    }

    @Test
    void podWhenItsSelectorFitsNoNodeWaitsForOne() {
        client.resource(pod("default", "selector")
                        .editSpec()
                        .withNodeSelector(Map.of("zone", "west"))
                        .endSpec()
                        .build())
                .create();
        awaitRefusal(
                "selector",
                "0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector. preemption: 0/2 nodes are"
                        + " available: 2 Preemption is not helpful for scheduling.");

        edit("node-2", node -> node.getMetadata().getLabels().put("zone", "west"));

        assertThat(awaitNode("selector")).isEqualTo("node-2");
        await().until(() -> TestPods.isReady(get("selector")));
    }

    @Test
    void podWhenItRequiresANodeByItsNameGetsIt() {
        client.resource(pod("default", "affinity")
                        .editSpec()
                        .withNewAffinity()
                        .withNewNodeAffinity()
                        .withNewRequiredDuringSchedulingIgnoredDuringExecution()
                        .addNewNodeSelectorTerm()
                        .addNewMatchField()
                        .withKey("metadata.name")
                        .withOperator("In")
                        .withValues("node-2")
                        .endMatchField()
                        .endNodeSelectorTerm()
                        .endRequiredDuringSchedulingIgnoredDuringExecution()
                        .endNodeAffinity()
                        .endAffinity()
                        .endSpec()
                        .build())
                .create();

        assertThat(awaitNode("affinity")).isEqualTo("node-2");
    }

    @Test
    void podWhenNodesAreTaintedNeedsAToleration() {
        Taint taint = new TaintBuilder()
                .withKey("team")
                .withValue("red")
                .withEffect("NoSchedule")
                .build();
        edit("node-1", node -> node.getSpec().setTaints(List.of(taint)));
        edit("node-2", node -> node.getSpec().setTaints(List.of(taint)));
        client.resource(pod("default", "stranger").build()).create();
        client.resource(pod("default", "member")
                        .editSpec()
                        .addNewToleration("NoSchedule", "team", "Equal", null, "red")
                        .endSpec()
                        .build())
                .create();

        assertThat(awaitNode("member")).startsWith("node-");
        awaitRefusal(
                "stranger",
                "0/2 nodes are available: 2 node(s) had untolerated taint(s). preemption: 0/2 nodes are available: 2"
                        + " Preemption is not helpful for scheduling.");
    }

    @Test
    void podWhenANodeIsCordonedRunsOnAnother() {
        edit("node-1", node -> node.getSpec().setUnschedulable(true));
        await().until(() -> client.nodes().withName("node-1").get().getSpec().getTaints().stream()
                .anyMatch(taint -> taint.getKey().equals("node.kubernetes.io/unschedulable")));
        client.resource(pod("default", "first").build()).create();
        client.resource(pod("default", "second").build()).create();

        assertThat(List.of(awaitNode("first"), awaitNode("second"))).containsOnly("node-2");
    }

    @Test
    void podWhenNodesAreFullWaitsForTheEndOfAnother() {
        setPodLimit("1");
        Pod first = client.resource(pod("default", "first").build()).create();
        client.resource(pod("default", "second").build()).create();
        awaitNode("first");
        awaitNode("second");
        client.resource(pod("default", "third").build()).create();
        awaitRefusal(
                "third",
                "0/2 nodes are available: 2 Too many pods. preemption: 0/2 nodes are available: 2 No preemption victims"
                        + " found for incoming pod.");

        client.resource(first).delete();

        assertThat(awaitNode("third")).startsWith("node-");
        setPodLimit("110");
    }
}
