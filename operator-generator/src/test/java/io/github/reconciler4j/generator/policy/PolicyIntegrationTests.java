package io.github.reconciler4j.generator.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.github.reconciler4j.generator.operator.WebhookSnapshot;
import io.github.reconciler4j.generator.yaml.Yaml;
import io.github.reconciler4j.policy.MutationPolicy;
import io.github.reconciler4j.policy.ValidationPolicy;
import io.github.reconciler4j.test.cluster.AdmissionPolicies;
import io.github.reconciler4j.test.kubernetes.KubernetesComponent;
import io.github.reconciler4j.test.kubernetes.NeedsKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A real control plane enforces generated policies, and checks the types of their expressions. */
@NeedsKubernetes("1.36") // mutating policies
@RealKubernetesTest(components = KubernetesComponent.CONTROLLER_MANAGER)
class PolicyIntegrationTests {

    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private final RealKubernetes kubernetes;
    private final KubernetesClient client;
    private String installed = "";

    PolicyIntegrationTests(RealKubernetes kubernetes) {
        this.kubernetes = kubernetes;
        this.client =
                new KubernetesClientBuilder().withConfig(kubernetes.config()).build();
    }

    private void install(Class<?> type) {
        installed = Yaml.writeAll(new PolicyGenerator(KubernetesVersion.parse("1.36")).generate(List.of(type)))
                .replace(WebhookSnapshot.NAME, "test")
                .replace(WebhookSnapshot.NAMESPACE, "operators");
        kubernetes.kubectlWithInput(installed, "apply", "-f", "-");
    }

    @AfterEach
    void uninstall() {
        kubernetes.kubectlWithInput(installed, "delete", "-f", "-");
        client.close();
    }

    @Test
    void policiesWhenInstalledDenyAndChangeRequests() {
        install(Policies.class);

        AdmissionPolicies.assertNoTypeWarnings(client, TIMEOUT, "test-configmap");
        String namespace = kubernetes.createNamespace("policies");
        Awaitility.await()
                .atMost(TIMEOUT)
                .untilAsserted(() -> assertThatThrownBy(
                                () -> kubernetes.kubectl("-n", namespace, "create", "configmap", "denied"))
                        .hasMessageContaining(
                                "ValidatingAdmissionPolicy 'test-configmap' with binding 'test-configmap' denied"
                                        + " request: must have data"));
        // the API server notices the other policy on its own
        Awaitility.await()
                .atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(kubernetes.kubectl(
                                "-n",
                                namespace,
                                "create",
                                "configmap",
                                "changed",
                                "--from-literal=a=b",
                                "--dry-run=server",
                                "-o",
                                "jsonpath={.metadata.labels.team}"))
                        .isEqualTo("unknown"));
        assertThatCode(() -> kubernetes.kubectl("-n", "kube-system", "create", "configmap", "excluded"))
                .doesNotThrowAnyException();
    }

    @Test
    void expressionWhenItsTypesAreWrongFailsTheCheck() {
        install(WrongType.class);

        assertThatThrownBy(() -> AdmissionPolicies.assertNoTypeWarnings(client, TIMEOUT, "test-configmap"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("spec.validations[0].expression")
                .hasMessageContaining("undefined field 'dta'");
    }

    @ValidationPolicy(
            kinds = ConfigMap.class,
            rules = @ValidationPolicy.Rule(value = "has(object.data)", message = "must have data"))
    @MutationPolicy(
            name = "team",
            kinds = ConfigMap.class,
            matchConditions = "no-team = !has(object.metadata.labels) || !('team' in object.metadata.labels)",
            applyConfigurations = "Object{metadata: Object.metadata{labels: {'team': 'unknown'}}}")
    interface Policies {}

    @ValidationPolicy(kinds = ConfigMap.class, rules = @ValidationPolicy.Rule("has(object.dta)"))
    interface WrongType {}
}
