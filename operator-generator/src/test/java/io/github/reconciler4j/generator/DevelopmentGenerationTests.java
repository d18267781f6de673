package io.github.reconciler4j.generator;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.github.reconciler4j.test.spring.DevelopmentCluster;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
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

/**
 * An application whose classes are compiled, but not built, between two restarts in the same JVM. All tests share the server of that
 * JVM, so each has a group of its own.
 */
@ExtendWith(OutputCaptureExtension.class)
class DevelopmentGenerationTests {

    private static final String KIND = """
            package %1$s;
            import io.fabric8.kubernetes.api.model.Namespaced;
            import io.fabric8.kubernetes.client.CustomResource;
            import io.fabric8.kubernetes.model.annotation.Group;
            import io.fabric8.kubernetes.model.annotation.Version;
            /** A note. */
            @Group("%1$s.example.com")
            @Version(value = "%3$s", storage = %4$s)
            public class %2$s extends CustomResource<%2$sSpec, Void> implements Namespaced {}
            """;

    private static final String SPEC = """
            package %s;
            public class %sSpec {
                /** What the note says. */
                public String text;
                %s
            }
            """;

    @TempDir
    private Path folder;

    private final ClassLoader before = Thread.currentThread().getContextClassLoader();

    private Path classes;

    private Path sources;

    @BeforeEach
    void createFolders() throws IOException {
        classes = Files.createDirectories(folder.resolve("target/classes"));
        sources = Files.createDirectories(folder.resolve("src/main/java"));
    }

    @AfterEach
    void restore() {
        Thread.currentThread().setContextClassLoader(before);
    }

    private void source(String name, String text) throws IOException {
        Files.writeString(sources.resolve(name + ".java"), text);
    }

    private void note(String group, String fields) throws IOException {
        source("Note", KIND.formatted(group, "Note", "v1", true));
        source("NoteSpec", SPEC.formatted(group, "Note", fields));
    }

    /** Does what an IDE does. */
    private void compile() throws IOException {
        List<String> arguments = new ArrayList<>(List.of("-proc:none", "-nowarn", "-d", classes.toString()));
        try (Stream<Path> files = Files.list(sources)) {
            files.forEach(file -> arguments.add(file.toString()));
        }
        int code = ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new));
        assertThat(code).isZero();
    }

    /** Does what Maven does after the compilation. */
    private void generate() throws IOException {
        Thread.currentThread().setContextClassLoader(loader());
        int code = Main.run(
                "crds",
                "--classes",
                classes.toString(),
                "--sources",
                sources.toString(),
                "--out",
                classes.resolve("META-INF/crds").toString());
        assertThat(code).isZero();
    }

    private ClassLoader loader() throws IOException {
        return new URLClassLoader(new URL[] {classes.toUri().toURL()}, before);
    }

    private <T> T started(Function<KubernetesClient, T> work) throws IOException {
        Thread.currentThread().setContextClassLoader(loader());
        try (ConfigurableApplicationContext application = new SpringApplicationBuilder(
                                Application.class, DevelopmentCluster.class)
                        .web(WebApplicationType.NONE)
                        .properties("logging.level.io.github.reconciler4j=info")
                        .run();
                KubernetesClient client = new KubernetesClientBuilder()
                        .withConfig(application.getBean(Config.class))
                        .build()) {
            return work.apply(client);
        }
    }

    private void start() throws IOException {
        started(client -> client);
    }

    private CustomResourceDefinition served(String name) throws IOException {
        return started(client -> Objects.requireNonNull(client.apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName(name)
                .get()));
    }

    private static JSONSchemaProps spec(CustomResourceDefinition definition) {
        return definition
                .getSpec()
                .getVersions()
                .get(0)
                .getSchema()
                .getOpenAPIV3Schema()
                .getProperties()
                .get("spec");
    }

    private static GenericKubernetesResource created(KubernetesClient client, String group, String name) {
        return client.genericKubernetesResources(group + ".example.com/v1", "Note")
                .inNamespace("default")
                .load(new ByteArrayInputStream("""
                        apiVersion: %s.example.com/v1
                        kind: Note
                        metadata: {name: %s, namespace: default}
                        spec: {text: hello, color: red}
                        """.formatted(group, name).getBytes(StandardCharsets.UTF_8)))
                .create();
    }

    /** The server may be that of another test, so the first start of a test may be a restart, too. */
    private static int changes(CapturedOutput output, String name) {
        return output.getAll().split("The definition " + name + " has changed and is installed again", -1).length - 1;
    }

    @Test
    void fieldWhenItsClassIsCompiledIsServedWithoutABuildAndObjectsStay(CapturedOutput output) throws IOException {
        note("fields", "");
        compile();
        generate();
        String file = Files.readString(classes.resolve("META-INF/crds/notes.fields.example.com.yaml"));
        String uid = started(client -> {
            GenericKubernetesResource note = created(client, "fields", "first");
            assertThat(note.<Object>get("spec", "color")).isNull();
            return note.getMetadata().getUid();
        });
        int first = changes(output, "notes.fields.example.com");
        start();
        assertThat(changes(output, "notes.fields.example.com")).isEqualTo(first);

        note("fields", "/** Of the paper. */ public String color;");
        compile();
        started(client -> {
            assertThat(client.genericKubernetesResources("fields.example.com/v1", "Note")
                            .inNamespace("default")
                            .withName("first")
                            .get()
                            .getMetadata()
                            .getUid())
                    .isEqualTo(uid);
            return assertThat(created(client, "fields", "second").<Object>get("spec", "color"))
                    .isEqualTo("red");
        });

        assertThat(changes(output, "notes.fields.example.com")).isEqualTo(first + 1);
        assertThat(classes.resolve("META-INF/crds/notes.fields.example.com.yaml"))
                .as("what the build has written")
                .hasContent(file);
    }

    @Test
    void descriptionsWhenOnlyClassesAreCompiledAreThoseOfTheLastBuild(CapturedOutput output) throws IOException {
        note("described", "");
        compile();
        generate();
        start();
        note("described", "/** Of the paper. */ public String color;");
        compile();

        Map<String, JSONSchemaProps> properties =
                spec(served("notes.described.example.com")).getProperties();
        assertThat(properties.get("text").getDescription()).isEqualTo("What the note says.");
        assertThat(properties.get("color").getDescription()).isNull();
        int changes = changes(output, "notes.described.example.com");
        start();
        assertThat(changes(output, "notes.described.example.com"))
                .as("another restart changes nothing")
                .isEqualTo(changes);

        generate();
        assertThat(spec(served("notes.described.example.com"))
                        .getProperties()
                        .get("color")
                        .getDescription())
                .isEqualTo("Of the paper.");
    }

    @Test
    void kindWhenItCannotBeDescribedKeepsItsFormerDefinition(CapturedOutput output) throws IOException {
        note("broken", "");
        compile();
        generate();
        note("broken", "public String color;");
        compile();
        start();
        int former = changes(output, "notes.broken.example.com");

        note("broken", "public String color; public NoteSpec again;");
        compile();
        started(client -> assertThat(created(client, "broken", "first").<Object>get("spec", "color"))
                .isEqualTo("red"));

        assertThat(output)
                .contains(
                        "The definitions cannot be generated from the classes in",
                        "so the former ones stay (R4J-507): ")
                .contains("Cannot generate the definition notes.broken.example.com from broken.Note: ");
        assertThat(changes(output, "notes.broken.example.com")).isEqualTo(former);
    }

    @Test
    void definitionWhenABuildHasJustRemovedTheClassesStays() throws IOException {
        note("removed", "");
        compile();
        generate();
        start();
        note("removed", "public String color;");
        compile();
        start();

        Files.delete(classes.resolve("removed/Note.class"));

        assertThat(spec(served("notes.removed.example.com")).getProperties()).containsOnlyKeys("text", "color");
    }

    @Test
    void kindsWhenTheyAreNewAndVersionsAreServed(CapturedOutput output) throws IOException {
        note("several", "");
        compile();
        generate();
        start();
        int former = changes(output, "notes.several.example.com");

        source("Page", KIND.formatted("several", "Page", "v1", true));
        source("PageSpec", SPEC.formatted("several", "Page", ""));
        source(
                "OldNote",
                KIND.formatted("several", "OldNote", "v1beta1", false)
                        .replace(
                                "public class",
                                "@io.fabric8.kubernetes.model.annotation.Kind(\"Note\")"
                                        + " @io.fabric8.kubernetes.model.annotation.Plural(\"notes\")"
                                        + " @io.fabric8.kubernetes.model.annotation.Singular(\"note\") public class"));
        source("OldNoteSpec", SPEC.formatted("several", "OldNote", ""));
        compile();

        assertThat(served("notes.several.example.com").getSpec().getVersions())
                .extracting(CustomResourceDefinitionVersion::getName)
                .containsExactlyInAnyOrder("v1", "v1beta1");
        assertThat(spec(served("pages.several.example.com")).getProperties()).containsOnlyKeys("text");
        assertThat(changes(output, "notes.several.example.com")).isEqualTo(former + 1);
        assertThat(changes(output, "pages.several.example.com")).isEqualTo(1);
        assertThat(output).as("the log of fabric8's generator").doesNotContain("Generating 'pages");
    }

    @Test
    void definitionWhenAPersonHasWrittenItIsNotGenerated() throws IOException {
        note("written", "");
        compile();
        generate();
        Path file = classes.resolve("META-INF/crds/notes.written.example.com.yaml");
        Files.writeString(file, Files.readString(file).replaceFirst("#.*\\n", "# By hand.\n"));
        note("written", "public String color;");
        compile();

        assertThat(spec(served("notes.written.example.com")).getProperties()).containsOnlyKeys("text");
    }

    @Configuration(proxyBeanMethods = false)
    static class Application {}
}
