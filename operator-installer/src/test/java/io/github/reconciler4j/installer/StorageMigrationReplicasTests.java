package io.github.reconciler4j.installer;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.leaderelection.LeaderElectionOptions;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.manager.StartGroup;
import io.github.reconciler4j.sharding.ShardingOptions;
import io.github.reconciler4j.test.KubernetesServer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** On which replicas stored objects are migrated. */
class StorageMigrationReplicasTests {

    private static final ManagerOptions SHARDED =
            ManagerOptions.defaults().withExtension(ShardingOptions.named("a").withLeaseNamespace("b"));

    private final KubernetesServer server = KubernetesServer.start();

    @AfterEach
    void stop() {
        server.close();
    }

    private StartGroup group(ManagerOptions options) {
        try (Manager manager = Manager.create(server.clientConfig(), options)) {
            CrdInstaller.addTo(manager, List.of(), CrdInstallerOptions.defaults());
            return manager.components().stream()
                    .filter(component -> component.name().equals("storage-migration"))
                    .map(ManagedComponent::group)
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void migrationWhenReplicasShareShardsAndNoneLeadsRunsOnEach() {
        assertThat(group(SHARDED)).isEqualTo(StartGroup.ALL_REPLICAS);
    }

    @Test
    void migrationWhenAReplicaLeadsRunsOnThatOne() {
        assertThat(group(ManagerOptions.defaults())).isEqualTo(StartGroup.LEADER_ELECTED);
        assertThat(group(SHARDED.withLeaderElection(
                        LeaderElectionOptions.named("a").withLeaseNamespace("b"))))
                .isEqualTo(StartGroup.LEADER_ELECTED);
    }
}
