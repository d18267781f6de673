package io.github.reconciler4j.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.github.reconciler4j.test.KubernetesServer;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Trains the packaged jar by the program that the Dockerfile runs, and starts it with the cache and with one that does not fit. */
class TrainingIntegrationTests {

    @TempDir
    private Path folder;

    /** This Java and the other one that {@code dev/test} has found. */
    static Stream<Path> javas() {
        return Stream.of(System.getProperty("java.home"), System.getProperty("other.jdk"))
                .filter(Objects::nonNull)
                .map(home -> Path.of(home, "bin", "java"))
                .filter(Files::isExecutable);
    }

    @ParameterizedTest
    @MethodSource("javas")
    void operatorWhenTrainedReconcilesWithTheCacheAndWithOneOfAnotherJar(Path java) throws Exception {
        TrainedJar trained = TrainedJar.train(java, folder);
        assertThat(trained.printed())
                .containsPattern("Trained with 1 definition; the application wrote [0-9]+ objects")
                .doesNotContain("Warning");
        boolean aot = trained.options().get(0).endsWith(".aot");

        List<String> required = trained.command();
        assertReconciles(Stream.concat(required.stream(), Stream.of(aot ? "-XX:AOTMode=on" : "-Xshare:on"))
                .toList());

        Files.setLastModifiedTime(folder.resolve("application/application.jar"), FileTime.from(Instant.now()));
        String log = assertReconciles(required);
        assertThat(log).contains("Starting AOT-processed SampleOperatorApplication");
        assertThat(log.lines().limit(10))
                .as("what the JVM says of a cache that does not fit")
                .anyMatch(line -> line.contains("[cds") || line.contains("[aot"));
    }

    private String assertReconciles(List<String> java) throws Exception {
        try (KubernetesServer server = KubernetesServer.start();
                KubernetesClient client = new KubernetesClientBuilder()
                        .withConfig(server.clientConfig())
                        .build()) {
            client.load(TrainingIntegrationTests.class.getResourceAsStream(
                            "/META-INF/crds/webapps.apps.reconciler4j.io.yaml"))
                    .create();
            Path kubeconfig = folder.resolve("kubeconfig");
            server.writeKubeconfig(kubeconfig);
            client.load(new ByteArrayInputStream(WebApps.yaml("hello").getBytes(StandardCharsets.UTF_8)))
                    .inNamespace("default")
                    .create();
            try (OperatorProcess operator = OperatorProcess.start(
                    folder,
                    java,
                    folder.resolve("application/application.jar"),
                    "--reconciler4j.client.kubeconfig=" + kubeconfig)) {
                await("the Deployment of the WebApp")
                        .atMost(Duration.ofMinutes(3))
                        .until(() -> !operator.isAlive()
                                || client.apps()
                                                .deployments()
                                                .inNamespace("default")
                                                .withName("hello")
                                                .get()
                                        != null);
                assertThat(operator.isAlive()).as(operator.log()).isTrue();
                operator.awaitReady().stop();
                return operator.log();
            }
        }
    }
}
