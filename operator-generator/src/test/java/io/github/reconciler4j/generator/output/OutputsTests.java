package io.github.reconciler4j.generator.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import com.marcnuri.helm.TemplateCommand;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.github.reconciler4j.generator.GeneratorException;
import io.github.reconciler4j.generator.Golden;
import io.github.reconciler4j.generator.operator.OperatorDescription;
import io.github.reconciler4j.generator.operator.OperatorReaderTests;
import io.github.reconciler4j.generator.operator.OperatorSnapshot;
import io.github.reconciler4j.generator.rbac.PolicyRules;
import io.github.reconciler4j.generator.yaml.Yaml;
import io.github.reconciler4j.test.junit.KubernetesTest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@KubernetesTest(definitions = {})
class OutputsTests {

    private static OperatorDescription operator;

    @TempDir
    private Path folder;

    @BeforeAll
    static void read() {
        operator = OperatorReaderTests.exampleWithAccount();
    }

    private static Outputs outputs() {
        return outputs(false);
    }

    private static Outputs outputs(boolean force) {
        return outputs(operator, force);
    }

    private static Outputs outputs(OperatorDescription described, boolean force) {
        return new Outputs(
                described,
                OutputOptions.defaults()
                        .withImage("registry.example.com/example")
                        .withVersion("1.2.3")
                        .withChartVersion("0.4.0")
                        .withForce(force));
    }

    @Test
    void filesWhenWrittenAreAsRecorded() {
        outputs().writeChart(folder.resolve("chart"));
        outputs().writeManifests(folder.resolve("manifests"));

        Golden.check("output/chart.txt", all(folder.resolve("chart")));
        Golden.check("output/manifests.txt", all(folder.resolve("manifests")));
    }

    private static String all(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .sorted()
                    .map(file -> "==> " + folder.relativize(file) + " <==\n" + text(file))
                    .collect(Collectors.joining());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void chartWhenLintedByHelmHasNoFault() {
        outputs().writeChart(folder);

        LintResult result = new Helm(folder).lint().strict().call();
        assertThat(result.isFailed())
                .as(String.join("\n", result.getMessages()))
                .isFalse();
    }

    /** Strict validation finds every misspelled and misplaced field. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{watchNamespaces: [red, blue], secrets: {enabled: false}, leaderElection: {enabled: false}}",
                "{replicas: 3, sharding: {enabled: true, shards: 32}, leaderElection: {enabled: false}}",
                "{replicas: 3, networkPolicy: {enabled: true, from: [{podSelector: {}}]}, crds: {keep: false}}",
                "{webhook: {enabled: false}, networkPolicy: {enabled: true}, policies: {validationActions: [Audit, Warn]}}",
                "{webhook: {failurePolicy: Ignore, annotations: {a: b}, cleanUp: {enabled: false}, certificates: {secretName: tls}, port: 8443}}",
                "{serviceAccount: {create: false, name: robot}, rbac: {aggregate: false}, fullnameOverride: other}",
                "{volumes: [{name: a, emptyDir: {}}], volumeMounts: [{name: a, mountPath: /a}], env: [{name: A, value: b}],"
                        + " envFrom: [{secretRef: {name: x}}], podLabels: {a: b}, podAnnotations: {a: b}, tolerations:"
                        + " [{key: a, operator: Exists}], nodeSelector: {a: b}, priorityClassName: system-cluster-critical,"
                        + " imagePullSecrets: [{name: x}], properties: {a.b: \"1\"}, crds: {annotations: {a: b}},"
                        + " serviceAccount: {annotations: {a: b}}}"
            })
    void chartWhenRenderedIsAcceptedByAServer(String values, KubernetesClient client) throws IOException {
        outputs().writeChart(folder);
        String namespace = "demo-" + Integer.toHexString(values.hashCode());

        accepted(template(values, namespace), namespace, client);
    }

    private String template(String values, String namespace) throws IOException {
        TemplateCommand template = new Helm(folder)
                .template()
                .withName("demo")
                .withNamespace(namespace)
                .withKubeVersion("1.37.2");
        return template.withValuesFile(Files.writeString(folder.resolve("my-values.yaml"), values))
                .call();
    }

    private static void accepted(String yaml, String namespace, KubernetesClient client) {
        for (String one : List.of(namespace, "red", "blue")) {
            client.resource(new NamespaceBuilder()
                            .withNewMetadata()
                            .withName(one)
                            .endMetadata()
                            .build())
                    .serverSideApply();
        }
        List<Map<String, Object>> objects = Yaml.readAll(yaml, "the chart");
        assertThat(objects).hasSizeGreaterThan(5);
        for (Map<String, Object> object : objects) {
            client.resource(Yaml.write(object))
                    .fieldValidation(io.fabric8.kubernetes.client.dsl.FieldValidateable.Validation.STRICT)
                    .forceConflicts()
                    .serverSideApply();
        }
    }

    @Test
    void manifestsWhenAppliedAreAcceptedByAServer(KubernetesClient client) {
        outputs().writeManifests(folder);

        accepted(text(folder.resolve("install.yaml")), "example", client);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void manifestsWhenComparedWithTheChartMeanTheSame(boolean sharding) throws IOException {
        OperatorDescription described = withSharding(new OperatorSnapshot.Sharding(sharding, 32));
        outputs(described, false).writeChart(folder);
        outputs(described, false).writeManifests(folder.resolve("manifests"));

        Map<String, Object> chart = comparable(template("{fullnameOverride: example}", "example"));
        Map<String, Object> manifests = comparable(text(folder.resolve("manifests/install.yaml")));
        manifests.remove("Namespace example");
        assertThat(manifests).isEqualTo(chart);
    }

    private static OperatorDescription withSharding(OperatorSnapshot.Sharding sharding) {
        return new OperatorDescription(
                OperatorReaderTests.withSharding(operator.snapshot(), sharding),
                operator.grants(),
                operator.switches(),
                operator.definitions(),
                operator.policies());
    }

    /** Objects by kind and name, without the labels and annotations that only a release has. */
    private static Map<String, Object> comparable(String yaml) {
        Map<String, Object> objects = new TreeMap<>();
        for (Map<String, Object> object : Yaml.readAll(yaml, "manifests")) {
            Map<?, ?> metadata = (Map<?, ?>) object.get("metadata");
            objects.put(object.get("kind") + " " + metadata.get("name"), withoutRelease(object));
        }
        return objects;
    }

    private static Object withoutRelease(Object node) {
        if (node instanceof Map<?, ?> map) {
            Map<String, Object> copy = new TreeMap<>();
            map.forEach((key, value) -> {
                Object kept = key.equals("rules")
                        ? PolicyRules.rights(((List<?>) value)
                                .stream().map(rule -> (Map<?, ?>) rule).toList())
                        : withoutRelease(value);
                boolean release = key.toString().matches("(helm.sh|app.kubernetes.io|checksum)/.*");
                boolean empty =
                        key.toString().matches("labels|annotations") && Map.of().equals(kept);
                if (!release && !empty) {
                    copy.put(key.toString(), kept);
                }
            });
            return copy;
        }
        return node instanceof List<?> list
                ? list.stream().map(OutputsTests::withoutRelease).toList()
                : node;
    }

    @Test
    void webhooksWhenDisabledLeaveNothing() throws IOException {
        outputs().writeChart(folder);

        assertThat(template("{webhook: {enabled: false}}", "demo"))
                .contains("reconciler4j.webhook.enabled=false")
                .doesNotContain(
                        "webhookconfigurations", "WebhookConfiguration", "conversion:", "name: webhook", "-webhook");
    }

    /** Templates of hooks are rendered by Helm only: see {@code HelmIntegrationTests}. */
    @Test
    void cleanUpWhenWrittenIsAHookOutsideOfTheServices() {
        outputs().writeChart(folder);

        assertThat(text(folder.resolve("templates/webhook-clean-up.yaml")))
                .contains("{{- if and .Values.webhook.enabled .Values.webhook.cleanUp.enabled }}")
                .contains("kind: Job", "helm.sh/hook: pre-delete", "RECONCILER4J_WEBHOOK_CLEANUP")
                .contains("        app.kubernetes.io/name: {{ include \"example.name\" . | trunc 54")
                .doesNotContain("example.selectorLabels");
    }

    @Test
    void webhooksWhenRenderedHaveNoBundleAndTheNamesOfTheRelease() throws IOException {
        outputs().writeChart(folder);

        String chart = template("{webhook: {failurePolicy: Ignore}, policies: {enabled: false}}", "shop");
        assertThat(chart)
                .contains("name: demo-example-webhook\n", "namespace: shop\n", "object.metadata.name != '{{ x }}'")
                .contains("[\"demo-example-webhook-ca\"]", "reconciler4j.webhook.configuration-name=demo-example\n")
                .doesNotContain("caBundle", "failurePolicy: Fail", "reconciler4j-");
        assertThat(template("{}", "shop")).contains("failurePolicy: Fail", "failurePolicy: Ignore");
    }

    @Test
    void valuesWhenEditedStayAndAreCompleted() throws IOException {
        outputs().writeChart(folder);
        Path values = folder.resolve("values.yaml");
        String edited = text(values)
                        .replace("replicas: 1", "replicas: 3 # mine")
                        .replaceAll("(?ms)^leaderElection:\n.*?\n\n", "")
                        .replaceAll("(?m)^    interval: 30s\n", "")
                        .replaceAll("(?m)^  pullPolicy: IfNotPresent\n", "")
                + "\n# My own.\nmine:\n  a: 1\n";
        Files.writeString(values, edited);

        outputs().writeChart(folder);

        String completed = text(values);
        assertThat(completed)
                .contains("replicas: 3 # mine")
                .contains("  tag: \"\"\n  pullPolicy: IfNotPresent\n")
                .contains("    labels: {}\n    interval: 30s\n  prometheusRule:")
                .contains("# My own.\nmine:\n  a: 1\n\nleaderElection:\n  # Whether one leader is elected");
        assertThat(text(folder.resolve("values.schema.json"))).contains("\"mine\": {}");
        outputs().writeChart(folder);
        assertThat(text(values)).isEqualTo(completed);
        assertThat(template("{}", "demo")).contains("replicas: 3");
    }

    @Test
    void valueWhenMisspelledIsRefused() {
        outputs().writeChart(folder);

        assertThatThrownBy(() -> template("{replica: 2}", "demo")).hasMessageContaining("replica");
        assertThatThrownBy(() -> template("{managementPort: 99999}", "demo")).hasMessageContaining("managementPort");
        assertThatThrownBy(() -> template("{image: {pullPolicy: Sometimes}}", "demo"))
                .hasMessageContaining("pullPolicy");
    }

    @Test
    void filesOfPeopleWhenGeneratedAgainStay() throws IOException {
        outputs().writeChart(folder);
        Files.writeString(folder.resolve("templates/NOTES.txt"), "Mine.");
        Files.writeString(folder.resolve("templates/mine.yaml"), "# mine");
        Files.writeString(
                folder.resolve("Chart.yaml"), text(folder.resolve("Chart.yaml")) + "home: https://example.com\n");
        String before = all(folder);

        outputs().writeChart(folder);

        assertThat(all(folder)).isEqualTo(before);
        assertThat(outputs().chartDifferences(folder)).isEmpty();
    }

    @Test
    void generatedFileWhenEditedIsNotOverwrittenUnlessForcedOrKept() throws IOException {
        outputs().writeChart(folder);
        Path deployment = folder.resolve("templates/deployment.yaml");
        String original = text(deployment);
        Files.writeString(deployment, original + "# mine\n");
        String before = all(folder);

        assertThatThrownBy(() -> outputs().writeChart(folder))
                .isInstanceOf(GeneratorException.class)
                .hasMessageContainingAll("templates/deployment.yaml", "values.yaml", "kept", "force");
        assertThat(all(folder)).isEqualTo(before);
        assertThat(outputs().chartDifferences(folder)).contains("templates/deployment.yaml");

        Path record = folder.resolve(".reconciler4j.yaml");
        Files.writeString(record, text(record).replace("kept: []", "kept: [templates/deployment.yaml]"));
        outputs().writeChart(folder);
        assertThat(text(deployment)).endsWith("# mine\n");
        assertThat(text(record)).contains("kept:\n- templates/deployment.yaml").doesNotContain("deployment.yaml: ");

        Files.writeString(record, text(record).replace("kept:\n- templates/deployment.yaml", "kept: []"));
        outputs(true).writeChart(folder);
        assertThat(text(deployment)).isEqualTo(original);
    }

    @Test
    void fileWhenNotGeneratedAnyMoreIsDeleted() throws IOException {
        outputs().writeChart(folder);
        OperatorDescription without =
                new OperatorDescription(operator.snapshot(), operator.grants(), operator.switches(), List.of());

        new Outputs(without, OutputOptions.defaults()).writeChart(folder);

        assertThat(folder.resolve("templates/crds/ages.example.com.yaml")).doesNotExist();
        assertThat(folder.resolve("templates/user-roles.yaml")).doesNotExist();
    }

    @Test
    void versionsWhenGivenAreSetAndTheRestOfTheFileStays() throws IOException {
        outputs().writeChart(folder);
        new Outputs(operator, OutputOptions.defaults().withVersion("2.0.0")).writeChart(folder);

        assertThat(text(folder.resolve("Chart.yaml"))).contains("version: 0.4.0\n", "appVersion: \"2.0.0\"\n");
    }
}
