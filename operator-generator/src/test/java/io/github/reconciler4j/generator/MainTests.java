package io.github.reconciler4j.generator;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.generator.crd.model.Ages;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("replaces the standard streams")
class MainTests {

    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();
    private final PrintStream originalErrors = System.err;

    @TempDir
    private Path folder;

    @BeforeEach
    void capture() {
        System.setErr(new PrintStream(errors, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void release() {
        System.setErr(originalErrors);
    }

    @Test
    void crdsWhenRunAgainLeavesTheFileAlone() throws IOException {
        assertThat(crds()).isZero();
        Path file = folder.resolve("ages.example.com.yaml");
        assertThat(file).content().startsWith("# Generated").contains("description: Some text. The second");
        FileTime longAgo = FileTime.fromMillis(1000);
        Files.setLastModifiedTime(file, longAgo);

        assertThat(crds()).isZero();
        assertThat(Files.getLastModifiedTime(file)).isEqualTo(longAgo);
    }

    private int crds() {
        return Main.run(
                "crds",
                "--kind",
                Ages.Stable.class.getName(),
                "--sources",
                "src/test/java",
                "--out",
                folder.toString());
    }

    @Test
    void checkWhenBrokenFailsAndNamesPathAndRule() throws IOException {
        crds();
        Path old = Files.createDirectories(folder.resolve("old"));
        Files.writeString(
                old.resolve("a.yaml"),
                Files.readString(folder.resolve("ages.example.com.yaml")).replace("text:", "words:"));

        assertThat(Main.run("check-crds", "--old", old.toString(), "--new", folder + "/ages.example.com.yaml"))
                .isOne();
        assertThat(errors.toString(StandardCharsets.UTF_8))
                .contains("ERROR ages.example.com v1 .spec.words: the field is gone")
                .contains("[field-removed]")
                .contains("1 breaking change since " + old);
        assertThat(Main.run(
                        "check-crds",
                        "--old",
                        old.toString(),
                        "--new",
                        folder + "/ages.example.com.yaml",
                        "--severity",
                        "field-removed=warning",
                        "--severity",
                        "selectable-field-removed=ignore"))
                .isZero();
    }

    /** The classes do not say how versions are converted. */
    @Test
    void checkOfGeneratedDefinitionsKeepsTheConversionOfTheOldOnes() throws IOException {
        String definition = """
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: cups.example.com}
                spec:
                  group: example.com
                  names: {kind: Cup, plural: cups}
                  scope: Namespaced
                  versions:
                  - {name: v1, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}
                  - {name: v2, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
                """;
        Path old = Files.writeString(
                folder.resolve("old.yaml"),
                definition + "  conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v1]}}\n");
        Path generated = Files.createDirectories(folder.resolve("META-INF/crds"));
        Files.writeString(generated.resolve("cups.example.com.yaml"), definition);
        Path byHand = Files.writeString(folder.resolve("new.yaml"), definition);

        assertThat(Main.run("check-crds", "--old", old.toString(), "--new", generated.toString()))
                .isZero();
        assertThat(errors.toString(StandardCharsets.UTF_8)).doesNotContain("conversion");
        assertThat(Main.run("check-crds", "--old", old.toString(), "--new", byHand.toString()))
                .isZero();
        assertThat(errors.toString(StandardCharsets.UTF_8)).contains("[conversion-removed]");
    }

    /** The Maven plugin prints the file, and Maven would print a second copy of the text. */
    @Test
    void failureWhenABuildToolAsksForItIsInItsFileOnly() throws IOException {
        Path file = folder.resolve("failure");
        System.setProperty("generator.reconciler4j.failure", file.toString());
        try {
            assertThat(Main.run("check-crds", "--old", folder + "/none", "--new", folder + "/none"))
                    .isOne();
            assertThat(file).content().contains("There are no").endsWith(")");
            assertThat(Main.run("crds")).isEqualTo(2);
            assertThat(file).content().isEqualTo("--out is missing");
        } finally {
            System.clearProperty("generator.reconciler4j.failure");
        }
        assertThat(errors.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    @Test
    void argumentsWhenWrongExplainTheCommand() {
        assertThat(Main.run("crds")).isEqualTo(2);
        assertThat(Main.run("crds", "--out", "x", "--wrong", "y")).isEqualTo(2);
        assertThat(Main.run("bake")).isEqualTo(2);
        assertThat(Main.run("crds", "--out", "x", "--kind", "java.lang.String")).isOne();
        assertThat(errors.toString(StandardCharsets.UTF_8))
                .contains("--out is missing")
                .contains("there is no option --wrong")
                .contains("There is no command 'bake'")
                .contains("java.lang.String is not a kind");
    }
}
