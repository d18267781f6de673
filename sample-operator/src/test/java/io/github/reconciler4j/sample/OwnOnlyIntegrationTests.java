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
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the policy of the chart lets the operator's account do. The account may do everything else, as if the
 * token of a cluster administrator had been stolen.
 */
@AnyKubernetesTest(
        components = {},
        dedicated = true)
class OwnOnlyIntegrationTests {

    private static WriteGrid grid;
    private static WriteGrid adopting;

    @BeforeAll
    static void install(AnyKubernetes kubernetes) {
        kubernetes.applyDefinitions(new KubernetesSerialization()
                .asYaml(Chart.one(
                        Chart.render(Map.of("webhook", Map.of("enabled", false))), CustomResourceDefinition.class)));
        kubernetes.apply("{apiVersion: v1, kind: Namespace, metadata: {name: operators}}");
        grid = install(kubernetes, Map.of("ownOnly", Map.of("enabled", true)));
        adopting = install(
                kubernetes, Map.of("ownOnly", Map.of("enabled", true, "adopt", true), "fullnameOverride", "adopting"));
    }

    private static WriteGrid install(AnyKubernetes kubernetes, Map<String, Object> values) {
        List<HasMetadata> chart = Chart.render(values);
        KubernetesSerialization serialization = new KubernetesSerialization();
        String account = Chart.one(chart, ServiceAccount.class).getMetadata().getName();
        String namespace = kubernetes.createNamespace("grid");
        kubernetes.apply("""
                {apiVersion: v1, kind: ServiceAccount, metadata: {name: %1$s, namespace: operators}}
                ---
                {apiVersion: v1, kind: ServiceAccount, metadata: {name: default, namespace: %2$s}}
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRoleBinding
                metadata: {name: stolen-%1$s}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
                subjects: [{kind: ServiceAccount, name: %1$s, namespace: operators}]
                """.formatted(account, namespace));
        kubernetes.apply(serialization.asYaml(Chart.one(chart, ValidatingAdmissionPolicy.class)));
        kubernetes.apply(serialization.asYaml(Chart.one(chart, ValidatingAdmissionPolicyBinding.class)));
        WriteGrid created = new WriteGrid(
                kubernetes.config(), kubernetes.serviceAccountConfig(InstalledChart.NAMESPACE, account), namespace);
        await("the API server enforces the policy")
                .atMost(Duration.ofMinutes(1))
                .until(() -> created.verdict(WriteGrid.Verb.DELETE, WriteGrid.Subject.FOREIGN)
                        .equals("denied"));
        return created;
    }

    @AfterAll
    static void close() {
        Stream.of(grid, adopting).filter(Objects::nonNull).forEach(WriteGrid::close);
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

    /** An object without a controller can be taken over with the whole object, and nothing else can be done with it before. */
    @Test
    void foreignObjectWhenAdoptionIsAllowedCanBeTakenOver() {
        Map<WriteGrid.Verb, String> verdicts = new EnumMap<>(WriteGrid.Verb.class);
        for (WriteGrid.Verb verb : WriteGrid.Verb.values()) {
            verdicts.put(verb, adopting.verdict(verb, WriteGrid.Subject.FORGED));
        }
        Set<WriteGrid.Verb> denied = EnumSet.of(
                WriteGrid.Verb.STATUS,
                WriteGrid.Verb.SCALE,
                WriteGrid.Verb.DELETE,
                WriteGrid.Verb.COLLECTION,
                WriteGrid.Verb.EVICT);
        verdicts.forEach((verb, verdict) ->
                assertThat(verdict).as("%s", verb).isEqualTo(denied.contains(verb) ? "denied" : "allowed"));
        for (WriteGrid.Verb verb : List.of(WriteGrid.Verb.UPDATE, WriteGrid.Verb.MERGE, WriteGrid.Verb.FORCE)) {
            assertThat(adopting.verdict(verb, WriteGrid.Subject.FOREIGN)).isEqualTo("denied");
        }
    }

    /** Neither with a controller of its own beside it nor instead of it. */
    @Test
    void objectOfAnotherControllerWhenAdoptionIsAllowedCannotBeTakenOver() {
        String other =
                "{\"apiVersion\": \"example.com/v1\", \"kind\": \"Other\", \"name\": \"a\", \"uid\": \"u\", \"controller\": true}";
        String mine =
                "{\"apiVersion\": \"apps.reconciler4j.io/v1\", \"kind\": \"WebApp\", \"name\": \"owner\", \"uid\": \"v\"}";
        adopting.create("v1", "configmaps", configMap("controlled", other));

        for (String owners : List.of(mine, mine + ", " + other)) {
            assertThat(adopting.verdict(
                            "PUT", adopting.path("v1", "configmaps", "controlled"), configMap("controlled", owners)))
                    .isEqualTo("denied");
        }
    }

    private static String configMap(String name, String owners) {
        return "{\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"metadata\": {\"name\": \"" + name
                + "\", \"ownerReferences\": [" + owners + "]}}";
    }

    @ParameterizedTest
    @CsvSource({
        "operators, demo-sample-operator-shard-3, allowed",
        "operators, demo-sample-operator-replica-x-1, allowed",
        "operators, demo-sample-operator-borders, allowed",
        "operators, demo-sample-operator, allowed",
        "operators, demo-sample-operator-else, denied",
        "operators, other-shard-3, denied",
        "operators, x-demo-sample-operator-shard-3, denied",
        "default, demo-sample-operator-shard-3, denied"
    })
    void leasesOfShardsAreThoseOfTheRelease(String namespace, String name, String verdict) {
        String leases = "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases";
        String lease = "{\"apiVersion\": \"coordination.k8s.io/v1\", \"kind\": \"Lease\", \"metadata\": {\"name\": \""
                + name + "\"}, \"spec\": {\"holderIdentity\": \"a\"}}";
        grid.delete(leases + "/" + name);
        assertThat(grid.verdict("POST", leases, lease)).isEqualTo(verdict);
        if (verdict.equals("allowed")) {
            String path = leases + "/" + name;
            String version = "\"metadata\": {\"resourceVersion\": \"" + grid.version(path) + "\", ";
            assertThat(grid.verdict("PUT", path, lease.replace("\"metadata\": {", version)))
                    .isEqualTo("allowed");
            assertThat(grid.verdict("DELETE", leases + "/" + name, "")).isEqualTo("allowed");
        }
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
