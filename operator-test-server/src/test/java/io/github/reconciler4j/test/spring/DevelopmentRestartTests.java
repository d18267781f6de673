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
        Files.writeString(folder.resolve("META-INF/crds/notes.yaml"), """
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: notes.development.example.com}
                spec:
                  group: development.example.com
                  scope: Namespaced
                  names: {kind: Note, plural: notes, singular: note, listKind: NoteList}
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    schema:
                      openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {%s}}}}
                """.formatted(properties));
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
        try (ConfigurableApplicationContext same = start()) {
            assertThat(output).doesNotContain(CHANGED);
            GenericKubernetesResource pruned = patched(same.getBean(Config.class), "{\"spec\": {\"color\": \"red\"}}");
            assertThat(pruned.<Object>get("spec", "color")).isNull();
        }
        define("text: {type: string}, color: {type: string}");
        try (ConfigurableApplicationContext changed = start()) {
            assertThat(output).containsOnlyOnce(CHANGED);
            GenericKubernetesResource red = patched(changed.getBean(Config.class), "{\"spec\": {\"color\": \"red\"}}");
            assertThat(red.<Object>get("spec", "color")).isEqualTo("red");
            assertThat(red.<Object>get("spec", "text")).isEqualTo("hello");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Application {}
}
