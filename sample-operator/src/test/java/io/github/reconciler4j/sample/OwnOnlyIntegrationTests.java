package io.github.reconciler4j.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicy;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicyBinding;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.github.reconciler4j.test.kubernetes.AnyKubernetes;
import io.github.reconciler4j.test.kubernetes.AnyKubernetesTest;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What the policy of the chart lets the operator's account do. The account may do everything else, as if the
 * token of a cluster administrator had been stolen.
 */
@AnyKubernetesTest(
        components = {},
        dedicated = true)
class OwnOnlyIntegrationTests {

    private static WriteGrid grid;

    @BeforeAll
    static void install(AnyKubernetes kubernetes) {
        List<HasMetadata> chart = Chart.render(Map.of("ownOnly", Map.of("enabled", true)));
        KubernetesSerialization serialization = new KubernetesSerialization();
        kubernetes.applyDefinitions(serialization.asYaml(
                Chart.one(Chart.render(Map.of("webhook", Map.of("enabled", false))), CustomResourceDefinition.class)));
        String account = Chart.one(chart, ServiceAccount.class).getMetadata().getName();
        String namespace = kubernetes.createNamespace("grid");
        kubernetes.apply("""
                {apiVersion: v1, kind: Namespace, metadata: {name: operators}}
                ---
                {apiVersion: v1, kind: ServiceAccount, metadata: {name: %1$s, namespace: operators}}
                ---
                {apiVersion: v1, kind: ServiceAccount, metadata: {name: default, namespace: %2$s}}
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRoleBinding
                metadata: {name: stolen}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
                subjects: [{kind: ServiceAccount, name: %1$s, namespace: operators}]
                """.formatted(account, namespace));
        kubernetes.apply(serialization.asYaml(Chart.one(chart, ValidatingAdmissionPolicy.class)));
        kubernetes.apply(serialization.asYaml(Chart.one(chart, ValidatingAdmissionPolicyBinding.class)));
        grid = new WriteGrid(
                kubernetes.config(), kubernetes.serviceAccountConfig(InstalledChart.NAMESPACE, account), namespace);
        await("the API server enforces the policy")
                .atMost(Duration.ofMinutes(1))
                .until(() -> grid.verdict(WriteGrid.Verb.DELETE, WriteGrid.Subject.FOREIGN)
                        .equals("denied"));
    }

    @AfterAll
    static void close() {
        if (grid != null) {
            grid.close();
        }
    }

    /** A dash is a request that the API server has no resource or media type for. */
    @Test
    void verdictsAreThoseOfTheDocumentation() {
        assertThat(grid.table()).isEqualTo("""
                verb                  own kind  owned     foreign   framework forged
                create                allowed   allowed   denied    allowed   allowed
                generate name         allowed   allowed   denied    denied    allowed
                update                allowed   allowed   denied    allowed   denied
                merge patch           allowed   allowed   denied    allowed   denied
                JSON patch            allowed   allowed   denied    allowed   denied
                strategic patch       -         allowed   denied    allowed   denied
                apply                 allowed   allowed   denied    allowed   denied
                apply with force      allowed   allowed   denied    allowed   denied
                update status         allowed   allowed   denied    -         denied
                scale                 allowed   denied    denied    -         denied
                delete                allowed   allowed   denied    allowed   denied
                delete collection     allowed   allowed   denied    allowed   denied
                evict a pod           -         denied    denied    -         denied
                """);
    }

    /** The API server in the JVM has no {@code exec}, and calls no policy for tokens. */
    @Test
    void requestsBesidesObjectsAreDenied(AnyKubernetes kubernetes) {
        boolean real = kubernetes instanceof RealKubernetes;
        assertThat(grid.verdict("POST", grid.path("v1", "pods", "any/exec?command=id&stdout=true"), ""))
                .isEqualTo(real ? "denied" : "-");
        assertThat(grid.verdict(
                        "POST",
                        grid.path("v1", "serviceaccounts", "default/token"),
                        "{\"apiVersion\": \"authentication.k8s.io/v1\", \"kind\": \"TokenRequest\", \"spec\": {}}"))
                .isEqualTo(real ? "denied" : "allowed");
        assertThat(grid.verdict(
                        "POST",
                        "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
                        "{\"apiVersion\": \"authorization.k8s.io/v1\", \"kind\": \"SelfSubjectAccessReview\", \"spec\":"
                                + " {\"nonResourceAttributes\": {\"path\": \"/\", \"verb\": \"get\"}}}"))
                .isEqualTo("allowed");
    }

    @Test
    void denialNamesTheObjectAndTheWayOut() {
        assertThat(grid.message(WriteGrid.Verb.MERGE, WriteGrid.Subject.FOREIGN))
                .contains(
                        "ValidatingAdmissionPolicy 'demo-sample-operator-own-only' with binding"
                                + " 'demo-sample-operator-own-only' denied request: sample-operator must not update deployments.apps grid-")
                .contains("which is not its own: let an object of its kinds own it, or add the resource to"
                        + " ownOnly.allowed of the chart (R4J-124)");
    }
}
