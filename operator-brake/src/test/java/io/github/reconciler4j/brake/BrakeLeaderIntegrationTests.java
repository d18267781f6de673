package io.github.reconciler4j.brake;

import io.github.reconciler4j.test.kubernetes.AnyKubernetes;
import io.github.reconciler4j.test.kubernetes.AnyKubernetesTest;
import org.junit.jupiter.api.Timeout;

/** Changes of the leader on a real API server. */
@Timeout(300)
@AnyKubernetesTest
class BrakeLeaderIntegrationTests extends BrakeLeaderScenario {

    BrakeLeaderIntegrationTests(AnyKubernetes kubernetes) {
        connect(kubernetes.config(), kubernetes.createNamespace("leader"));
    }
}
