package io.github.reconciler4j.test.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.github.reconciler4j.test.KubernetesServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a server offers that is like a former version of Kubernetes. */
class ServedVersionsTests {

    private static final String STREAM = "/api/v1/configmaps?watch=true&sendInitialEvents=true"
            + "&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=1";

    private static int status(int minor, String path) {
        try (KubernetesServer server = start(minor);
                KubernetesClient client = client(server)) {
            return client.raw(path) == null ? 404 : 200;
        } catch (KubernetesClientException e) {
            return e.getCode();
        }
    }

    private static KubernetesServer start(int minor) {
        return KubernetesServer.builder().minorVersion(minor).start();
    }

    private static KubernetesClient client(KubernetesServer server) {
        return new KubernetesClientBuilder().withConfig(server.clientConfig()).build();
    }

    @ParameterizedTest
    @CsvSource({
        "30, networking.k8s.io/v1/ipaddresses, 404",
        "33, networking.k8s.io/v1/ipaddresses, 200",
        "33, resource.k8s.io/v1/deviceclasses, 404",
        "34, resource.k8s.io/v1/deviceclasses, 200",
        "35, admissionregistration.k8s.io/v1/mutatingadmissionpolicies, 404",
        "36, admissionregistration.k8s.io/v1/mutatingadmissionpolicies, 200",
        "30, admissionregistration.k8s.io/v1/validatingadmissionpolicies, 200"
    })
    void kindIsServedSinceItsVersion(int minor, String path, int status) {
        assertThat(status(minor, "/apis/" + path)).isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({"30, 422", "31, 422", "32, 200", "33, 422", "34, 200", "37, 200"})
    void listIsStreamedIfTheVersionDoesSo(int minor, int status) {
        assertThat(status(minor, STREAM)).isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({"30, 400", "31, 200"})
    void customResourceIsSelectedByFieldsSinceTheVersion(int minor, int status) {
        try (KubernetesServer server = start(minor);
                KubernetesClient client = client(server)) {
            client.resource(new KubernetesSerialization().unmarshal("""
                            apiVersion: apiextensions.k8s.io/v1
                            kind: CustomResourceDefinition
                            metadata: {name: gauges.example.com}
                            spec:
                              group: example.com
                              scope: Namespaced
                              names: {kind: Gauge, plural: gauges}
                              versions:
                              - name: v1
                                served: true
                                storage: true
                                selectableFields: [{jsonPath: .spec.color}]
                                schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {
                                  color: {type: string}}}}}}
                            """, CustomResourceDefinition.class))
                    .create();
            int found = 200;
            try {
                assertThat(client.genericKubernetesResources("example.com/v1", "Gauge")
                                .inAnyNamespace()
                                .list(new ListOptionsBuilder()
                                        .withFieldSelector("spec.color=red")
                                        .build())
                                .getItems())
                        .isEqualTo(java.util.List.<GenericKubernetesResource>of());
            } catch (KubernetesClientException e) {
                found = e.getCode();
            }
            assertThat(found).isEqualTo(status);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 29, 38, Integer.MAX_VALUE})
    void versionWhenUnknownIsRefused(int minor) {
        assertThatThrownBy(() -> KubernetesServer.builder().minorVersion(minor))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1.30 to 1.37")
                .hasMessageContaining("1." + minor);
    }

    @Test
    void versionByDefaultIsTheNewest() {
        try (KubernetesServer server = KubernetesServer.start();
                KubernetesClient client = client(server)) {
            assertThat(client.getKubernetesVersion().getMinor()).isEqualTo("37");
        }
    }
}
