package io.github.reconciler4j.generator.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.marcnuri.helm.Helm;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicy;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.Variable;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.FieldValidateable;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import io.github.reconciler4j.generator.GeneratorException;
import io.github.reconciler4j.generator.Golden;
import io.github.reconciler4j.generator.operator.OperatorDescription;
import io.github.reconciler4j.generator.operator.OperatorReaderTests;
import io.github.reconciler4j.generator.yaml.Yaml;
import io.github.reconciler4j.test.junit.KubernetesTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The text of the policy. What it does shows {@code OwnOnlyIntegrationTests} of the sample. */
@KubernetesTest(definitions = {})
class OwnOnlyTests {

    private static OperatorDescription operator;

    @TempDir
    private Path folder;

    @BeforeAll
    static void read() {
        operator = OperatorReaderTests.exampleWithAccount();
    }

    private static Outputs outputs(boolean ownOnly) {
        return new Outputs(operator, OutputOptions.defaults().withOwnOnly(ownOnly));
    }

    @Test
    void filesWhenAskedForAreAsRecorded() throws IOException {
        outputs(true).writeChart(folder);
        String values = Files.readString(folder.resolve("values.yaml"));
        outputs(true).writeManifests(folder.resolve("manifests"));

        Golden.check(
                "output/own-only.txt",
                Files.readString(folder.resolve("templates/own-only.yaml"))
                        + values.substring(values.indexOf("ownOnly:"))
                        + outputs(true).ownOnly());
        assertThat(folder.resolve("manifests/own-only.yaml"))
                .hasContent(outputs(true).ownOnly());
        assertThat(folder.resolve("manifests/install.yaml")).content().doesNotContain("own-only");
        assertThat(outputs(true).ownOnly()).doesNotContain("reconciler4j-");
    }

    @Test
    void filesWhenNotAskedForHaveNothingOfIt() throws IOException {
        outputs(true).writeChart(folder);
        Files.delete(folder.resolve("values.yaml"));

        outputs(false).writeChart(folder);
        outputs(false).writeManifests(folder.resolve("manifests"));

        assertThat(folder.resolve("templates/own-only.yaml")).doesNotExist();
        assertThat(folder.resolve("manifests/own-only.yaml")).doesNotExist();
        assertThat(folder.resolve("values.yaml")).content().doesNotContain("ownOnly");
        assertThat(outputs(false).ownOnly()).isEmpty();
    }

    @Test
    void chartWhenRenderedHasItIfAValueSaysSo(KubernetesClient client) throws IOException {
        outputs(true).writeChart(folder);

        assertThat(template("{}")).doesNotContain("own-only");
        String all =
                template("{ownOnly: {enabled: true, validationActions: [Audit, Warn], adopt: true, fieldManagers: [],"
                        + " allowed: [pods/eviction, \"it's\"]}}");
        assertThat(all)
                .contains(
                        "['system:serviceaccount:shop:demo-example',",
                        "'system:serviceaccount:shop:ages']",
                        "name: demo-example-own-only",
                        "  validationActions:\n    - Audit\n    - Warn\n")
                .doesNotContain("reconciler4j-");
        List<Map<String, Object>> policies = Yaml.readAll(all, "the chart").stream()
                .filter(object -> String.valueOf(object.get("metadata")).contains("own-only"))
                .toList();
        assertThat(policies).hasSize(2);
        assertThat(String.valueOf(policies.get(0)))
                .contains(
                        "name=allowed, expression=[\"pods/eviction\",\"it's\"]",
                        "name=adopt, expression=true",
                        "name=fieldManagers, expression=[]");
        for (Map<String, Object> policy : policies) {
            client.resource(Yaml.write(policy))
                    .fieldValidation(FieldValidateable.Validation.STRICT)
                    .forceConflicts()
                    .serverSideApply();
        }
    }

    /** Each text stays one element of a list, so that it neither breaks the policy nor lets more through. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "it's",
                "\"] || true || \"a\" in [\"a",
                "'] || true || 'a' in ['a",
                "a\nb\r\n- name: forged",
                "back\\slash\\",
                "\t\u0001\u007f\u2028",
                "{{ .Values }}",
                "${x} #c: &a *b !t |",
                "<&>",
                "\ud83d\ude80"
            })
    void textOfAValueIsAlwaysOneElement(String hostile, KubernetesClient client) throws IOException {
        outputs(true).writeChart(folder);
        Map<String, Object> values =
                Map.of("enabled", true, "fieldManagers", List.of(hostile), "allowed", List.of("a", hostile));

        List<Map<String, Object>> all = Yaml.readAll(template(Yaml.write(Map.of("ownOnly", values))), "the chart");

        ValidatingAdmissionPolicy policy = all.stream()
                .filter(object -> "ValidatingAdmissionPolicy".equals(object.get("kind")))
                .map(object -> client.resource(Yaml.write(object))
                        .fieldValidation(FieldValidateable.Validation.STRICT)
                        .createOr(NonDeletingOperation::update)) // an apply of fabric8 does not escape DEL
                .map(ValidatingAdmissionPolicy.class::cast)
                .filter(object -> object.getMetadata().getName().endsWith("own-only"))
                .findFirst()
                .orElseThrow();
        assertThat(list(policy, "fieldManagers")).containsExactly(hostile);
        assertThat(list(policy, "allowed")).containsExactly("a", hostile);
    }

    /** The escapes of JSON are escapes of CEL. */
    private static List<Object> list(ValidatingAdmissionPolicy policy, String name) throws IOException {
        String expression = policy.getSpec().getVariables().stream()
                .filter(variable -> variable.getName().equals(name))
                .map(Variable::getExpression)
                .findFirst()
                .orElseThrow();
        return new ObjectMapper().readValue(expression, new TypeReference<>() {});
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "fieldManagers: [true]",
                "fieldManagers: [[a]]",
                "fieldManagers: [\"\"]",
                "fieldManagers: a",
                "allowed: [{a: b}]",
                "allowed: [1]",
                "validationActions: [Nothing]",
                "adopt: \"true || true\""
            })
    void valueOfAnotherTypeIsRefused(String value) throws IOException {
        outputs(true).writeChart(folder);

        assertThatThrownBy(() -> template("{ownOnly: {enabled: true, " + value + "}}"))
                .hasMessageContaining("/ownOnly/" + value.substring(0, value.indexOf(':')));
    }

    /** The account of the operator, and the one that a property gave a controller. */
    @ParameterizedTest
    @CsvSource({"demo-example, denied", "ages, denied", "other, created"})
    void accountsOfControllersAreLimitedToo(String account, String outcome, KubernetesClient client)
            throws IOException {
        outputs(true).writeChart(folder);
        Yaml.readAll(template("{ownOnly: {enabled: true}}"), "the chart").stream()
                .filter(object -> String.valueOf(object.get("metadata")).contains("own-only"))
                .forEach(object ->
                        client.resource(Yaml.write(object)).forceConflicts().serverSideApply());
        Config config = new ConfigBuilder(client.getConfiguration())
                .withImpersonateUsername("system:serviceaccount:shop:" + account)
                .build();
        try (KubernetesClient impersonated =
                new KubernetesClientBuilder().withConfig(config).build()) {
            ConfigMap foreign = new ConfigMapBuilder()
                    .withNewMetadata()
                    .withNamespace("default")
                    .withName("foreign-" + account)
                    .endMetadata()
                    .build();
            if (outcome.equals("created")) {
                impersonated.resource(foreign).create();
            } else {
                assertThatThrownBy(() -> impersonated.resource(foreign).create())
                        .hasMessageContaining("must not create configmaps default/foreign-" + account);
            }
        }
    }

    private String template(String values) throws IOException {
        return new Helm(folder)
                .template()
                .withName("demo")
                .withNamespace("shop")
                .withKubeVersion("1.37.2")
                .withValuesFile(Files.writeString(folder.resolve("my-values.yaml"), values))
                .call();
    }

    @Test
    void policyWhenKubernetesIsTooOldIsRefused() {
        Outputs old = new Outputs(
                operator.withMinKubernetes("1.29"), OutputOptions.defaults().withOwnOnly(true));

        assertThatThrownBy(old::ownOnly)
                .isInstanceOf(GeneratorException.class)
                .hasMessageContaining("The ValidatingAdmissionPolicy 'own-only' needs Kubernetes 1.30");
    }
}
