package io.github.reconciler4j.client;

import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.fixtures.CuttableProxy;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Own writes are read back from a real API server whose connections are cut now and then. */
@RealKubernetesTest
@Timeout(300)
class ReadYourWritesIntegrationTests {

    private final RealKubernetes kubernetes;

    ReadYourWritesIntegrationTests(RealKubernetes kubernetes) {
        this.kubernetes = kubernetes;
    }

    @Test
    void readWhenConnectionsAreCutContainsAllEarlierWritesOfItsThread() throws Exception {
        Config config = kubernetes.config();
        URI address = URI.create(config.getMasterUrl());
        try (CuttableProxy proxy = new CuttableProxy(address.getPort())) {
            config.setMasterUrl("https://" + address.getHost() + ":" + proxy.port() + "/");
            String namespace = kubernetes.createNamespace("consistency");
            try (ConsistencyRun run = new ConsistencyRun(config, namespace, 1)) {
                run.run(4, 60, proxy::closeConnections);
                run.checkEnd();
            }
        }
    }
}
