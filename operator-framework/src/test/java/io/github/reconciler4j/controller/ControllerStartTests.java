package io.github.reconciler4j.controller;

import static io.github.reconciler4j.controller.ControllerFixture.B;
import static io.github.reconciler4j.controller.ControllerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.reconciler4j.cache.CacheSyncTimeoutException;
import io.github.reconciler4j.fixtures.TestHeader;
import io.github.reconciler4j.fixtures.TestSnapshot;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** When a controller runs, and what keeps it from that. */
class ControllerStartTests extends ControllerLifecycleFixture {

    @Test
    void workersStartWhenEverySourceHasDeliveredItsInitialList() throws Exception {
        try (ControllerFixture fixture = doingNothing(ControllerOptions.defaults())) {
            fixture.controller.watch(podSource());
            fixture.channel.send(B);
            FutureTask<Void> start = new FutureTask<>(() -> {
                fixture.controller.start();
                return null;
            });
            new Thread(start).start();
            eventually("subscribed", () -> pods.listeners() == 1);
            pods.deliver(TestSnapshot.initial(TestHeader.of("default", "a")));
            assertThat(start.isDone()).isFalse();
            assertThat(fixture.controller.state()).isEqualTo(ControllerState.STARTING);
            assertThat(fixture.controller.healthChecks().get(0).check().ready()).isFalse();
            eventually(
                    "the other source is ready",
                    () -> fixture.controller
                            .healthChecks()
                            .get(0)
                            .check()
                            .details()
                            .get("waitingFor")
                            .equals(List.of("Pod.v1")));
            assertThat(fixture.runs).isEmpty();
            pods.sync();
            start.get(30, TimeUnit.SECONDS);
            fixture.awaitRuns(2);
            assertThat(fixture.controller.state()).isEqualTo(ControllerState.RUNNING);
        }
    }

    @Test
    void startWhenASourceDoesNotSyncNamesItAndStopsAll() throws Exception {
        try (ControllerFixture fixture = doingNothing(syncTimeout(Duration.ofMillis(200)))) {
            fixture.controller.watch(podSource());
            assertThatExceptionOfType(CacheSyncTimeoutException.class)
                    .isThrownBy(fixture.controller::start)
                    .withMessage("Controller 'test' cannot start: after PT0.2S it still waits for Pod.v1 (pods has not"
                            + " synced: the test has not ended the list)");
            assertThat(fixture.controller.state()).isEqualTo(ControllerState.FAILED);
            assertThat(fixture.controller
                            .healthChecks()
                            .get(0)
                            .check()
                            .details()
                            .get("startFailure"))
                    .asString()
                    .contains("Pod.v1");
            assertThat(pods.listeners()).isZero();
            eventually("no threads", () -> ControllerFixture.threads("test").isEmpty());
            pods.sync();
            fixture.started();
            assertThat(fixture.controller.state()).isEqualTo(ControllerState.RUNNING);
            assertThat(fixture.controller.healthChecks().get(0).check().details())
                    .doesNotContainKey("startFailure");
        }
    }

    @Test
    void startWhenASourceRequiresActionShowsItAndContinuesOnceItIsFixed() throws Exception {
        try (ControllerFixture fixture = doingNothing(ControllerOptions.defaults())) {
            fixture.controller.watch(podSource());
            FutureTask<Void> start = new FutureTask<>(() -> {
                fixture.controller.start();
                return null;
            });
            new Thread(start).start();
            eventually("subscribed", () -> pods.listeners() == 1);
            assertThat(fixture.controller.state()).isEqualTo(ControllerState.STARTING);
            pods.requireAction("pods.v1 is not served");
            eventually("waiting", () -> fixture.controller.state() == ControllerState.WAITING);
            assertThat(fixture.controller.healthChecks().get(0).check().details())
                    .containsEntry("state", "WAITING")
                    .containsEntry("waitingFor", List.of("Pod.v1: pods.v1 is not served"));
            pods.sync();
            start.get(30, TimeUnit.SECONDS);
            assertThat(fixture.controller.state()).isEqualTo(ControllerState.RUNNING);
        }
    }

    @Test
    void startWhenASourceHangsNamesIt() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        try (ControllerFixture fixture = doingNothing(syncTimeout(Duration.ofMillis(100)))) {
            fixture.controller.watch(new StartSource("hanging", target -> never.await()));
            assertThatExceptionOfType(CacheSyncTimeoutException.class)
                    .isThrownBy(fixture.controller::start)
                    .withMessageContaining("hanging (its start does not return, it is in ");
        }
    }

    @Test
    void startWhenASourceFailsThrowsWithTheCause() throws Exception {
        IllegalArgumentException cause = new IllegalArgumentException("no such queue");
        try (ControllerFixture fixture = doingNothing(ControllerOptions.defaults())) {
            fixture.controller.watch(podSource());
            fixture.controller.watch(new StartSource("failing", target -> {
                throw cause;
            }));
            assertThatIllegalStateException()
                    .isThrownBy(fixture.controller::start)
                    .withCause(cause)
                    .withMessageContaining("source failing failed: IllegalArgumentException: no such queue");
            eventually("the other source ends after its start", () -> pods.listeners() == 0);
        }
    }

    @Test
    void startWhenASourceThrowsAnErrorThrowsWithTheCause() throws Exception {
        NoClassDefFoundError cause = new NoClassDefFoundError("driver");
        try (ControllerFixture fixture = doingNothing(ControllerOptions.defaults())) {
            fixture.controller.watch(new StartSource("failing", target -> {
                throw cause;
            }));
            assertThatIllegalStateException()
                    .isThrownBy(fixture.controller::start)
                    .withCause(cause)
                    .withMessageContaining("source failing failed: NoClassDefFoundError: driver");
            assertThat(fixture.controller.state()).isEqualTo(ControllerState.FAILED);
        }
    }

    @Test
    void startWhenInterruptedEnds() throws Exception {
        try (ControllerFixture fixture = doingNothing(ControllerOptions.defaults())) {
            fixture.controller.watch(podSource());
            Thread.currentThread().interrupt();
            assertThatExceptionOfType(InterruptedException.class).isThrownBy(fixture.controller::start);
            assertThat(fixture.controller.state()).isEqualTo(ControllerState.FAILED);
        }
    }

    @Test
    void startWhenStartedAlreadyFails() throws Exception {
        try (ControllerFixture fixture =
                doingNothing(ControllerOptions.defaults()).started()) {
            assertThatIllegalStateException()
                    .isThrownBy(fixture.controller::start)
                    .withMessage("Controller 'test' has already been started, it is RUNNING");
        }
    }

    @Test
    void startWhenStoppedBeforeEnqueuesEverythingAgain() throws Exception {
        try (ControllerFixture fixture = doingNothing(ControllerOptions.defaults())) {
            fixture.controller.watch(podSource());
            pods.sync();
            fixture.started();
            fixture.controller.stop(Duration.ofSeconds(30));
            fixture.started();
            pods.deliver(TestSnapshot.initial(TestHeader.of("default", "a")));
            fixture.awaitRuns(1);
            assertThat(fixture.metrics.gauge("controller_runtime_max_concurrent_reconciles{controller=test}"))
                    .isEqualTo(1);
        }
    }
}
