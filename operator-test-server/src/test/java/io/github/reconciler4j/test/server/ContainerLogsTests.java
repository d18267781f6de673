package io.github.reconciler4j.test.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.cluster.TestCluster;
import io.github.reconciler4j.test.junit.KubernetesTest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests for the logs of containers. */
@KubernetesTest(definitions = {})
class ContainerLogsTests {

    private final TestCluster cluster;
    private final KubernetesServer server;
    private String namespace = "";

    ContainerLogsTests(TestCluster cluster, KubernetesServer server) {
        this.cluster = cluster;
        this.server = server;
    }

    @BeforeEach
    void createNamespace() {
        namespace = cluster.createNamespace("logs");
        if (cluster.client().nodes().withName("one").get() == null) {
            Node node = new NodeBuilder()
                    .withNewMetadata()
                    .withName("one")
                    .endMetadata()
                    .build();
            cluster.client().resource(node).create();
        }
    }

    private PodResource create(String node, String... containers) {
        PodBuilder pod = new PodBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("web")
                .endMetadata();
        for (String container : containers) {
            pod.editOrNewSpec()
                    .withNodeName(node)
                    .addNewContainer()
                    .withName(container)
                    .withImage("web")
                    .endContainer()
                    .endSpec();
        }
        cluster.client().resource(pod.build()).create();
        return cluster.client().pods().inNamespace(namespace).withName("web");
    }

    private static void start(PodResource pod) {
        pod.editStatus(ContainerLogsTests::started);
    }

    private static Pod started(Pod pod) {
        pod.getStatus()
                .getContainerStatuses()
                .add(new ContainerStatusBuilder()
                        .withName("web")
                        .withImage("web")
                        .withImageID("web")
                        .withReady(true)
                        .withRestartCount(0)
                        .withNewState()
                        .withNewRunning("2026-01-01T00:00:00Z")
                        .endState()
                        .build());
        return pod;
    }

    @Test
    void logWhenThePodHasNoNodeIsEmpty() {
        assertThat(create(null, "web").getLog()).isEmpty();
    }

    @Test
    void logWhenAContainerMustBeNamedListsThem() {
        PodResource pod = create(null, "web", "proxy");

        assertThatThrownBy(pod::getLog)
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("a container name must be specified for pod web, choose one of: [web proxy]");
        assertThatThrownBy(() -> pod.inContainer("teapot").getLog())
                .hasMessageContaining("container teapot is not valid for pod web");
    }

    @Test
    void logWhenTheContainerHasNotStartedIsRefused() {
        assertThatThrownBy(create("one", "web")::getLog)
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("container \"web\" in pod \"web\" is not available");
    }

    @Test
    void logWhenTheContainerRunsIsTheTextOfTheTest() {
        server.podLogs((inNamespace, name, container) -> inNamespace + "/" + name + "\n" + container + "\n");
        PodResource pod = create("one", "web");
        start(pod);

        assertThat(pod.getLog()).isEqualTo(namespace + "/web\nweb\n");
        assertThat(pod.tailingLines(1).getLog()).isEqualTo("web\n");
        assertThat(pod.limitBytes(4).getLog()).isEqualTo(namespace.substring(0, 4));
        assertThatThrownBy(() -> pod.terminated().getLog())
                .hasMessageContaining("previous terminated container \"web\" in pod \"web\" not found");
    }

    @Test
    void logWhenThePodDoesNotExistIsNotFound() {
        assertThatThrownBy(() -> cluster.client()
                        .pods()
                        .inNamespace(namespace)
                        .withName("none")
                        .getLog())
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("not found");
    }
}
