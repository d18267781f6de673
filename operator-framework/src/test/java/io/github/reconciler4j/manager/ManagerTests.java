package io.github.reconciler4j.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.github.reconciler4j.client.ConnectionException;
import io.github.reconciler4j.health.HealthCheck;
import io.github.reconciler4j.leaderelection.LeaderElectionOptions;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ManagerTests {

    private static Config nobodyListens() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return new ConfigBuilder(Config.empty())
                    .withMasterUrl("http://127.0.0.1:" + socket.getLocalPort())
                    .build();
        }
    }

    private static ManagerOptions impatient() {
        return ManagerOptions.defaults()
                .withName("test-manager")
                .withLifecycle(LifecycleOptions.defaults().withApiServerTimeout(Duration.ofMillis(600)));
    }

    @Test
    void startWhenApiServerIsAwayGivesUpAfterTheTimeoutAndSaysWhy() throws Exception {
        try (Manager manager = Manager.create(nobodyListens(), impatient())) {
            assertThatThrownBy(manager::start)
                    .isInstanceOf(ManagerStartException.class)
                    .hasMessageContaining("The manager could not start: api-server could not start")
                    .hasMessageContaining("127.0.0.1");
            assertThat(manager.isRunning()).isFalse();
            assertThatIllegalStateException().isThrownBy(manager::start);
        }
    }

    @Test
    void createWhenNeverStartedLeavesNoThread() throws Exception {
        try (Manager manager = Manager.create(nobodyListens(), impatient())) {
            assertThat(manager.isRunning()).isFalse();
            assertThat(manager.isLeader()).isFalse();
        }
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("test-manager-start"));
    }

    @Test
    void recorderWhenTheManagerIsNeverStartedLeavesNoThread() throws Exception {
        try (Manager manager = Manager.create(nobodyListens(), impatient())) {
            manager.recorder("example.io/test").normal(new ConfigMap(), "Tested", "Test", "an event");
        }
        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(Thread::isAlive)
                .noneMatch(thread -> thread.getName().startsWith("event-writer"));
    }

    @Test
    void createWhenACertificateCannotBeReadSaysSo() throws Exception {
        Config broken = new ConfigBuilder(nobodyListens())
                .withMasterUrl("https://127.0.0.1:1")
                .withCaCertFile("/does/not/exist")
                .build();
        assertThatThrownBy(() -> Manager.create(broken, impatient())).isInstanceOf(ConnectionException.class);
    }

    @Test
    void createWhenGivenAConfigLeavesItAsItWas() throws Exception {
        Config config = nobodyListens();
        String before = Serialization.asYaml(config);
        Manager.create(config, impatient().withName("another-name")).close();
        assertThat(Serialization.asYaml(config)).isEqualTo(before);
    }

    @Test
    void addHealthCheckWhenTheNameIsTakenIsRefused() throws Exception {
        try (Manager manager = Manager.create(nobodyListens(), impatient())) {
            HealthCheck taken = new HealthCheck() {
                @Override
                public String name() {
                    return "cache";
                }

                @Override
                public Health check() {
                    return new Health(true, true, Map.of());
                }
            };
            assertThatIllegalArgumentException().isThrownBy(() -> manager.addHealthCheck(taken));
        }
    }

    @Test
    void createWhenLeaseNamespaceCannotBeToldFails() {
        assertThatIllegalStateException()
                .isThrownBy(() -> Manager.create(
                        nobodyListens(), impatient().withLeaderElection(LeaderElectionOptions.named("lease"))))
                .withMessageContaining("leaseNamespace");
    }
}
