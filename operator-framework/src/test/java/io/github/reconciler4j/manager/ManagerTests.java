package io.github.reconciler4j.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.github.reconciler4j.leaderelection.LeaderElectionOptions;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
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
    void createWhenLeaseNamespaceCannotBeToldFails() {
        assertThatIllegalStateException()
                .isThrownBy(() -> Manager.create(
                        nobodyListens(), impatient().withLeaderElection(LeaderElectionOptions.named("lease"))))
                .withMessageContaining("leaseNamespace");
    }
}
