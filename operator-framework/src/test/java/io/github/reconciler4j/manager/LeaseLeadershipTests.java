package io.github.reconciler4j.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.reconciler4j.leaderelection.LeaderElectionOptions;
import io.github.reconciler4j.manager.internal.leadership.LeaseLeadership;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeaseLeadershipTests {

    @Test
    void namespaceWhenNotGivenComesFromThePodOrFails(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("namespace");
        LeaderElectionOptions options = LeaderElectionOptions.named("lease");
        assertThatIllegalStateException()
                .isThrownBy(() -> LeaseLeadership.namespace(options, file))
                .withMessageContaining("set 'leaseNamespace'");
        Files.writeString(file, "pods-own\n");
        assertThat(LeaseLeadership.namespace(options, file)).isEqualTo("pods-own");
        assertThat(LeaseLeadership.namespace(options.withLeaseNamespace("other"), file))
                .isEqualTo("other");
    }

    @Test
    void identityWhenRandomIsHostAndUuidAndDiffersEachTime() {
        ManagerOptions options = ManagerOptions.defaults().withLeaderElection(LeaderElectionOptions.named("lease"));
        assertThat(LeaseLeadership.identity(options))
                .matches(".+_[0-9a-f-]{36}")
                .isNotEqualTo(LeaseLeadership.identity(options));
        assertThat(LeaseLeadership.identity(options.withLeaderElection(
                        LeaderElectionOptions.named("lease").withIdentity("me"))))
                .isEqualTo("me");
    }
}
