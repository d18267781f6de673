package io.github.reconciler4j.archetype;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.github.reconciler4j.test.KubernetesServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The project of {@code docs/getting-started.md} is built in an empty folder, file by file as the guide prints it. */
class GettingStartedIntegrationTests {

    private static final Pattern FILE = Pattern.compile("<!-- file: (\\S+) -->\\s*```\\w+\\n(.*?)```", Pattern.DOTALL);

    @TempDir
    private Path folder;

    private GeneratedProject project;

    @BeforeEach
    void writeProject() throws IOException {
        Map<String, String> files = new HashMap<>();
        Matcher file = FILE.matcher(Files.readString(GeneratedProject.ROOT.resolve("docs/getting-started.md")));
        while (file.find()) {
            files.put(file.group(1), file.group(2));
        }
        assertThat(files).hasSize(7);
        project = GeneratedProject.write(folder, files);
    }

    @Test
    void projectWhenBuiltAsPrintedPassesItsTestAndRuns() throws Exception {
        assertThat(project.maven("package"))
                .contains("Tests run: 1, Failures: 0, Errors: 0, Skipped: 0", "BUILD SUCCESS");
        assertThat(entries()).contains("META-INF/crds/webpages.example.com.yaml");
        assertThat(entries()).noneMatch(entry -> entry.contains("crd-generator"));
        assertThat(project.path().resolve("chart/templates/_helpers.tpl"))
                .content()
                .contains("webpages/status");
        assertRuns();

        project.maven("clean", "package", "-Dmaven.test.skip=true");
        assertThat(entries()).contains("META-INF/crds/webpages.example.com.yaml");
    }

    private void assertRuns() throws Exception {
        Path kubeconfig = project.path().resolve("target/kubeconfig");
        Path definition = project.path().resolve("target/classes/META-INF/crds/webpages.example.com.yaml");
        try (KubernetesServer server = KubernetesServer.start();
                KubernetesClient client = new KubernetesClientBuilder()
                        .withConfig(server.clientConfig())
                        .build();
                InputStream yaml = Files.newInputStream(definition)) {
            server.writeKubeconfig(kubeconfig);
            // fabric8's client repeats a request that took too long: an apply can be repeated, a create conflicts
            client.resource(client.getKubernetesSerialization().unmarshal(yaml, CustomResourceDefinition.class))
                    .serverSideApply();
            Process operator = process(
                    "java",
                    "-Dspring.aot.enabled=true", // as in the entry point of an image
                    "-jar",
                    "target/web-pages.jar",
                    "--reconciler4j.client.kubeconfig=" + kubeconfig);
            try {
                apply(client);
                await("the ConfigMap; " + log())
                        .atMost(Duration.ofMinutes(3))
                        .until(() -> client.configMaps()
                                        .inNamespace("default")
                                        .withName("hello")
                                        .get()
                                != null);
            } finally {
                operator.destroy();
            }
            assertThat(operator.waitFor(120, TimeUnit.SECONDS)).isTrue();
            assertThat(log()).contains("Starting AOT-processed");
        }
    }

    private static void apply(KubernetesClient client) {
        GenericKubernetesResource page =
                client.getKubernetesSerialization().unmarshal("""
                        apiVersion: example.com/v1
                        kind: WebPage
                        metadata: {name: hello, namespace: default}
                        spec: {html: "<h1>Hi</h1>"}
                        """, GenericKubernetesResource.class);
        await("the definition is served")
                .atMost(Duration.ofMinutes(3))
                .ignoreExceptions()
                .until(() -> client.resource(page).serverSideApply() != null);
    }

    private List<String> entries() throws IOException {
        try (JarFile jar =
                new JarFile(project.path().resolve("target/web-pages.jar").toFile())) {
            return jar.stream().map(ZipEntry::getName).toList();
        }
    }

    private Process process(String... command) throws IOException {
        return new ProcessBuilder(command)
                .directory(project.path().toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
    }

    private String log() throws IOException {
        return Files.readString(folder.resolve("log"));
    }
}
