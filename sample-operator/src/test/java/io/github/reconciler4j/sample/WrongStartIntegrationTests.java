package io.github.reconciler4j.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An operator that cannot start reports the cause, and continues once the cause is fixed. */
@RealKubernetesTest(
        dedicated = true,
        components = {})
class WrongStartIntegrationTests {

    @TempDir
    private Path folder;

    private InstalledChart chart;

    @BeforeEach
    void install(RealKubernetes kubernetes) throws IOException {
        chart = InstalledChart.install(kubernetes, folder, Map.of("leaderElection", Map.of("enabled", false)));
    }

    @Test
    void startWhenApiServerIsDownWaitsAndFailsWithAReport() throws IOException, InterruptedException {
        Path kubeconfig = folder.resolve("down");
        Files.writeString(
                kubeconfig,
                Files.readString(chart.kubeconfig())
                        .replaceFirst("server: \"[^\"]*\"", "server: \"https://127.0.0.1:1\""));

        try (OperatorProcess operator = OperatorProcess.start(
                folder, "--reconciler4j.client.kubeconfig=" + kubeconfig, "--reconciler4j.api-server-timeout=5s")) {
            int code = operator.awaitEnd(Duration.ofMinutes(2));

            assertThat(code).isEqualTo(1);
            assertThat(operator.log())
                    .contains("APPLICATION FAILED TO START", "https://127.0.0.1:1", "refused", "(R4J-020)")
                    .contains("Waiting for the API server at https://127.0.0.1:1/", "giving up in")
                    .contains("reconciler4j.client.kubeconfig");
        }
    }

    @Test
    void startWhenTokenIsInvalidReportsTheCredentials() throws IOException, InterruptedException {
        Path kubeconfig = folder.resolve("invalid");
        Files.writeString(
                kubeconfig, Files.readString(chart.kubeconfig()).replaceFirst("token: \"[^\"]*\"", "token: \"wrong\""));

        try (OperatorProcess operator = OperatorProcess.start(
                folder, "--reconciler4j.client.kubeconfig=" + kubeconfig, "--reconciler4j.api-server-timeout=5s")) {
            int code = operator.awaitEnd(Duration.ofMinutes(2));

            assertThat(code).isEqualTo(1);
            assertThat(operator.log())
                    .contains("APPLICATION FAILED TO START", "credentials", "(R4J-005)")
                    .doesNotContain("wrong");
        }
    }

    @Test
    void startWhenDefinitionIsMissingWaitsAndContinues(RealKubernetes kubernetes) {
        kubernetes.kubectl("delete", "crd", "webapps.apps.reconciler4j.io", "--timeout=60s");

        try (OperatorProcess operator = chart.start()) {
            operator.awaitLog("webapps.apps.reconciler4j.io").awaitLog("CustomResourceDefinition");

            InstalledChart.installDefinition(kubernetes);

            operator.awaitReady();
        }
    }

    @Test
    void startWhenPermissionIsMissingReportsItAndContinuesOnceGranted(RealKubernetes kubernetes) {
        kubernetes.kubectl("delete", "clusterrolebinding", "demo-sample-operator");

        try (OperatorProcess operator = chart.start()) {
            operator.awaitLog("webapps").awaitLog("list").awaitLog("apiGroups").awaitLog("apps.reconciler4j.io");

            kubernetes.kubectl(
                    "create",
                    "clusterrolebinding",
                    "demo-sample-operator",
                    "--clusterrole=demo-sample-operator",
                    "--serviceaccount=operators:demo-sample-operator");

            operator.awaitReady();
        }
    }

    @Test
    void startWhenAWritePermissionIsMissingReportsItOrFails(RealKubernetes kubernetes) throws Exception {
        kubernetes.kubectl(
                "patch",
                "clusterrole",
                "demo-sample-operator",
                "--type=json",
                "-p",
                "[{\"op\": \"replace\", \"path\": \"/rules/2/verbs\", \"value\": [\"get\", \"list\", \"watch\"]}]");

        try (OperatorProcess operator = chart.start().awaitReady()) {
            assertThat(operator.log())
                    .containsPattern("Preflight: .*missing")
                    .containsPattern("webapp +deployments.apps +\\(all\\) +create, patch\n")
                    .contains("- apps\n  resources:\n  - deployments\n  verbs:\n  - create\n  - patch\n");
        }
        try (OperatorProcess operator = chart.start("--reconciler4j.preflight=fail")) {
            assertThat(operator.awaitEnd(Duration.ofMinutes(2))).isEqualTo(1);
            assertThat(operator.log()).contains("APPLICATION FAILED TO START", "- deployments\n");
        }
        try (OperatorProcess operator =
                chart.start("--reconciler4j.preflight=off").awaitReady()) {
            assertThat(operator.log()).doesNotContain("Preflight:");
        }
    }

    @Test
    void startWhenPropertyIsInvalidNamesIt() throws InterruptedException {
        try (OperatorProcess operator =
                OperatorProcess.start(folder, "--reconciler4j.client.kubeconfig=/does/not/exist")) {
            assertThat(operator.awaitEnd(Duration.ofMinutes(3))).isEqualTo(1);
            assertThat(operator.log()).contains("reconciler4j.client.kubeconfig", "/does/not/exist");
        }
    }

    @Test
    void startWhenControllerNameIsUnknownListsKnownNames() throws InterruptedException {
        try (OperatorProcess operator = chart.start("--reconciler4j.controllers.webap.enabled=false")) {
            assertThat(operator.awaitEnd(Duration.ofMinutes(3))).isEqualTo(1);
            assertThat(operator.log()).contains("webap", "known controllers are [webapp]");
        }
    }
}
