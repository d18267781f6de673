package io.github.reconciler4j.manager;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.health.HealthReport;
import io.github.reconciler4j.leaderelection.LeaderElectionOptions;
import io.github.reconciler4j.leaderelection.LeaseTiming;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.test.KubernetesServer;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The wall clock jumps during the start and afterwards; timers and leases go by another one. */
@Timeout(180)
class ManagerClockTests {

    private static final LeaseTiming TIMING =
            LeaseTiming.of(Duration.ofSeconds(5), Duration.ofSeconds(3), Duration.ofMillis(50));

    /** Each other look at the wall clock finds it far off. */
    private record JumpingTime(Duration jump, AtomicInteger looks) implements TimeSource {

        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public Instant instant() {
            return looks.getAndIncrement() % 2 == 0
                    ? Instant.now()
                    : Instant.now().plus(jump);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT2H", "PT-2H", "P40D", "P-40D"})
    void managerWhenTheWallClockJumpsStartsLeadsAndReconciles(Duration jump) {
        Map<String, Integer> reconciled = new ConcurrentHashMap<>();
        JumpingTime time = new JumpingTime(jump, new AtomicInteger());
        try (KubernetesServer server = KubernetesServer.start();
                Manager manager = Manager.create(
                        server.clientConfig(),
                        ManagerOptions.defaults()
                                .withTimeSource(time)
                                .withLeaderElection(LeaderElectionOptions.named("lock")
                                        .withLeaseNamespace("default")
                                        .withTiming(TIMING)))) {
            ControllerBuilder.of(ConfigMap.class)
                    .reconciler((map, context) -> {
                        int runs = reconciled.merge(map.getMetadata().getName(), 1, Integer::sum);
                        return runs < 3 ? Result.requeueAfter(Duration.ofMillis(100)) : Result.done();
                    })
                    .addTo(manager);
            manager.start();
            manager.client()
                    .create(new ConfigMapBuilder()
                            .withNewMetadata()
                            .withNamespace("default")
                            .withName("one")
                            .endMetadata()
                            .build());
            Awaitility.await("it is reconciled at its times")
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> reconciled.getOrDefault("one", 0) == 3);
            int looks = time.looks().get();
            Awaitility.await("the lease is renewed again and again")
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> time.looks().get() > looks + 20);
            assertThat(manager.status().leader()).isTrue();
            assertThat(HealthReport.of(manager.healthChecks()).isReady()).isTrue();
        }
    }
}
