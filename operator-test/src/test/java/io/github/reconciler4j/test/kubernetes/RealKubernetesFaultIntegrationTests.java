package io.github.reconciler4j.test.kubernetes;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What tests may count on when they disturb the components of an instance of their own. */
@RealKubernetesTest(
        dedicated = true,
        components = {})
class RealKubernetesFaultIntegrationTests {

    private final RealKubernetes kubernetes;

    RealKubernetesFaultIntegrationTests(RealKubernetes kubernetes) {
        this.kubernetes = kubernetes;
    }

    @Test
    void apiServerWhenKilledComesBackWithItsAddressAndData() {
        String namespace = kubernetes.createNamespace("kept");
        kubernetes.kill(KubernetesComponent.APISERVER);
        assertThatThrownBy(this::namespaces).hasMessageContaining("refused");
        kubernetes.start(KubernetesComponent.APISERVER);
        awaitNamespace(namespace);
    }

    @Test
    void apiServerWhenPausedDoesNotAnswerUntilResumed() {
        kubernetes.pause(KubernetesComponent.APISERVER);
        try {
            assertThatThrownBy(this::namespaces).isInstanceOf(IllegalStateException.class);
        } finally {
            kubernetes.resume(KubernetesComponent.APISERVER);
        }
        awaitNamespace("default");
    }

    @Test
    void etcdWhenKilledMakesTheApiServerFailUntilItIsBack() {
        kubernetes.kill(KubernetesComponent.ETCD);
        assertThatThrownBy(this::namespaces).isInstanceOf(IllegalStateException.class);
        kubernetes.start(KubernetesComponent.ETCD);
        awaitNamespace("default");
    }

    private void awaitNamespace(String name) {
        await("an answer")
                .atMost(Duration.ofSeconds(60))
                .ignoreExceptions()
                .until(() -> namespaces().contains("namespace/" + name));
    }

    private String namespaces() {
        return kubernetes.kubectl("--request-timeout=3s", "get", "namespaces", "-o", "name");
    }
}
