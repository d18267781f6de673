package io.github.reconciler4j.generator.crd;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.github.reconciler4j.test.junit.KubernetesTest;
import org.junit.jupiter.api.BeforeAll;

/** On an API server in this JVM. */
@KubernetesTest(definitions = {})
class ChoicesTests extends ChoicesFixture {

    ChoicesTests(KubernetesClient client) {
        super(client);
    }

    @BeforeAll
    static void installDefinition(KubernetesClient client) {
        install(client);
    }
}
