package io.github.reconciler4j.client;

import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.fixtures.CuttableProxy;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;
import java.net.URI;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Own writes are read back from a real API server whose connections are cut now and then. More seeds:
 * {@code -Dconsistency.real.seeds=1000}.
 */
@RealKubernetesTest
@Timeout(300)
class ReadYourWritesIntegrationTests {

    private static final long SEEDS = Long.getLong("consistency.real.seeds", 1);
    private static final long FIRST = Long.getLong("consistency.first", 1);

    private final RealKubernetes kubernetes;

    static LongStream seeds() {
        return LongStream.range(FIRST, FIRST + SEEDS);
    }

    ReadYourWritesIntegrationTests(RealKubernetes kubernetes) {
        this.kubernetes = kubernetes;
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void readWhenConnectionsAreCutContainsAllEarlierWritesOfItsThread(long seed) throws Exception {
        Config config = kubernetes.config();
        URI address = URI.create(config.getMasterUrl());
        try (CuttableProxy proxy = new CuttableProxy(address.getPort())) {
            config.setMasterUrl("https://" + address.getHost() + ":" + proxy.port() + "/");
            String namespace = kubernetes.createNamespace("consistency");
            try (ConsistencyRun run = new ConsistencyRun(config, namespace, seed)) {
                run.run(4, 60, proxy::closeConnections);
                run.checkEnd();
            }
        }
    }
}
