package io.github.reconciler4j.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.image.LocalImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Builds the image by the Dockerfile and runs it. Takes minutes: with {@code -Pnightly} or {@code -Dimages=true}, where
 * buildah, mmdebstrap and JDK 25 are installed.
 */
@EnabledIfSystemProperty(named = "images", matches = "true")
class ImageIntegrationTests {

    @TempDir
    private Path folder;

    @Test
    void imageWhenStartedByItsEntryPointAnswersProbesAndReconciles() throws Exception {
        LocalImage.assumeTools();
        LocalImage image = LocalImage.build(Path.of(""), "target/" + jar());
        assertThat(image.configuration()).contains("user=65532:65532");
        try (KubernetesServer server = KubernetesServer.start();
                KubernetesClient client = new KubernetesClientBuilder()
                        .withConfig(server.clientConfig())
                        .build()) {
            client.load(ImageIntegrationTests.class.getResourceAsStream(
                            "/META-INF/crds/webapps.apps.reconciler4j.io.yaml"))
                    .create();
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
            server.writeKubeconfig(folder.resolve("kubeconfig"));
            Files.setPosixFilePermissions(folder.resolve("kubeconfig"), PosixFilePermissions.fromString("rw-r--r--"));
            // Without a cache that fits, AOTMode=on ends the process.
            try (LocalImage.Container container = image.start(folder, "-XX:AOTMode=on")) {
                assertWorks(container, client);
            }
        }
    }

    private static void assertWorks(LocalImage.Container container, KubernetesClient client) throws Exception {
        container.awaitProbe("/actuator/health/liveness");
        container.awaitProbe("/actuator/health/readiness");
        assertThat(container.user()).isEqualTo("65532");
        client.load(new ByteArrayInputStream(
                        WebApps.yaml("hello", "replicas: 2").getBytes(StandardCharsets.UTF_8)))
                .inNamespace("default")
                .create();
        await("the Deployment of the WebApp")
                .atMost(Duration.ofMinutes(1))
                .until(() -> client.apps()
                                .deployments()
                                .inNamespace("default")
                                .withName("hello")
                                .get()
                        != null);
        container.stop();
        assertThat(container.log())
                .contains("Starting AOT-processed SampleOperatorApplication", "Started SampleOperatorApplication")
                .doesNotContain("as if it was not processed");
    }

    private static String jar() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("target"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith("-app.jar"))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
