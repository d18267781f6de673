package io.github.reconciler4j.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The main class of development, as a process of its own. */
@RealKubernetesTest
class DevelopmentClusterIntegrationTests {

    private static final String DEFINITION = "notes.development.example.com";

    private static final String YAML = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: notes.development.example.com}
            spec:
              group: development.example.com
              scope: Namespaced
              names: {kind: Note, plural: notes, singular: note, listKind: NoteList}
              versions:
              - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
            """;

    @TempDir
    private Path folder;

    private final List<Process> processes = new ArrayList<>();

    @AfterEach
    void endProcesses() {
        processes.forEach(Process::destroyForcibly);
    }

    @Test
    void operatorWhenAContextIsSelectedRunsOnThatClusterAndLeavesItAsItIs(RealKubernetes kubernetes) throws Exception {
        Process operator = start(kubernetes, "-Dreconciler4j.test.cluster=context:admin");
        awaitLine(operator, "The operator runs against");

        assertThat(log())
                .doesNotContain("export KUBECONFIG")
                .contains(kubernetes.server().toString());
        assertThat(kubernetes.kubectl("get", "crd", DEFINITION, "-o", "name")).contains(DEFINITION);
        operator.destroy();
        assertThat(operator.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(kubernetes.kubectl("get", "crd", DEFINITION, "-o", "name"))
                .as("the definition after the end of the operator")
                .contains(DEFINITION);
    }

    @Test
    void operatorWhenNoClusterIsSelectedPrintsAKubeconfigThatWorks(RealKubernetes kubernetes) throws Exception {
        Files.createDirectories(folder.resolve("target"));
        Process operator = start(kubernetes, "-Dunused=true");
        awaitLine(operator, "export KUBECONFIG=");

        assertThat(kubectl(kubernetes, "get", "crds", "-o", "name")).contains(DEFINITION);
    }

    @Test
    void operatorWhenItHasWebhooksIsCalledByTheServerInItsJvm(RealKubernetes kubernetes) throws Exception {
        Files.createDirectories(folder.resolve("target"));
        Process operator = start(kubernetes, "-Dreconciler4j.webhook.port=" + freePort());
        awaitLine(operator, "export KUBECONFIG=");
        await("the configuration")
                .atMost(Duration.ofMinutes(1))
                .until(() -> kubectl(kubernetes, "get", "mutatingwebhookconfigurations", "-o", "name")
                        .contains("development"));

        kubectl(kubernetes, "create", "namespace", "other");
        String created =
                kubectl(kubernetes, "-n", "other", "create", "configmap", "map", "-o", "jsonpath={.metadata.labels}");

        assertThat(created).contains("creator", "webhook");
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** Runs kubectl with the kubeconfig that the operator has written. */
    private String kubectl(RealKubernetes kubernetes, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                kubernetes.binaries().resolve("kubectl").toString(),
                "--kubeconfig",
                folder.resolve("target/kubeconfig").toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    private Process start(RealKubernetes kubernetes, String property) throws IOException {
        Path definitions = Files.createDirectories(folder.resolve("classes/META-INF/crds"));
        Files.writeString(definitions.resolve("notes.yaml"), YAML);
        ProcessBuilder builder = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        property,
                        "-cp",
                        folder.resolve("classes")
                                + System.getProperty("path.separator")
                                + System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        TestOperatorApplication.class.getName(),
                        "--spring.main.banner-mode=off",
                        "--spring.application.name=development")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile());
        builder.environment().put("KUBECONFIG", kubernetes.kubeconfig().toString());
        Process process = builder.start();
        processes.add(process);
        return process;
    }

    private void awaitLine(Process operator, String line) {
        await(line).atMost(Duration.ofMinutes(2)).until(() -> {
            assertThat(operator.isAlive()).as(log()).isTrue();
            return log().contains(line);
        });
    }

    private String log() throws IOException {
        return Files.readString(folder.resolve("log"));
    }
}
