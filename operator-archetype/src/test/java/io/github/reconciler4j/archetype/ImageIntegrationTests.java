package io.github.reconciler4j.archetype;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.image.LocalImage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Builds the image of a generated project by its Dockerfile and by Jib, and runs both. Takes minutes: with {@code -Pnightly}
 * or {@code -Dimages=true}, where buildah, mmdebstrap and JDK 25 are installed.
 */
@EnabledIfSystemProperty(named = "images", matches = "true")
class ImageIntegrationTests {

    @TempDir
    private Path folder;

    @Test
    void imageWhenBuiltByDockerfileAndByJibAnswersProbesAndReconciles() throws Exception {
        LocalImage.assumeTools();
        GeneratedProject project = GeneratedProject.generate(Files.createDirectories(folder.resolve("project")));
        project.maven(
                "package",
                "-DskipTests",
                "com.google.cloud.tools:jib-maven-plugin:3.5.2:buildTar",
                "-Djib.from.image=tar://" + LocalImage.base(),
                "-Djib.to.image=greetings",
                "-Djib.container.user=65532:65532");

        assertWorks(LocalImage.build(project.path(), ""), project, "-XX:AOTMode=on");
        assertWorks(
                LocalImage.load("localhost/greetings-jib", project.path().resolve("target/jib-image.tar")),
                project,
                "-XX:TieredStopAtLevel=1");
    }

    private void assertWorks(LocalImage image, GeneratedProject project, String javaOptions) throws Exception {
        assertThat(image.configuration()).contains("user=65532:65532");
        Path mounted = Files.createTempDirectory(folder, "mounted");
        Files.setPosixFilePermissions(mounted, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (KubernetesServer server = KubernetesServer.start();
                KubernetesClient client = new KubernetesClientBuilder()
                        .withConfig(server.clientConfig())
                        .build()) {
            client.resource(Files.readString(project.path()
                            .resolve("target/classes/META-INF/crds/greetings.greetings.example.com.yaml")))
                    .create();
            server.writeKubeconfig(mounted.resolve("kubeconfig"));
            Files.setPosixFilePermissions(mounted.resolve("kubeconfig"), PosixFilePermissions.fromString("rw-r--r--"));
            try (LocalImage.Container container = image.start(mounted, javaOptions)) {
                container.awaitProbe("/actuator/health/liveness");
                container.awaitProbe("/actuator/health/readiness");
                assertThat(container.user()).isEqualTo("65532");
                ArchetypeIntegrationTests.create(client, "hello");
                container.stop();
            }
        }
    }
}
