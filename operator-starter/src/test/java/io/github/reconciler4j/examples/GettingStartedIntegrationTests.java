package io.github.reconciler4j.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.github.reconciler4j.test.KubernetesServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The project of {@code docs/getting-started.md} is built in an empty folder, file by file as the guide prints it. Its
 * dependencies come from a local repository that links to that of the user and adds the modules of this build.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GettingStartedIntegrationTests {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern FILE = Pattern.compile("<!-- file: (\\S+) -->\\s*```\\w+\\n(.*?)```", Pattern.DOTALL);
    private static final String VERSION = "0.1.0-SNAPSHOT";
    private static final String GROUP = "io/github/reconciler4j";
    private static final Map<String, String> MODULES = Map.of(
            "operator-bom", "reconciler4j-bom",
            "operator-framework", "reconciler4j-core",
            "operator-starter", "reconciler4j-spring-boot-starter",
            "operator-test", "reconciler4j-test",
            "operator-test-server", "reconciler4j-test-server");

    private Path project;
    private Path repository;

    @BeforeAll
    void writeProject(@TempDir Path folder) throws IOException {
        project = Files.createDirectories(folder.resolve("project"));
        repository = Files.createDirectories(folder.resolve("repository"));
        Matcher file = FILE.matcher(Files.readString(ROOT.resolve("docs/getting-started.md")));
        int files = 0;
        while (file.find()) {
            Path target = project.resolve(file.group(1));
            Files.createDirectories(target.getParent());
            Files.writeString(target, file.group(2));
            files++;
        }
        assertThat(files).isEqualTo(8);
        Path users = Path.of(System.getProperty("user.home"), ".m2", "repository");
        linkRepository(Path.of(System.getProperty("localRepository", users.toString())));
        install(ROOT.resolve("pom.xml"), "reconciler4j", null);
        for (Map.Entry<String, String> module : MODULES.entrySet()) {
            Path folderOfModule = ROOT.resolve(module.getKey());
            install(folderOfModule.resolve("pom.xml"), module.getValue(), folderOfModule.resolve("target/classes"));
        }
    }

    /** Links everything but the artifacts of this build, so that downloads are shared with other builds. */
    private void linkRepository(Path users) throws IOException {
        Path links = repository;
        Path originals = users;
        for (String next : List.of("io", "github", "reconciler4j")) {
            try (Stream<Path> entries = Files.list(Files.createDirectories(originals))) {
                for (Path entry : entries.toList()) {
                    String name = entry.getFileName().toString();
                    if (!name.equals(next)) {
                        Files.createSymbolicLink(links.resolve(name), entry);
                    }
                }
            }
            links = Files.createDirectories(links.resolve(next));
            originals = originals.resolve(next);
        }
    }

    private void install(Path pom, String artifact, Path classes) throws IOException {
        Path folder = Files.createDirectories(
                repository.resolve(GROUP).resolve(artifact).resolve(VERSION));
        Files.copy(pom, folder.resolve(artifact + "-" + VERSION + ".pom"));
        if (classes == null || !Files.isDirectory(classes)) {
            return;
        }
        try (OutputStream file = Files.newOutputStream(folder.resolve(artifact + "-" + VERSION + ".jar"));
                JarOutputStream jar = new JarOutputStream(file);
                Stream<Path> entries = Files.walk(classes)) {
            for (Path entry : entries.filter(Files::isRegularFile).toList()) {
                jar.putNextEntry(
                        new ZipEntry(classes.relativize(entry).toString().replace('\\', '/')));
                Files.copy(entry, jar);
            }
        }
    }

    @Test
    void projectWhenBuiltAsPrintedPassesItsTestAndRuns() throws Exception {
        String log = maven("package");
        assertThat(log).contains("Tests run: 1, Failures: 0, Errors: 0, Skipped: 0", "BUILD SUCCESS");
        assertThat(entries()).contains("META-INF/crds/webpages.example.com-v1.yml");
        assertThat(entries()).noneMatch(entry -> entry.contains("crd-generator"));
        assertRuns();

        maven("clean", "package", "-Dmaven.test.skip=true");
        assertThat(entries()).contains("META-INF/crds/webpages.example.com-v1.yml");
    }

    private void assertRuns() throws Exception {
        Path kubeconfig = project.resolve("target/kubeconfig");
        Path definition = project.resolve("target/classes/META-INF/crds/webpages.example.com-v1.yml");
        try (KubernetesServer server = KubernetesServer.start();
                KubernetesClient client = new KubernetesClientBuilder()
                        .withConfig(server.clientConfig())
                        .build();
                InputStream yaml = Files.newInputStream(definition)) {
            server.writeKubeconfig(kubeconfig);
            client.resource(client.getKubernetesSerialization().unmarshal(yaml, CustomResourceDefinition.class))
                    .create();
            Process operator =
                    process("java", "-jar", "target/web-pages.jar", "--reconciler4j.client.kubeconfig=" + kubeconfig);
            try {
                create(client);
                await("the ConfigMap; " + log())
                        .atMost(Duration.ofSeconds(60))
                        .until(() -> client.configMaps()
                                        .inNamespace("default")
                                        .withName("hello")
                                        .get()
                                != null);
            } finally {
                operator.destroy();
            }
            assertThat(operator.waitFor(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static void create(KubernetesClient client) {
        GenericKubernetesResource page =
                client.getKubernetesSerialization().unmarshal("""
                        apiVersion: example.com/v1
                        kind: WebPage
                        metadata: {name: hello, namespace: default}
                        spec: {html: "<h1>Hi</h1>"}
                        """, GenericKubernetesResource.class);
        await("the definition is served")
                .atMost(Duration.ofSeconds(30))
                .ignoreExceptions()
                .until(() -> client.resource(page).create() != null);
    }

    private List<String> entries() throws IOException {
        try (JarFile jar = new JarFile(project.resolve("target/web-pages.jar").toFile())) {
            return jar.stream().map(ZipEntry::getName).toList();
        }
    }

    private String maven(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("mvn", "-B", "-ntp", "-Dmaven.repo.local=" + repository));
        command.addAll(List.of(arguments));
        Process build = process(command.toArray(String[]::new));
        assertThat(build.waitFor(10, TimeUnit.MINUTES)).as("the build ends").isTrue();
        assertThat(build.exitValue()).as(log()).isZero();
        return log();
    }

    private Process process(String... command) throws IOException {
        return new ProcessBuilder(command)
                .directory(project.toFile())
                .redirectErrorStream(true)
                .redirectOutput(project.resolve("log").toFile())
                .start();
    }

    private String log() throws IOException {
        return Files.readString(project.resolve("log"));
    }
}
