package io.github.reconciler4j.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reconciler4j.generator.operator.OperatorDescription;
import io.github.reconciler4j.generator.operator.OperatorReaderTests;
import io.github.reconciler4j.generator.yaml.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GenerateCommandTests {

    @TempDir
    private Path folder;

    private static List<Map<String, Object>> bases(String... arguments) {
        Arguments parsed = Arguments.parse(List.of(arguments));
        List<Map<String, Object>> bases = BundleDetails.read(parsed);
        parsed.checkAllUsed();
        return bases;
    }

    @Test
    void detailsAreThoseOfTheBuildAndThenOfTheBase() throws IOException {
        Path icon = Files.writeString(folder.resolve("icon.SVG"), "<svg/>");
        Path base = Files.writeString(folder.resolve("base.yaml"), "spec: {keywords: [one]}");

        List<Map<String, Object>> bases = bases(
                "--title", "Greetings",
                "--provider", "Example Inc.",
                "--provider-url", "https://example.com",
                "--maintainer", "Ada=ada@example.com",
                "--link", "Source=https://example.com/?a=b",
                "--icon", icon.toString(),
                "--replaces", "greetings.v1.0.0",
                "--bundle-base", base.toString());

        assertThat(bases)
                .hasToString("[{spec={displayName=Greetings, provider={name=Example Inc., url=https://example.com},"
                        + " maintainers=[{name=Ada, email=ada@example.com}], links=[{name=Source, url=https://example.com/?a=b}],"
                        + " icon=[{base64data=PHN2Zy8+, mediatype=image/svg+xml}], replaces=greetings.v1.0.0}},"
                        + " {spec={keywords=[one]}}]");
    }

    @Test
    void detailsWhenTheBuildHasNoneAreEmpty() {
        assertThat(bases()).hasToString("[{spec={}}]");
    }

    @Test
    void iconWhenItsTypeIsUnknownOrItIsMissingIsRefused() {
        assertThatThrownBy(() -> bases("--icon", "icon.txt"))
                .isInstanceOf(GeneratorException.class)
                .hasMessageContaining("icon.txt");
        assertThatThrownBy(() -> bases("--icon", folder.resolve("none.png").toString()))
                .isInstanceOf(GeneratorException.class)
                .hasMessageContaining("none.png");
    }

    private static OperatorDescription storing(String version) {
        OperatorDescription read = OperatorReaderTests.example();
        List<Map<String, Object>> definitions = read.definitions().stream()
                .map(definition -> Yaml.read(
                        Yaml.write(definition)
                                .replace("storage: true", "storage: false")
                                .replaceAll("(?s)(name: " + version + "\\n((?!  - name:).)*?storage: )false", "$1true"),
                        "definition"))
                .toList();
        return new OperatorDescription(read.snapshot(), read.grants(), read.switches(), definitions);
    }

    @Test
    void conversionWhenObjectsAreStoredInTheVersionThatKubernetesReadsIsFine() {
        assertThat(GenerateCommand.storageWarnings(storing("v1"))).isEmpty();
    }

    @Test
    void conversionWhenObjectsAreStoredInAnotherVersionIsWarnedOf() {
        assertThat(GenerateCommand.storageWarnings(storing("v1beta1")))
                .singleElement()
                .asString()
                .contains("ages.example.com", "not stored in v1,");
    }
}
