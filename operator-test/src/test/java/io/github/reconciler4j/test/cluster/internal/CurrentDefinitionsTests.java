package io.github.reconciler4j.test.cluster.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.github.reconciler4j.test.DefinitionGenerator;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** A generator that cannot be used is one line of the log, and what the build has written stays. */
@ExtendWith(OutputCaptureExtension.class)
class CurrentDefinitionsTests {

    private static final String START = "The definitions cannot be generated from the classes in [";

    private static final String END = "], so the former ones stay (R4J-507): ";

    @TempDir
    private Path folder;

    private final ClassLoader before = Thread.currentThread().getContextClassLoader();

    @BeforeEach
    void writeDefinition() throws IOException {
        Files.writeString(Files.createDirectories(folder.resolve("crds")).resolve("notes.yaml"), """
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: notes.example.com}
                """);
        Thread.currentThread()
                .setContextClassLoader(
                        new URLClassLoader(new URL[] {folder.toUri().toURL()}, before));
    }

    @AfterEach
    void restore() {
        Thread.currentThread().setContextClassLoader(before);
    }

    private static CurrentDefinitions definitions(Supplier<Optional<DefinitionGenerator>> generators) {
        return new CurrentDefinitions(new KubernetesSerialization(), generators);
    }

    private static List<String> names(List<CustomResourceDefinition> definitions) {
        return definitions.stream()
                .map(definition -> definition.getMetadata().getName())
                .toList();
    }

    @Test
    void generatorWhenItCannotBeLoadedIsOneLineAndTheFilesCount(CapturedOutput output) {
        CurrentDefinitions definitions = definitions(() -> {
            throw new ServiceConfigurationError(
                    "Provider Generator could not be instantiated", new NoClassDefFoundError("crd/Api"));
        });
        assertThat(names(definitions.read(List.of("crds")))).containsExactly("notes.example.com");
        assertThat(definitions.read(List.of("crds"))).isEmpty();
        assertThat(output.getOut().lines())
                .hasSize(2)
                .allSatisfy(line ->
                        assertThat(line).contains(START).endsWith(END + "java.lang.NoClassDefFoundError: crd/Api"));
    }

    @Test
    void generatorWhenItDoesNotFitItsLibrariesIsOneLineAndTheFilesCount(CapturedOutput output) {
        CurrentDefinitions definitions = definitions(() -> Optional.of(new Unfit()));
        assertThat(names(definitions.read(List.of("crds")))).containsExactly("notes.example.com");
        assertThat(definitions.read(List.of("crds"))).isEmpty();
        assertThat(output.getOut().lines())
                .allSatisfy(
                        line -> assertThat(line).contains(START).contains(END + "java.lang.NoSuchMethodError: made"));
    }

    private static final class Unfit implements DefinitionGenerator {

        @Override
        public List<CustomResourceDefinition> generate(Collection<Path> folders) {
            throw new NoSuchMethodError("made");
        }

        @Override
        public boolean hasWritten(String text) {
            throw new NoSuchMethodError("written");
        }
    }
}
