package io.github.reconciler4j.archetype;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Generates a project with the archetype in an empty folder, adds a second kind, and builds and runs it with the commands of
 * its README.
 */
class ArchetypeIntegrationTests {

    private static final String NEW_KIND = "io.github.reconciler4j:reconciler4j-maven-plugin:new-kind";

    private static final String READY = "export KUBECONFIG=";

    private static final String WEBHOOK = """
                <dependency>
                  <groupId>io.github.reconciler4j</groupId>
                  <artifactId>reconciler4j-webhook</artifactId>
                </dependency>
            """;

    private static final String DEVTOOLS = """
                <dependency>
                  <groupId>org.springframework.boot</groupId>
                  <artifactId>spring-boot-devtools</artifactId>
                  <optional>true</optional>
                </dependency>
            """;

    @TempDir
    private Path folder;

    private GeneratedProject project;

    @Test
    void projectWhenGeneratedBuildsTestsAndRunsAndTakesASecondKind() throws Exception {
        long started = System.nanoTime();
        project = GeneratedProject.generate(folder);
        assertThat(project.maven("verify")).contains("Tests run: 1, Failures: 0, Errors: 0, Skipped: 0");
        Duration took = Duration.ofNanos(System.nanoTime() - started);
        System.err.println("From nothing to a tested operator: 2 commands, " + took.toSeconds() + " s");

        assertComplete(project.path());
        assertTrains();
        assertThat(project.failingMaven(NEW_KIND, "-Dkind=proxy"))
                .containsOnlyOnce("The kind must be a word like Database, was 'proxy'")
                .contains("'new-kind' failed: The kind must")
                .doesNotContain("--kind", "SLF4J");
        assertThat(project.failingMaven(NEW_KIND, "-Dkind=Pod"))
                .contains("'new-kind' failed: The kind cannot be Pod: Kubernetes has a kind Pod of its own");
        assertTakesAKindWithEverything();
        assertRunsInDevelopment();
    }

    private void assertTakesAKindWithEverything() throws Exception {
        assertThat(project.maven(
                        NEW_KIND,
                        "-Dkind=Proxy",
                        "-Dscope=Cluster",
                        "-Dversion=v1",
                        "-DformerVersion=v1beta1",
                        "-Dwebhooks=true"))
                .contains("Add the dependency io.github.reconciler4j:reconciler4j-webhook");
        addDependency(WEBHOOK);
        assertThat(project.maven("verify")).contains("Tests run: 4, Failures: 0, Errors: 0, Skipped: 0");
        assertThat(project.path().resolve("target/classes/META-INF/crds/proxies.greetings.example.com.yaml"))
                .content()
                .contains("scope: Cluster", "name: v1\n", "name: v1beta1\n");
    }

    private void addDependency(String dependency) throws IOException {
        Path pom = project.path().resolve("pom.xml");
        Files.writeString(
                pom, Files.readString(pom).replaceFirst("(?m)^  </dependencies>\\n\\n  <build>", dependency + "$0"));
    }

    private static void assertComplete(Path project) throws IOException {
        assertThat(project)
                .isDirectoryContaining("glob:**/.gitignore")
                .isDirectoryContaining("glob:**/Dockerfile")
                .isDirectoryContaining("glob:**/.github");
        assertThat(project.resolve("mvnw"))
                .isExecutable()
                .hasSameBinaryContentAs(GeneratedProject.ROOT.resolve("mvnw"));
        assertThat(project.resolve(".mvn/wrapper/maven-wrapper.properties"))
                .hasSameBinaryContentAs(GeneratedProject.ROOT.resolve(".mvn/wrapper/maven-wrapper.properties"));
        assertThat(Files.readString(project.resolve("chart/templates/rbac.yaml")))
                .contains("greetings");
        assertThat(project.resolve("examples/greetings.yaml")).content().contains("kind: Greeting");
        assertThat(project.resolve("docs/api.md")).content().contains("## Greeting v1", "### `.spec`");
        assertThat(project.resolve("target/classes/META-INF/crds/greetings.greetings.example.com.yaml"))
                .content()
                .contains("Text that the ConfigMap contains.");
    }

    /** Trains the operator by the goal, whose program the build has written for images, too. */
    private void assertTrains() throws Exception {
        assertThat(project.path().resolve("target/aot-trainer"))
                .isDirectoryContaining("glob:**/trainer.jar")
                .isDirectoryRecursivelyContaining("glob:**/examples/greetings.yaml");
        assertThat(project.maven(
                        "io.github.reconciler4j:reconciler4j-maven-plugin:aot-cache", "-Dreconciler4j.aot.timeout=300"))
                .containsPattern("Trained with 1 definition; the application wrote [1-9]")
                .containsPattern("Start the application with: java -XX:\\S+ -Dspring.aot.enabled=true -jar ");
        assertThat(project.path().resolve("target/application"))
                .isDirectoryContaining("regex:.*/application\\.(aot|jsa)");
        assertThatThrownBy(() -> project.maven(
                        "io.github.reconciler4j:reconciler4j-maven-plugin:aot-cache",
                        "-Dreconciler4j.aot.application=target/none.jar"))
                .hasMessageContaining("target/none.jar: package the application first");
    }

    /** Runs the operator with DevTools, which restarts it when a class changes. */
    private void assertRunsInDevelopment() throws Exception {
        addDependency(DEVTOOLS);
        Path log = project.path().resolve("run.log");
        Process run = project.process(
                        project.path(), log, "spring-boot:test-run", "-Dspring-boot.run.arguments=--server.port=0")
                .start();
        try {
            awaitStarts(log, 1);
            Config config = Config.fromKubeconfig(
                    project.path().resolve("target/kubeconfig").toFile());
            try (KubernetesClient client =
                    new KubernetesClientBuilder().withConfig(config).build()) {
                assertObjectsStayWhenDevToolsRestarts(client, log);
            }
        } finally {
            run.descendants().forEach(ProcessHandle::destroy);
            run.destroy();
        }
    }

    private void assertObjectsStayWhenDevToolsRestarts(KubernetesClient client, Path log) throws IOException {
        create(client, "before");
        Map<String, String> before = uids(client);
        assertThat(before).hasSize(2).doesNotContainValue(null);
        Path changed = project.path().resolve("target/classes/com/example/GreetingReconciler.class");

        Files.setLastModifiedTime(changed, FileTime.from(Instant.now()));
        awaitStarts(log, 2);

        assertThat(uids(client))
                .as("the same objects, not others of the same names")
                .isEqualTo(before);
        create(client, "after");
        assertThat(uids(client)).isEqualTo(before);
    }

    /** Returns the uids of what a user and the operator created before the restart. */
    private static Map<String, String> uids(KubernetesClient client) {
        Map<String, String> uids = new HashMap<>();
        uids.put(
                "Greeting",
                uid(client.genericKubernetesResources("greetings.example.com/v1alpha1", "Greeting")
                        .inNamespace("default")
                        .withName("before")
                        .get()));
        uids.put(
                "ConfigMap",
                uid(client.configMaps()
                        .inNamespace("default")
                        .withName("before")
                        .get()));
        return uids;
    }

    private static String uid(HasMetadata object) {
        return object == null ? null : object.getMetadata().getUid();
    }

    private static void awaitStarts(Path log, int times) {
        await(times + " starts of the operator; " + log)
                .atMost(Duration.ofMinutes(5))
                .until(() -> Files.readString(log).split(READY, -1).length > times);
    }

    /** Creates an object and waits until it is reconciled. */
    static void create(KubernetesClient client, String name) {
        client.resource("apiVersion: greetings.example.com/v1alpha1\nkind: Greeting\nmetadata: {name: " + name
                        + ", namespace: default}\nspec: {text: hello}")
                .create();
        await("the ConfigMap " + name)
                .atMost(Duration.ofMinutes(1))
                .until(() -> client.configMaps()
                                .inNamespace("default")
                                .withName(name)
                                .get()
                        != null);
    }
}
