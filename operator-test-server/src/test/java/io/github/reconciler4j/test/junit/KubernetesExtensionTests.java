package io.github.reconciler4j.test.junit;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.github.reconciler4j.test.cluster.TestClusterOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class KubernetesExtensionTests {
    @RegisterExtension
    static final KubernetesExtension KUBERNETES =
            new KubernetesExtension(TestClusterOptions.defaults().withServer(server -> server.minorVersion(31)));

    @Test
    void serverWhenCustomizedHasTheSettings(KubernetesClient client) {
        assertThat(client.getKubernetesVersion().getMinor()).isEqualTo("31");
    }
}
