package io.github.reconciler4j.manager;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.github.reconciler4j.client.internal.discovery.DiscoveryCache;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.test.KubernetesServer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the log says at the start about an API server of a former version. */
class MissingFeaturesTests {

    @ParameterizedTest
    @CsvSource({"31, 1", "34, 1", "37, 0"})
    void startWhenTheApiServerLacksFeaturesNamesThemOnce(int minor, int lines) {
        try (CapturedLog log = CapturedLog.of(DiscoveryCache.class.getName());
                KubernetesServer server =
                        KubernetesServer.builder().minorVersion(minor).start();
                Manager manager = Manager.create(server.clientConfig(), ManagerOptions.defaults())) {
            manager.start();

            assertThat(log.lines(Level.INFO))
                    .hasSize(lines)
                    .allSatisfy(line -> assertThat(line)
                            .contains(
                                    "Kubernetes 1." + minor + ", which lacks by default: ", "MutatingAdmissionPolicy"));
        }
    }
}
