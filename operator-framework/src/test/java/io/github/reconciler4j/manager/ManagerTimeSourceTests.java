package io.github.reconciler4j.manager;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.cache.KindStatus;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.leaderelection.LeaderElectionOptions;
import io.github.reconciler4j.leaderelection.LeaseTiming;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.test.KubernetesServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Hours in the life of a manager whose clock a test advances. */
@Timeout(180)
class ManagerTimeSourceTests {

    private static final LeaseTiming TIMING =
            LeaseTiming.of(Duration.ofHours(2), Duration.ofHours(1), Duration.ofMinutes(10));

    private final KubernetesServer server = KubernetesServer.start();
    private final ManualTimeSource time = new ManualTimeSource();
    private final List<String> reconciled = new CopyOnWriteArrayList<>();
    private final Manager manager = Manager.create(
            server.clientConfig(),
            ManagerOptions.defaults()
                    .withTimeSource(time)
                    .withLeaderElection(LeaderElectionOptions.named("lock")
                            .withLeaseNamespace("default")
                            .withTiming(TIMING)));
    private final Controller<Request> controller = ControllerBuilder.of(ConfigMap.class)
            .reconciler((map, context) -> {
                reconciled.add(map.getMetadata().getName());
                return Result.requeueAfter(Duration.ofHours(1));
            })
            .addTo(manager);

    @AfterEach
    void stop() {
        manager.close();
        server.close();
    }

    private static ConditionFactory eventually(String what) {
        return Awaitility.await(what).atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(20));
    }

    /** Creates a config map, and waits until it has been reconciled and waits for its next time. */
    private void create(String name) {
        manager.client()
                .create(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace("default")
                        .withName(name)
                        .endMetadata()
                        .build());
        eventually(name + " is reconciled").until(() -> reconciled.contains(name));
        eventually(name + " waits").until(() -> waiting() == reconciled.size());
    }

    private int waiting() {
        return controller.operations().queue().orElseThrow().delayed();
    }

    private Duration remaining() {
        return manager.status().leases().get(0).replica().remaining();
    }

    @Test
    void requestWhenTheClockReachesItsTimeIsReconciledAgain() {
        manager.start();
        create("one");

        time.advance(Duration.ofMinutes(40));
        create("two");
        assertThat(reconciled).containsExactly("one", "two");
        time.advance(Duration.ofMinutes(20));
        eventually("one is due").until(() -> reconciled.equals(List.of("one", "two", "one")));
    }

    @Test
    void leaseWhenTheClockAdvancesIsRenewedAndExpiresWithoutRenewals() {
        manager.start();
        eventually("the manager leads").until(() -> manager.status().leader());

        for (int minute = 0; minute < 180; minute++) {
            time.advance(Duration.ofMinutes(1));
            eventually("the lease is renewed").until(() -> remaining().compareTo(Duration.ofMinutes(45)) > 0);
        }
        server.stop();
        time.advance(Duration.ofHours(1));
        assertThat(manager.status().leader()).isFalse();
    }

    @Test
    void stalenessWhenTheClockAdvancesIsThatOfTheClock() {
        manager.start();
        create("one");
        server.stop();

        time.advance(Duration.ofHours(2));
        KindStatus kind = manager.cache().kinds().get(0);
        assertThat(kind.activity().staleness()).isEqualTo(Duration.ofHours(2));
    }
}
