package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

class DefinitionResourcesTests {

    private static final String DEFINITION = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n";
    private static final String SECOND =
            "metadata: {name: a}\n---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n";

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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "42",
                "[]",
                "{}",
                "---",
                "\u0000",
                "kind: CustomResourceDefinition",
                DEFINITION + SECOND
            })
    void fileWhenItHasOtherThanOneDefinitionIsNamed(String text) throws IOException {
        write("1.yaml", text);

        assertThatThrownBy(this::names)
                .isInstanceOf(OperatorConfigurationException.class)
                .hasMessageContaining("reconciler4j.crds.locations")
                .hasMessageContaining("1.yaml");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                DEFINITION,
                DEFINITION + "metadata: {name: a}",
                DEFINITION + "metadata: {name: a}\nspec: {group: a}"
            })
    void contextWhenADefinitionIsIncompleteNamesThePropertyAndThePart(String text) throws IOException {
        write("1.yaml", text);

        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(OperatorAutoConfiguration.class))
                .withBean(
                        Config.class,
                        () -> new ConfigBuilder(Config.empty())
                                .withMasterUrl("http://127.0.0.1:1")
                                .build())
                .withPropertyValues(
                        "reconciler4j.auto-startup=false",
                        "reconciler4j.crds.install=true",
                        "reconciler4j.crds.locations=" + folder.toUri() + "*.yaml")
                .run(context ->
                        assertThat(context).getFailure().rootCause().hasMessageContaining("Invalid 'definitions'"));
    }

    @Test
    void readWhenTwoFilesHaveTheSameDefinitionReturnsItOnce() throws IOException {
        write("1.yaml", DEFINITION + "metadata: {name: a}");
        write("2.yaml", DEFINITION + "metadata: {name: a}");
        write("3.yaml", DEFINITION + "metadata: {name: b}");

        assertThat(DefinitionResources.read(
                        new PathMatchingResourcePatternResolver(), List.of(folder.toUri() + "*.yaml")))
                .hasSize(2);
    }
}
