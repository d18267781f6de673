package io.github.reconciler4j.generator.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reconciler4j.generator.GeneratorException;
import io.github.reconciler4j.generator.crd.CrdGenerator;
import io.github.reconciler4j.generator.crd.CrdOptions;
import io.github.reconciler4j.generator.crd.model.Ages;
import io.github.reconciler4j.generator.crd.model.Everything;
import io.github.reconciler4j.generator.operator.OperatorDescription;
import io.github.reconciler4j.generator.operator.OperatorReaderTests;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The validators of the Operator Framework, which {@code operator-sdk bundle validate} runs, accept the bundles. */
@Tag("whole")
class BundleIntegrationTests {

    private static final String EVERYTHING = """
            apiVersion: example.com/v1
            kind: Everything
            metadata: {name: whole}
            spec: {fixed: "abc", duration: "PT5S", small: 1}
            """;

    @TempDir
    private Path folder;

    private static OperatorDescription operator() {
        OperatorDescription read = OperatorReaderTests.example();
        List<Map<String, Object>> definitions = new CrdGenerator(
                        CrdOptions.defaults().withSources(List.of(Path.of("src/test/java"))))
                .generate(List.of(Everything.class, Ages.Alpha.class, Ages.Beta.class, Ages.Stable.class))
                .definitions();
        return new OperatorDescription(
                BundleTests.withoutConditions(OperatorReaderTests.withNamespaces(read.snapshot(), List.of())),
                read.grants(),
                read.switches(),
                definitions);
    }

    private Path examples(String yaml) throws IOException {
        Path examples = Files.createDirectories(folder.resolve("examples"));
        Files.writeString(examples.resolve("everything.yaml"), yaml);
        return examples;
    }

    private Path write(OutputOptions options) {
        Path bundle = folder.resolve("bundle");
        new Outputs(
                        operator(),
                        options.withImage("registry.example.com/example").withVersion("1.2.3"))
                .writeBundle(bundle);
        return bundle;
    }

    @Test
    void bundleWhenValidatedHasNoFindingsButTheMissingIcon() throws Exception {
        Validation result = validate(write(OutputOptions.defaults().withExamples(examples(EVERYTHING))));

        assertThat(result.output).contains("0 errors, 1 warnings").contains("Icon not specified");
        assertThat(result.code).isZero();
    }

    @Test
    void bundleWhenTheBaseHasAnIconAndAllDetailsHasNoFindings() throws Exception {
        Validation result = validate(write(OutputOptions.defaults()
                .withExamples(examples(EVERYTHING))
                .withChannels(List.of("stable", "candidate"))
                .withBundleBases(List.of(BundleDetailsTests.base()))));

        assertThat(result.output).contains("0 errors, 0 warnings");
        assertThat(result.code).isZero();
    }

    @Test
    void bundleWhenAKindHasNoDefinitionIsRefused() throws Exception {
        Path bundle = write(OutputOptions.defaults().withExamples(examples(EVERYTHING)));
        Path version = bundle.resolve("manifests/example.clusterserviceversion.yaml");
        Files.writeString(version, Files.readString(version).replace("kind: Everything", "kind: Nothing"));

        Validation result = validate(bundle);

        assertThat(result.output).contains("error: ", "Nothing");
        assertThat(result.code).isEqualTo(1);
    }

    @Test
    void exampleWhenAnApiServerRefusesItIsRefused() throws IOException {
        Path examples = examples(EVERYTHING.replace("small: 1", "small: 1, smal: 1"));

        assertThatThrownBy(() -> write(OutputOptions.defaults().withExamples(examples)))
                .isInstanceOf(GeneratorException.class)
                .hasMessageContainingAll("Everything", "smal", "examples");
    }

    private record Validation(int code, String output) {}

    private static Validation validate(Path bundle) throws IOException, InterruptedException {
        Process process = new ProcessBuilder("../dev/validate-bundle", bundle.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Validation(process.waitFor(), output);
    }
}
