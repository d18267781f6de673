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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Trains the packaged jar by the program that the Dockerfile runs, and starts it with the cache and with one that does not fit.
 * {@link ImageStartIntegrationTests} does so with the Java of the image.
 */
class TrainingIntegrationTests {

    @TempDir
    private Path folder;

    @Test
    void operatorWhenTrainedReconcilesWithTheCacheAndWithOneOfAnotherJar() throws Exception {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        assertReconcilesWithTheCacheAndWithOneOfAnotherJar(TrainedJar.train(java, folder), folder);
    }

    /** The jar stays as it was. */
    static void assertReconcilesWithTheCacheAndWithOneOfAnotherJar(TrainedJar trained, Path folder) throws Exception {
        assertThat(trained.printed())
                .containsPattern("Trained with 1 definition; the application wrote [0-9]+ objects")
                .doesNotContain("Warning");
        boolean aot = trained.options().get(0).endsWith(".aot");

        List<String> required = trained.command();
        assertReconciles(
                trained,
                Stream.concat(required.stream(), Stream.of(aot ? "-XX:AOTMode=on" : "-Xshare:on"))
                        .toList(),
                folder);

        FileTime trainedWith = Files.getLastModifiedTime(trained.jar());
        Files.setLastModifiedTime(trained.jar(), FileTime.from(Instant.now()));
        String log = assertReconciles(trained, required, folder);
        Files.setLastModifiedTime(trained.jar(), trainedWith);
        assertThat(log).contains("Starting AOT-processed SampleOperatorApplication");
        assertThat(log.lines().limit(10))
                .as("what the JVM says of a cache that does not fit")
                .anyMatch(line -> line.contains("[cds") || line.contains("[aot"));
    }

    private static String assertReconciles(TrainedJar trained, List<String> java, Path folder) throws Exception {
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
                    folder, java, trained.jar(), "--reconciler4j.client.kubeconfig=" + kubeconfig)) {
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
