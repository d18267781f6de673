package io.github.reconciler4j.test.server.differential;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.APIResource;
import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;
import io.github.reconciler4j.test.server.internal.registry.Registry.BuiltInKinds;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The server in this JVM serves what a real one of the same version serves. See {@code DEV_KUBERNETES_VERSION}. */
@RealKubernetesTest
class ServedVersionsIntegrationTests {

    private static final String STREAM = "/api/v1/configmaps?watch=true&sendInitialEvents=true"
            + "&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=1";

    private final RealKubernetes kubernetes;

    ServedVersionsIntegrationTests(RealKubernetes kubernetes) {
        this.kubernetes = kubernetes;
    }

    @Test
    void kindsAndStreamedListsAreThoseOfARealServer() {
        try (KubernetesClient real = client(kubernetes.config())) {
            int minor = Integer.parseInt(real.getKubernetesVersion().getMinor());
            try (KubernetesServer server =
                            KubernetesServer.builder().minorVersion(minor).start();
                    KubernetesClient ours = client(server.clientConfig())) {
                assertThat(served(ours)).as("1." + minor).hasSizeGreaterThan(60).isEqualTo(served(real));
                assertThat(status(ours)).as("a streamed list").isEqualTo(status(real));
            }
        }
    }

    private static KubernetesClient client(Config config) {
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    /** Which of the kinds that the server in this JVM knows are served. */
    private static Map<String, Boolean> served(KubernetesClient client) {
        Map<String, Boolean> served = new TreeMap<>();
        for (BuiltInKinds.Row row : BuiltInKinds.rows()) {
            ResourceType type = row.type();
            APIResourceList resources = client.getApiResources(type.apiVersion());
            served.put(
                    type.apiVersion() + " " + type.plural(),
                    resources != null
                            && resources.getResources().stream()
                                    .map(APIResource::getName)
                                    .anyMatch(type.plural()::equals));
        }
        return served;
    }

    private static int status(KubernetesClient client) {
        try {
            client.raw(STREAM);
            return 200;
        } catch (KubernetesClientException e) {
            return e.getCode();
        }
    }
}
