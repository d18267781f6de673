package io.github.reconciler4j.generator.crd;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** On a real API server, which must find the rules cheap enough. */
@RealKubernetesTest(
        dedicated = true,
        components = {})
class ChoicesIntegrationTests extends ChoicesFixture {

    private static KubernetesClient client;

    ChoicesIntegrationTests() {
        super(client);
    }

    @BeforeAll
    static void installDefinition(RealKubernetes kubernetes) {
        client = new KubernetesClientBuilder().withConfig(kubernetes.config()).build();
        install(client);
    }

    @AfterAll
    static void close() {
        client.close();
    }
}
