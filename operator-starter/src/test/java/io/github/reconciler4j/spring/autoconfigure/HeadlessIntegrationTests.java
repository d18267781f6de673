package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.reconciler4j.test.kubernetes.AnyKubernetes;
import io.github.reconciler4j.test.kubernetes.AnyKubernetesTest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An operator without a web server, as a process of its own on an API server. */
@AnyKubernetesTest
class HeadlessIntegrationTests {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    /** What the JVM returns after SIGTERM. */
    private static final int TERMINATED = 143;

    @TempDir
    private Path folder;

    private final List<Process> processes = new ArrayList<>();

    @AfterEach
    void endProcesses() {
        processes.forEach(Process::destroyForcibly);
    }

    @Test
    void operatorWhenMainHasReturnedStaysAndOnSigtermFinishesWhatRuns(AnyKubernetes kubernetes) throws Exception {
        String namespace = kubernetes.createNamespace("headless");
        Process operator = start(
                "--reconciler4j.client.kubeconfig=" + kubernetes.kubeconfig(),
                "--reconciler4j.cache.namespaces=" + namespace);
        awaitMark("main has returned");
        create(kubernetes, namespace, "one");
        awaitMark("reconciled one");
        create(kubernetes, namespace, "slow");
        awaitMark("slow started");

        operator.destroy();

        assertThat(awaitEnd(operator)).isEqualTo(TERMINATED);
        assertThat(marks())
                .containsSubsequence(
                        "state CORRECT",
                        "state ACCEPTING_TRAFFIC",
                        "main has returned",
                        "slow started",
                        "state REFUSING_TRAFFIC",
                        "slow finished",
                        "beans destroyed");
        assertThat(log()).doesNotContain(" ERROR ", "abandoned", "Exception");
    }

    @Test
    void operatorWhenTerminatedASecondTimeEndsAtOnce(AnyKubernetes kubernetes) throws Exception {
        String namespace = kubernetes.createNamespace("headless");
        Process operator = start(
                "--reconciler4j.client.kubeconfig=" + kubernetes.kubeconfig(),
                "--reconciler4j.cache.namespaces=" + namespace,
                "--reconciler4j.grace-period=1h");
        create(kubernetes, namespace, "endless");
        awaitMark("endless started");

        operator.destroy();
        awaitMark("state REFUSING_TRAFFIC");
        await("the operator ends within its grace period; " + file())
                .atMost(TIMEOUT)
                .until(() -> {
                    operator.destroy();
                    return !operator.isAlive();
                });

        assertThat(operator.exitValue()).isEqualTo(TERMINATED);
        assertThat(marks()).doesNotContain("beans destroyed");
    }

    @Test
    void operatorWhenTerminatedWhileItWaitsForTheApiServerEndsAtOnce(AnyKubernetes kubernetes) throws Exception {
        Path kubeconfig = folder.resolve("down");
        Files.writeString(
                kubeconfig,
                Files.readString(kubernetes.kubeconfig())
                        .replaceAll("server: \"?[^\"\\n]*\"?", "server: https://127.0.0.1:1"));
        Process operator =
                start("--reconciler4j.client.kubeconfig=" + kubeconfig, "--reconciler4j.api-server-timeout=10m");
        await("the operator waits; " + file())
                .atMost(TIMEOUT)
                .until(() -> log().contains("Waiting for the API server at"));
        assertThat(marks()).as("live while it waits").contains("state CORRECT");

        operator.destroy();

        assertThat(awaitEnd(operator)).isEqualTo(TERMINATED);
        assertThat(marks()).contains("beans destroyed");
    }

    /** Only the injection of fabric8's client costs memory and a thread pool. */
    @Test
    void clientOfFabric8WhenNoBeanInjectsItIsNotLoaded(AnyKubernetes kubernetes) throws Exception {
        String namespace = kubernetes.createNamespace("headless");
        start(
                "--reconciler4j.client.kubeconfig=" + kubernetes.kubeconfig(),
                "--reconciler4j.cache.namespaces=" + namespace);
        create(kubernetes, namespace, "one");
        awaitMark("reconciled one");

        assertThat(Files.readString(folder.resolve("classes.log")))
                .contains("io.fabric8.kubernetes.client.Config ")
                .doesNotContain(
                        "io.fabric8.kubernetes.client.impl.",
                        "io.fabric8.kubernetes.client.KubernetesClientBuilder ",
                        "io.vertx.");
    }

    private static void create(AnyKubernetes kubernetes, String namespace, String name) {
        kubernetes.apply(
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + ", namespace: " + namespace + "}}");
    }

    private Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-XX:+UseSerialGC",
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-Xlog:class+load:file=" + folder.resolve("classes.log"),
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                HeadlessOperator.class.getName(),
                "--spring.main.banner-mode=off",
                "--management.otlp.metrics.export.enabled=false")); // the tests have its library and no collector
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(file().toFile())
                .start();
        processes.add(process);
        return process;
    }

    private Path file() {
        return folder.resolve("operator.log");
    }

    private String log() {
        try {
            return Files.readString(file());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> marks() {
        return log().lines()
                .filter(line -> line.startsWith("MARK "))
                .map(line -> line.substring("MARK ".length()))
                .toList();
    }

    private void awaitMark(String mark) {
        await("the operator says '" + mark + "'").atMost(TIMEOUT).until(() -> {
            if (processes.stream().noneMatch(Process::isAlive)) {
                throw new IllegalStateException("The operator has ended:\n" + log());
            }
            return marks().contains(mark);
        });
    }

    private int awaitEnd(Process operator) throws InterruptedException {
        assertThat(operator.waitFor(60, TimeUnit.SECONDS))
                .as("the operator has ended; its log:\n" + log())
                .isTrue();
        return operator.exitValue();
    }
}
