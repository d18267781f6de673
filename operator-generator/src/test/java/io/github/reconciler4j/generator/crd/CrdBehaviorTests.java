package io.github.reconciler4j.generator.crd;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.github.reconciler4j.test.junit.KubernetesTest;
import org.junit.jupiter.api.BeforeAll;

/** What the generated definitions do on an API server in this JVM. */
@KubernetesTest(definitions = {})
class CrdBehaviorTests extends CrdBehaviorFixture {

    CrdBehaviorTests(KubernetesClient client) {
        super(client);
    }

    @BeforeAll
    static void installDefinitions(KubernetesClient client) {
        install(client);
    }
}
