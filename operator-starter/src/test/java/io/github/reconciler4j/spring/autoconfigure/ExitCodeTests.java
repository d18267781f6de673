package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.test.KubernetesServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With which exit code a process ends after its operator has failed. */
class ExitCodeTests {

    private static final String EMBEDDING = "io.github.reconciler4j.embedding.EmbeddingApplication";

    @TempDir
    private Path folder;

    @Test
    void processWhenTheOperatorFailsEndsWithAnErrorCode() throws Exception {
        assertThat(exitCode(FailingOperator.class.getName())).isEqualTo(1);
        assertThat(log()).contains("The operator failed", "out of paper", "MARK beans destroyed");
    }

    @Test
    void processWhenTheApplicationMapsTheFailureEndsWithThatCode() throws Exception {
        assertThat(exitCode(FailingOperator.class.getName(), "--mapped=true")).isEqualTo(42);
    }

    @Test
    void processWhenThePropertyForbidsItEndsNormally() throws Exception {
        assertThat(exitCode(FailingOperator.class.getName(), "--reconciler4j.exit-on-failure=false"))
                .isZero();
        assertThat(log()).contains("The operator failed", "MARK beans destroyed");
    }

    @Test
    void processOfAnEmbeddingApplicationContinues() throws Exception {
        assertThat(exitCode(EMBEDDING, FailingOperator.class.getName())).isEqualTo(7);
        assertThat(log()).contains("The operator failed", "MARK the rest continues");
    }

    private int exitCode(String main, String... arguments) throws IOException, InterruptedException {
        try (KubernetesServer server = KubernetesServer.start()) {
            Path kubeconfig = folder.resolve("kubeconfig");
            server.writeKubeconfig(kubeconfig);
            List<String> command = new ArrayList<>(List.of(
                    ProcessHandle.current().info().command().orElse("java"),
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                    main));
            command.addAll(List.of(arguments));
            command.add("--spring.main.web-application-type=none");
            command.add("--reconciler4j.client.kubeconfig=" + kubeconfig);
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("log").toFile())
                    .start();
            try {
                assertThat(process.waitFor(120, TimeUnit.SECONDS))
                        .as("the process has ended")
                        .isTrue();
                return process.exitValue();
            } finally {
                process.destroyForcibly();
            }
        }
    }

    private String log() throws IOException {
        return Files.readString(folder.resolve("log"));
    }
}
