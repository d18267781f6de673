package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.github.reconciler4j.installer.CrdInstaller;
import io.github.reconciler4j.installer.CrdInstallerOptions;
import io.github.reconciler4j.manager.Manager;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

class DefinitionResourcesTests {

    private static final String DEFINITION = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n";
    private static final String SECOND =
            "metadata: {name: a}\n---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n";

    @TempDir
    private Path folder;

    private static String definition(String plural) {
        return DEFINITION + "metadata: {name: " + plural + ".example.com}\n"
                + "spec: {group: example.com, scope: Namespaced, names: {kind: Some, plural: " + plural
                + "}, versions: [{name: v1, served: true, storage: true}]}\n";
    }

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
        write("2.yaml", definition("as"));
        write("1.yaml", definition("bs"));

        assertThat(names()).containsExactly("as.example.com", "bs.example.com");
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
    @CsvSource(
            delimiter = '|',
            value = {
                "''| metadata.name is missing",
                "metadata: {name: a}| spec.group of a is missing",
                "'metadata: {name: a}\nspec: {group: b}'| spec.names of a must have a kind and a plural",
            })
    void fileWhenItsDefinitionIsIncompleteIsNamedWithThePart(String rest, String part) throws IOException {
        write("1.yaml", DEFINITION + rest);

        assertThatThrownBy(this::names)
                .isInstanceOf(OperatorConfigurationException.class)
                .hasMessageContainingAll("reconciler4j.crds.locations", "1.yaml", part);
    }

    @Test
    void filesWhenTheirDefinitionsOfOneNameDifferAreNamed() throws IOException {
        write("1.yaml", definition("as"));
        write("2.yaml", definition("bs"));
        write("3.yaml", definition("as").replace("kind: Some", "kind: Other"));

        assertThatThrownBy(this::names)
                .isInstanceOf(OperatorConfigurationException.class)
                .hasMessageContainingAll("reconciler4j.crds.locations", "as.example.com", "1.yaml", "3.yaml");
    }

    @Test
    void filesWhenTheyHaveTheSameDefinitionCountOnce() throws IOException {
        write("1.yaml", definition("as"));
        write("2.yaml", definition("as"));
        write("3.yaml", definition("bs"));

        assertThat(names()).containsExactly("as.example.com", "bs.example.com");
    }

    /** An application that adds an installer to its manager itself. */
    private static final class AddsAnInstaller implements BeanPostProcessor {
        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            if (bean instanceof Manager manager) {
                CrdInstaller.addTo(manager, List.of(), CrdInstallerOptions.defaults());
            }
            return bean;
        }
    }

    @Test
    void contextWhenTheManagerHasAnInstallerDoesNotBlameTheLocations() throws IOException {
        write("1.yaml", definition("as"));

        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(OperatorAutoConfiguration.class))
                .withBean(AddsAnInstaller.class)
                .withBean(
                        Config.class,
                        () -> new ConfigBuilder(Config.empty())
                                .withMasterUrl("http://127.0.0.1:1")
                                .build())
                .withPropertyValues(
                        "reconciler4j.auto-startup=false",
                        "reconciler4j.crds.install=true",
                        "reconciler4j.crds.locations=" + folder.toUri() + "*.yaml")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("The property 'reconciler4j.crds.install' must be false")
                        .hasStackTraceContaining("There is already a component named 'crd-installer'"));
    }
}
