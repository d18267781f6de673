package io.github.reconciler4j.generator.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reconciler4j.generator.GeneratorException;
import io.github.reconciler4j.generator.operator.OperatorDescription;
import io.github.reconciler4j.generator.operator.OperatorReaderTests;
import io.github.reconciler4j.generator.operator.OperatorSnapshot;
import io.github.reconciler4j.generator.operator.WebhookSnapshot;
import io.github.reconciler4j.generator.yaml.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What people say about their operator in a bundle and in its catalog, and where a bundle can be installed. */
class BundleDetailsTests {

    private static final String CATALOG = "catalog/example/catalog.yaml";

    private static OperatorDescription operator;

    @TempDir
    private Path folder;

    @BeforeAll
    static void read() {
        operator = BundleTests.example();
    }

    /** A base with all that consoles show. */
    static Map<String, Object> base() {
        return Yaml.read("""
                metadata:
                  annotations: {categories: Database, repository: "https://example.com/source"}
                spec:
                  displayName: The Example
                  description: Examples for everybody.
                  icon: [{base64data: PHN2Zy8+, mediatype: image/svg+xml}]
                  keywords: [example]
                  maturity: stable
                  provider: {name: Example Inc., url: "https://example.com"}
                  maintainers: [{name: Ada, email: ada@example.com}]
                  links: [{name: Homepage, url: "https://example.com"}]
                """, "base.yaml");
    }

    private OutputOptions options(String version) {
        return OutputOptions.defaults()
                .withImage("registry.example.com/example")
                .withVersion(version);
    }

    private Map<String, Object> write(OperatorDescription described, OutputOptions options) {
        Path bundle = folder.resolve("bundle");
        new Outputs(described, options).writeBundle(bundle);
        return tree(bundle.resolve("manifests/example.clusterserviceversion.yaml"));
    }

    private static Map<String, Object> tree(Path file) {
        try {
            return Yaml.read(Files.readString(file), file.toString());
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static Object at(Object tree, String... path) {
        return BundleBase.at(tree, path);
    }

    @Test
    void detailsWhenInABaseReplaceOrCompleteTheGeneratedOnes() {
        Map<String, Object> later = Yaml.read(
                "{spec: {displayName: Later, customresourcedefinitions: {owned: [{name: ages.example.com,"
                        + " version: v1, displayName: An age}]}}}",
                "later.yaml");

        Map<String, Object> version = write(operator, options("1.2.3").withBundleBases(List.of(base(), later)));

        assertThat(at(version, "spec", "displayName")).isEqualTo("Later");
        assertThat(at(version, "spec", "provider", "name")).isEqualTo("Example Inc.");
        assertThat(at(version, "metadata", "annotations")).asString().contains("Database", "alm-examples");
        assertThat((List<?>) at(version, "spec", "customresourcedefinitions", "owned"))
                .anySatisfy(kind -> {
                    assertThat(at(kind, "displayName")).isEqualTo("An age");
                    assertThat(at(kind, "kind")).isEqualTo("Age");
                })
                .hasSize(2);
        assertThat(at(version, "spec", "install")).isNotNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{spec: {version: 9.9.9}}|must not have spec.version",
                "{spec: {install: {}}}|must not have spec.install",
                "{metadata: {name: other}}|must not have metadata.name",
                "{kind: Deployment}|its kind is Deployment",
                "{spec: {customresourcedefinitions: {owned: [{name: a.example.com, version: v9}]}}}|a.example.com in version v9"
            })
    void baseWhenItContradictsTheOperatorIsRefused(String base, String message) {
        OutputOptions options = options("1.2.3").withBundleBases(List.of(Yaml.read(base, "base.yaml")));

        assertThatThrownBy(() -> write(operator, options))
                .isInstanceOf(GeneratorException.class)
                .hasMessageContaining(message);
        assertThat(folder).isEmptyDirectory();
    }

    @ParameterizedTest
    @CsvSource({"1.2.3, stable", "0.9.0, alpha", "1.0.0-rc1, alpha"})
    void maturityFollowsFromTheVersion(String number, String maturity) {
        assertThat(at(write(operator, options(number)), "spec", "maturity")).isEqualTo(maturity);
    }

    private static OperatorDescription withoutConversion() {
        OperatorSnapshot read = operator.snapshot();
        WebhookSnapshot webhooks = new WebhookSnapshot(read.webhooks().configurations(), Map.of(), Map.of());
        return new OperatorDescription(
                OperatorReaderTests.withWebhooks(read, webhooks),
                operator.grants(),
                operator.switches(),
                operator.definitions());
    }

    private static List<?> supported(Map<String, Object> version) {
        return ((List<?>) Objects.requireNonNull(at(version, "spec", "installModes")))
                .stream()
                        .filter(mode -> Boolean.TRUE.equals(at(mode, "supported")))
                        .map(mode -> at(mode, "type"))
                        .toList();
    }

    @Test
    void operatorWithoutConversionCanBeInstalledInEachMode() {
        Map<String, Object> version = write(withoutConversion(), options("1.2.3"));

        assertThat(supported(version)).hasSize(4);
        assertThat(String.valueOf(at(version, "spec", "install", "spec", "deployments")))
                .contains("RECONCILER4J_CACHE_NAMESPACES", "metadata.annotations['olm.targetNamespaces']");
        assertThat(String.valueOf(at(version, "spec", "install", "spec", "permissions")))
                .contains("leases", "configmaps");
        assertThat(String.valueOf(at(version, "spec", "install", "spec", "clusterPermissions")))
                .doesNotContain("configmaps");
    }

    @Test
    void operatorWithConversionIsInstalledForAllNamespaces() {
        Map<String, Object> version = write(operator, options("1.2.3"));

        assertThat(supported(version)).hasToString("[AllNamespaces]");
        assertThat(String.valueOf(at(version, "spec", "install", "spec", "deployments")))
                .doesNotContain("RECONCILER4J_CACHE_NAMESPACES");
        assertThat(String.valueOf(at(version, "spec", "install", "spec", "clusterPermissions")))
                .contains("configmaps");
    }

    private List<Map<String, Object>> catalog(OutputOptions options) throws IOException {
        new Outputs(operator, options).writeCatalog(folder.resolve("catalog"));
        return Yaml.readAll(Files.readString(folder.resolve(CATALOG)), CATALOG);
    }

    @Test
    void catalogDescribesThePackageItsChannelsAndTheBundle() throws IOException {
        List<Map<String, Object>> blobs =
                catalog(options("1.2.3").withBundleBases(List.of(base())).withChannels(List.of("stable", "fast")));

        assertThat(blobs)
                .extracting(blob -> blob.get("schema") + " " + blob.get("name"))
                .containsExactly(
                        "olm.package example", "olm.channel stable", "olm.channel fast", "olm.bundle example.v1.2.3");
        assertThat(blobs.get(0))
                .containsEntry("defaultChannel", "stable")
                .containsEntry("description", "Examples for everybody.")
                .containsKey("icon");
        assertThat(blobs.get(3)).containsEntry("image", "registry.example.com/example-bundle:1.2.3");
        assertThat(String.valueOf(blobs.get(3).get("properties")))
                .contains(
                        "{type=olm.package, value={packageName=example, version=1.2.3}}",
                        "{type=olm.gvk, value={group=example.com, kind=Age, version=v1}}",
                        "olm.csv.metadata");
    }

    @Test
    void catalogWhenAReleaseIsAddedKeepsFormerBundlesAndReplacesTheNewest() throws IOException {
        catalog(options("1.0.0"));
        catalog(options("1.1.0"));
        List<Map<String, Object>> blobs = catalog(options("1.2.0"));

        assertThat(blobs)
                .filteredOn(blob -> "olm.bundle".equals(blob.get("schema")))
                .hasSize(3);
        assertThat(blobs.get(1).get("entries"))
                .hasToString("[{name=example.v1.0.0}, {name=example.v1.1.0,"
                        + " replaces=example.v1.0.0}, {name=example.v1.2.0, replaces=example.v1.1.0}]");
        assertThat(catalog(options("1.2.0"))).as("written again").isEqualTo(blobs);
    }

    @Test
    void catalogWhenTwoBundlesAreNewestAsksForTheOneToReplace() throws IOException {
        catalog(options("1.0.0"));
        catalog(options("1.1.0").withBundleBases(List.of(Yaml.read("{spec: {replaces: other.v1}}", "base"))));

        assertThatThrownBy(() -> catalog(options("1.2.0")))
                .isInstanceOf(GeneratorException.class)
                .hasMessageContainingAll("stable", "example.v1.0.0", "example.v1.1.0", "spec.replaces");
    }
}
