package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

class DefinitionResourcesTests {

    @TempDir
    private Path folder;

    private void write(String file, String text) throws IOException {
        Files.writeString(folder.resolve(file), text);
    }

    private List<String> names() {
        return DefinitionResources.read(new PathMatchingResourcePatternResolver(), List.of(folder.toUri() + "*.yaml"))
                .stream()
                .map(definition -> definition.getMetadata().getName())
                .toList();
    }

    @Test
    void definitionsWhenReadAreSortedByName() throws IOException {
        write("2.yaml", "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a}\n");
        write("1.yaml", "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: b}\n");

        assertThat(names()).containsExactly("a", "b");
    }

    @Test
    void locationsWhenWithoutDefinitionSayHowToWriteThem() {
        assertThatThrownBy(this::names)
                .isInstanceOf(OperatorConfigurationException.class)
                .hasMessageContaining("reconciler4j.crds.locations")
                .hasMessageContaining("goal 'crds'");
    }

    @Test
    void fileWhenItIsNoDefinitionIsNamed() throws IOException {
        write("1.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\n");

        assertThatThrownBy(this::names)
                .isInstanceOf(OperatorConfigurationException.class)
                .hasMessageContaining("1.yaml");
    }

    @Test
    void fileWhenItIsNoYamlIsNamed() throws IOException {
        write("1.yaml", "kind: [\n");

        assertThatThrownBy(this::names)
                .isInstanceOf(OperatorConfigurationException.class)
                .hasMessageContaining("1.yaml");
    }
}
