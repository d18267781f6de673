package io.github.reconciler4j.test.server.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import io.github.reconciler4j.test.cluster.TestCluster;
import io.github.reconciler4j.test.junit.KubernetesTest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** fabric8's leader election, unmodified. */
@KubernetesTest
class LeaderElectorTests {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final List<String> leaders = new CopyOnWriteArrayList<>();

    private CompletableFuture<?> stand(KubernetesClient client, String name) {
        return client.leaderElector()
                .withConfig(new LeaderElectionConfigBuilder()
                        .withName("election")
                        .withLock(new LeaseLock("default", "election", name))
                        .withLeaseDuration(Duration.ofSeconds(15))
                        .withRenewDeadline(Duration.ofSeconds(10))
                        .withRetryPeriod(Duration.ofMillis(50))
                        .withReleaseOnCancel(true)
                        .withLeaderCallbacks(new LeaderCallbacks(() -> leaders.add(name), () -> {}, leader -> {}))
                        .build())
                .build()
                .start();
    }

    @Test
    void electionWhenTwoStandHasOneLeaderUntilItEnds(TestCluster cluster) {
        CompletableFuture<?> first = stand(cluster.client(), "first");
        await("a leader").atMost(LONG).until(() -> leaders.size() == 1);
        CompletableFuture<?> second = stand(cluster.client(), "second");
        cluster.expect(Lease.class, "default", "election").toHave("/spec/holderIdentity", "first");

        first.cancel(true);

        await("the other leader").atMost(LONG).until(() -> leaders.size() == 2);
        assertThat(leaders).containsExactly("first", "second");
        cluster.expect(Lease.class, "default", "election").toHave("/spec/holderIdentity", "second");
        second.cancel(true);
    }
}
