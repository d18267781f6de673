package io.github.reconciler4j.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reconciler4j.fixtures.BrokenMetrics;
import io.github.reconciler4j.health.HealthCheck;
import io.github.reconciler4j.health.HealthReport;
import io.github.reconciler4j.leaderelection.LeaderElectionOptions;
import io.github.reconciler4j.leaderelection.LeadershipListener;
import io.github.reconciler4j.leaderelection.LeaseTiming;
import io.github.reconciler4j.manager.ComponentState.State;
import io.github.reconciler4j.test.KubernetesServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Errors out of callbacks are handled as exceptions: everything else continues. */
@Timeout(120)
class CallbackErrorTests {

    private final KubernetesServer server = KubernetesServer.start();
    private final List<String> journal = new CopyOnWriteArrayList<>();
    private Manager manager = Manager.create(server.clientConfig(), ManagerOptions.defaults());

    @AfterEach
    void stop() {
        manager.close();
        server.close();
    }

    private static ConditionFactory eventually(String what) {
        return Awaitility.await(what).atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(20));
    }

    private static LeadershipListener onElected(Runnable action) {
        return new LeadershipListener() {
            @Override
            public void elected(String lease) {
                action.run();
            }
        };
    }

    private static Runnable throwing(Error error) {
        return () -> {
            throw error;
        };
    }

    private HealthCheck.Health check(String name) {
        return HealthReport.of(manager.healthChecks()).checks().get(name);
    }

    private static LeaderElectionOptions election() {
        return LeaderElectionOptions.named("lock")
                .withLeaseNamespace("default")
                .withTiming(LeaseTiming.of(Duration.ofMinutes(5), Duration.ofMinutes(4), Duration.ofMillis(100)));
    }

    @Test
    void listenerWhenItThrowsAStackOverflowDoesNotAffectTheOthers() {
        manager.addLeadershipListener(onElected(throwing(new StackOverflowError())));
        manager.addLeadershipListener(onElected(() -> journal.add("elected")));
        manager.start();
        assertThat(journal).containsExactly("elected");
        assertThat(check("manager").alive()).isTrue();
    }

    @Test
    void listenerWhenItRunsOutOfMemoryDoesNotAffectLeadershipButTheManagerIsNotAlive() {
        manager.close();
        manager =
                Manager.create(server.clientConfig(), ManagerOptions.defaults().withLeaderElection(election()));
        manager.addLeadershipListener(onElected(throwing(new OutOfMemoryError("for a test"))));
        manager.addLeadershipListener(onElected(() -> journal.add("elected")));
        manager.start();
        eventually("the second listener is notified").until(() -> journal.contains("elected"));
        assertThat(manager.status().leader()).isTrue();
        assertThat(check("manager").alive()).isFalse();
        assertThat(check("manager").details()).containsKey("jvmFailure");
        assertThat(check("leader-election").alive()).isTrue();
    }

    @Test
    void leadershipWhenMetricsThrowErrorsIsKept() {
        manager.close();
        BrokenMetrics metrics = new BrokenMetrics();
        manager = Manager.create(
                server.clientConfig(),
                ManagerOptions.defaults().withLeaderElection(election()).withMetrics(metrics));
        manager.addLeadershipListener(new LeadershipListener() {
            @Override
            public void lost(String lease, String reason) {
                journal.add("lost");
            }
        });
        manager.start();
        eventually("it leads").until(() -> manager.status().leader());
        int calls = metrics.calls();
        eventually("it renews the lease").until(() -> metrics.calls() > calls + 20);
        assertThat(manager.status().leader()).isTrue();
        assertThat(journal).isEmpty();
    }

    /** A component with actions for start, stop and status. */
    private record Part(String name, Runnable onStart, Runnable onStop, Runnable onReason) implements ManagedComponent {
        @Override
        public StartGroup group() {
            return StartGroup.ALL_REPLICAS;
        }

        @Override
        public String notReadyReason() {
            onReason.run();
            return "";
        }

        @Override
        public void start() {
            onStart.run();
        }

        @Override
        public void stop(Duration grace) {
            onStop.run();
        }
    }

    @Test
    void startWhenAComponentThrowsAnErrorStopsTheOthers() {
        manager.add(new Part("good", () -> {}, () -> journal.add("good stopped"), () -> {}));
        manager.add(new Part("bad", throwing(new NoClassDefFoundError("some/Type")), () -> {}, () -> {}));
        assertThatThrownBy(manager::start)
                .isInstanceOf(ManagerStartException.class)
                .hasMessageContaining("bad could not start: some/Type");
        assertThat(journal).contains("good stopped");
    }

    @Test
    void stopWhenAComponentThrowsAnErrorStopsTheOthers() {
        manager.add(new Part("good", () -> {}, () -> journal.add("good stopped"), () -> {}));
        manager.add(new Part("bad", () -> {}, throwing(new StackOverflowError()), () -> {}));
        manager.start();
        manager.stop();
        assertThat(journal).containsExactly("good stopped");
        assertThatThrownBy(manager::await)
                .isInstanceOf(ManagerFailedException.class)
                .hasMessageContaining("bad could not stop cleanly");
    }

    @Test
    void statusWhenAComponentThrowsAnErrorShowsAllComponents() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        Runnable waiting = () -> {
            try {
                release.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
        manager.add(new Part("bad", waiting, () -> {}, throwing(new StackOverflowError())));
        Thread starter = new Thread(manager::start);
        starter.start();
        eventually("it is starting")
                .until(() -> manager.status().components().stream()
                        .anyMatch(status -> status.name().equals("bad") && status.state() == State.STARTING));
        release.countDown();
        starter.join();
        assertThat(manager.status().running()).isTrue();
    }
}
