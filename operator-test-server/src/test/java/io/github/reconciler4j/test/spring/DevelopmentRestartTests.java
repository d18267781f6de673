package io.github.reconciler4j.test.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** An application that restarts in the same JVM, as DevTools restarts it: with another class loader. */
@ExtendWith(OutputCaptureExtension.class)
class DevelopmentRestartTests {

    private static final String CHANGED =
            "The definition notes.development.example.com has changed and is installed again";

    @TempDir
    private Path folder;

    private final ClassLoader before = Thread.currentThread().getContextClassLoader();

    @BeforeEach
    void createFolder() throws IOException {
        Files.createDirectories(folder.resolve("META-INF/crds"));
    }

    @AfterEach
    void restore() {
        Thread.currentThread().setContextClassLoader(before);
    }

    private void define(String properties) throws IOException {
        define("development.example.com", properties);
    }

    private void define(String group, String properties) throws IOException {
        Files.writeString(folder.resolve("META-INF/crds/notes.yaml"), """
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: notes.%1$s}
                spec:
                  group: %1$s
                  scope: Namespaced
                  names: {kind: Note, plural: notes, singular: note, listKind: NoteList}
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    schema:
                      openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {%2$s}}}}
                """.formatted(group, properties));
    }

    private ConfigurableApplicationContext start() throws IOException {
        Thread.currentThread()
                .setContextClassLoader(
                        new URLClassLoader(new URL[] {folder.toUri().toURL()}, before));
        return new SpringApplicationBuilder(Application.class, DevelopmentCluster.class)
                .web(WebApplicationType.NONE)
                .properties("logging.level.io.github.reconciler4j=info")
                .run();
    }

    private static GenericKubernetesResource patched(Config config, String patch) {
        try (KubernetesClient client =
                new KubernetesClientBuilder().withConfig(config).build()) {
            return client.genericKubernetesResources("development.example.com/v1", "Note")
                    .inNamespace("default")
                    .withName("hello")
                    .patch(PatchContext.of(PatchType.JSON_MERGE), patch);
        }
    }

    /** The server may be that of another test, so the first start of a test may be a restart, too. */
    private static int changes(CapturedOutput output) {
        return output.getAll().split(CHANGED, -1).length - 1;
    }

    @Test
    void applicationWhenThereAreNoControllersNamesTheirDependency(CapturedOutput output) throws IOException {
        define("text: {type: string}");
        try (ConfigurableApplicationContext context = start()) {
            assertThat(context.isActive()).isTrue();
        }
        assertThat(output).contains("'io.github.reconciler4j:reconciler4j-test-cluster' in scope 'test'");
    }

    @Test
    void definitionWhenItHasChangedIsInstalledAndObjectsStay(CapturedOutput output) throws IOException {
        define("text: {type: string}");
        try (ConfigurableApplicationContext first = start();
                KubernetesClient client = new KubernetesClientBuilder()
                        .withConfig(first.getBean(Config.class))
                        .build()) {
            client.resource("""
                    apiVersion: development.example.com/v1
                    kind: Note
                    metadata: {name: hello, namespace: default}
                    spec: {text: hello}
                    """).create();
        }
        int former = changes(output);
        try (ConfigurableApplicationContext same = start()) {
            assertThat(changes(output)).isEqualTo(former);
            GenericKubernetesResource pruned = patched(same.getBean(Config.class), "{\"spec\": {\"color\": \"red\"}}");
            assertThat(pruned.<Object>get("spec", "color")).isNull();
        }
        define("text: {type: string}, color: {type: string}");
        try (ConfigurableApplicationContext changed = start()) {
            assertThat(changes(output)).isEqualTo(former + 1);
            GenericKubernetesResource red = patched(changed.getBean(Config.class), "{\"spec\": {\"color\": \"red\"}}");
            assertThat(red.<Object>get("spec", "color")).isEqualTo("red");
            assertThat(red.<Object>get("spec", "text")).isEqualTo("hello");
        }
    }

    @Test
    void classWhenItHasChangedWithoutItsDefinitionIsNamedWithTheCommand(CapturedOutput output) throws IOException {
        define("compiled.example.com", "text: {type: string}");
        compile("public String text;");
        start().close();
        compile("public String text;");
        start().close();
        assertThat(output).doesNotContain("process-classes");

        compile("public String text; public String color;");
        start().close();
        assertThat(output)
                .containsOnlyOnce("The classes of notes.Note have changed, but not their definitions: run ./mvnw"
                        + " process-classes, or add the dependency io.github.reconciler4j:reconciler4j-generator with the"
                        + " scope test (R4J-508)");

        define("compiled.example.com", "text: {type: string}, color: {type: string}");
        start().close();
        assertThat(output).containsOnlyOnce("process-classes");
    }

    @Test
    void definitionWhenTheServerRefusesItsChangeStaysAndTheRestartGoesOn(CapturedOutput output) throws IOException {
        define("refused.example.com", "text: {type: string}");
        start().close();
        define("refused.example.com", "text: {type: string, pattern: '('}");
        start().close();
        assertThat(output)
                .containsOnlyOnce("The API server does not take over the changed definition notes.refused.example.com,"
                        + " so the former one stays (R4J-509): CustomResourceDefinition.apiextensions.k8s.io"
                        + " \"notes.refused.example.com\" is invalid: ");
    }

    private void compile(String fields) throws IOException {
        Path kind = Files.writeString(folder.resolve("Note.java"), """
                package notes;
                @io.fabric8.kubernetes.model.annotation.Group("compiled.example.com")
                @io.fabric8.kubernetes.model.annotation.Version("v1")
                public class Note extends io.fabric8.kubernetes.client.CustomResource<NoteSpec, Void> {}
                """);
        Path spec = Files.writeString(
                folder.resolve("NoteSpec.java"), "package notes; public class NoteSpec {" + fields + "}");
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, "-proc:none", "-d", folder.toString(), kind.toString(), spec.toString()))
                .isZero();
    }

    @Configuration(proxyBeanMethods = false)
    static class Application {}
}
