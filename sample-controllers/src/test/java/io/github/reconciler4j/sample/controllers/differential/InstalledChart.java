package io.github.reconciler4j.sample.controllers.differential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.github.reconciler4j.sample.controllers.Chart;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The chart as Helm installs it. The controllers run with its settings and with the rights of its service account, but as a
 * process of this machine: the nodes of the cluster are not real.
 */
final class InstalledChart {

    private static final String NAMESPACE = "operators";
    private static final String NAME = "demo-sample-controllers";

    private final RealKubernetes kubernetes;
    private final Path folder;

    private InstalledChart(RealKubernetes kubernetes, Path folder) {
        this.kubernetes = kubernetes;
        this.folder = folder;
    }

    static InstalledChart install(RealKubernetes kubernetes) {
        Chart.helm()
                .install()
                .withName("demo")
                .withNamespace(NAMESPACE)
                .createNamespace()
                .withKubeConfig(kubernetes.kubeconfig())
                .call();
        try {
            InstalledChart chart = new InstalledChart(kubernetes, Files.createTempDirectory("controllers"));
            Files.writeString(
                    chart.folder.resolve("application.properties"),
                    kubernetes.kubectl(
                            "get",
                            "configmap",
                            NAME,
                            "-n",
                            NAMESPACE,
                            "-o",
                            "jsonpath={.data.application\\.properties}"));
            chart.writeKubeconfig();
            return chart;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void writeKubeconfig() throws IOException {
        Config config = kubernetes.config();
        String token = kubernetes
                .kubectl("create", "token", NAME, "-n", NAMESPACE, "--duration=12h")
                .strip();
        Files.writeString(folder.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                current-context: controllers
                clusters: [{name: controllers, cluster: {server: "%s", certificate-authority-data: "%s"}}]
                users: [{name: controllers, user: {token: "%s"}}]
                contexts: [{name: controllers, context: {cluster: controllers, user: controllers, namespace: %s}}]
                """.formatted(
                        kubernetes.server(), config.getCaCertData(), token, NAMESPACE));
    }

    ControllersProcess start() {
        return new ControllersProcess(
                folder.resolve("kubeconfig"),
                "--spring.config.additional-location=" + folder + "/",
                "--reconciler4j.enabled-controllers=deployment,replicaset,endpoints,endpointslice");
    }

    /** Wait until the chart's Deployment is complete and its Service has an address, and check who is the leader. */
    void awaitRolledOut() {
        assertThat(kubernetes.kubectl("rollout", "status", "deployment/" + NAME, "-n", NAMESPACE, "--timeout=60s"))
                .contains("successfully rolled out");
        try (KubernetesClient client =
                new KubernetesClientBuilder().withConfig(kubernetes.config()).build()) {
            await("the chart's Service has an address")
                    .atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> {
                        assertThat(client.endpoints()
                                        .inNamespace(NAMESPACE)
                                        .list()
                                        .getItems())
                                .singleElement()
                                .satisfies(endpoints ->
                                        assertThat(endpoints.getSubsets()).hasSize(1));
                    });
            assertThat(client.leases()
                            .inNamespace(NAMESPACE)
                            .withName(NAME)
                            .get()
                            .getSpec()
                            .getHolderIdentity())
                    .isNotEmpty();
        }
    }
}
