package io.github.reconciler4j.generator.compatibility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reconciler4j.generator.GeneratorException;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DefinitionSourceTests {

    private static final String DEFINITION = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata:
              name: %s
            """;

    @TempDir
    private Path folder;

    @BeforeEach
    void write() throws IOException {
        Files.createDirectories(folder.resolve("crds"));
        Files.writeString(folder.resolve("crds/a.yaml"), DEFINITION.formatted("a.example.com"));
        Files.writeString(
                folder.resolve("crds/b.yml"),
                "# two documents\n---\nkind: ConfigMap\n---\n" + DEFINITION.formatted("b.example.com"));
        Files.writeString(
                folder.resolve("crds/template.yaml"),
                "{{- if .Values.crds.install }}\n" + DEFINITION.formatted("c.example.com")
                        + "  labels:\n    {{- include \"x\" . | nindent 4 }}\n{{- end }}\n");
        Files.writeString(folder.resolve("crds/deployment.yaml"), "{{ template }}");
    }

    @Test
    void sourceWhenFolderOrFileHasItsDefinitions() {
        assertThat(names("crds")).containsExactly("a.example.com", "b.example.com", "c.example.com");
        assertThat(names("crds/b.yml")).containsExactly("b.example.com");
    }

    @Test
    void sourceWhenJarHasThoseInItsMetadata() throws IOException {
        Path jar = folder.resolve("operator.jar");
        try (FileSystem zip = FileSystems.newFileSystem(jar, Map.of("create", "true"))) {
            Files.createDirectories(zip.getPath("/META-INF/crds"));
            Files.copy(folder.resolve("crds/a.yaml"), zip.getPath("/META-INF/crds/a.yaml"));
            Files.copy(folder.resolve("crds/b.yml"), zip.getPath("/b.yml"));
        }

        assertThat(names("operator.jar")).containsExactly("a.example.com");
    }

    @Test
    void sourceWhenGitHasThoseOfTheCommit() throws Exception {
        git("init", "-q");
        git("add", ".");
        git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "a");
        git("tag", "v1");
        Files.delete(folder.resolve("crds/a.yaml"));

        assertThat(names("git:v1:crds")).containsExactly("a.example.com", "b.example.com", "c.example.com");
        assertThat(names("git:HEAD:crds/a.yaml")).containsExactly("a.example.com");
        assertThatThrownBy(() -> names("git:v2:crds"))
                .isInstanceOf(GeneratorException.class)
                .hasMessageContaining("git ls-tree")
                .hasMessageContaining("v2");
        assertThatThrownBy(() -> names("git:v1")).hasMessageContaining("git:REF:PATH");
    }

    @Test
    void sourceWhenMissingSaysWhatItCanBe() {
        assertThatThrownBy(() -> names("nowhere"))
                .isInstanceOf(GeneratorException.class)
                .hasMessageContaining("nowhere")
                .hasMessageContaining("git:REF:PATH");
    }

    private List<Object> names(String source) {
        return DefinitionSource.parse(source, folder).read(List.of()).stream()
                .map(definition -> ((Map<?, ?>) definition.get("metadata")).get("name"))
                .<Object>map(name -> name)
                .toList();
    }

    private void git(String... arguments) throws IOException, InterruptedException {
        List<String> command = new java.util.ArrayList<>(List.of("git"));
        command.addAll(List.of(arguments));
        assertThat(new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .start()
                        .waitFor())
                .isZero();
    }
}
