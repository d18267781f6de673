package io.github.reconciler4j.controller;

import static io.github.reconciler4j.controller.ControllerFixture.A;
import static io.github.reconciler4j.controller.ControllerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.Mockito.mock;

import io.github.reconciler4j.handler.RequestSink;
import io.github.reconciler4j.health.HealthCheck.Health;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.StartGroup;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.source.RequestSource;
import io.github.reconciler4j.workqueue.RequestGate;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The states of a controller, and what is refused in them. */
@Timeout(120)
class ControllerStateTests extends ControllerLifecycleFixture {

    private static final ControllerOptions WARM =
            ControllerOptions.defaults().withPlacement(Placement.leader().withWarmUp(true));

    private static Health health(ControllerFixture fixture) {
        return fixture.controller.healthChecks().get(0).check();
    }

    private interface Action {
        void run() throws Exception;
    }

    private static FutureTask<Void> inBackground(Action action) {
        FutureTask<Void> task = new FutureTask<>(() -> {
            action.run();
            return null;
        });
        new Thread(task).start();
        return task;
    }

    private static void await(FutureTask<Void> task) throws Exception {
        task.get(60, TimeUnit.SECONDS);
    }

    @Test
    void stopWithoutAStartDoesNothing() throws Exception {
        try (ControllerFixture fixture = doingNothing(ControllerOptions.defaults())) {
            assertThat(fixture.controller).hasToString("Controller[test, NEW]");
            await(inBackground(() -> fixture.controller.stop(Duration.ZERO)));
            assertThat(fixture.controller.state()).isEqualTo(ControllerState.NEW);
            fixture.started();
            fixture.controller.stop(Duration.ZERO);
            fixture.controller.stop(Duration.ZERO);
            assertThat(fixture.controller.state()).isEqualTo(ControllerState.STOPPED);
        }
    }

    @Test
    void stopAfterAFailedStartDoesNothing() throws Exception {
        try (ControllerFixture fixture = doingNothing(ControllerOptions.defaults())) {
            fixture.controller.watch(new StartSource("failing", target -> {
                throw new IllegalArgumentException("no such topic");
            }));
            assertThatIllegalStateException().isThrownBy(fixture.controller::start);
            await(inBackground(() -> fixture.controller.stop(Duration.ZERO)));
            assertThat(fixture.controller.state()).isEqualTo(ControllerState.FAILED);
            assertThat(health(fixture).details().get("startFailure")).asString().contains("no such topic");
        }
    }

    @Test
    void startWhenTheRunCannotBeCreatedFails() {
        ControllerOptions broken = ControllerOptions.defaults().withRateLimiter(() -> {
            throw new IllegalArgumentException("no limiter");
        });
        try (ControllerFixture fixture = doingNothing(broken)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(fixture.controller::start)
                    .withMessage("no limiter");
            assertThat(fixture.controller.state()).isEqualTo(ControllerState.FAILED);
            assertThat(health(fixture).details()).containsEntry("startFailure", "no limiter");
        }
    }

    @Test
    void startWhenInterruptedSaysSo() {
        try (ControllerFixture fixture = doingNothing(ControllerOptions.defaults())) {
            fixture.controller.watch(podSource());
            Thread.currentThread().interrupt();
            assertThatExceptionOfType(InterruptedException.class).isThrownBy(fixture.controller::start);
            assertThat(health(fixture).details()).containsEntry("startFailure", "interrupted");
        }
    }

    @Test
    void startAndWarmUpWhenAStartIsInProgressDoNotStartAgain() throws Exception {
        try (ControllerFixture fixture = doingNothing(WARM)) {
            fixture.controller.watch(podSource());
            FutureTask<Void> start = inBackground(fixture.controller::start);
            eventually("subscribed", () -> pods.listeners() == 1);
            assertThatIllegalStateException()
                    .isThrownBy(fixture.controller::start)
                    .withMessage("Controller 'test' has already been started, it is STARTING");
            ManagedComponent warmUp = fixture.controller.companions().get(0);
            await(inBackground(warmUp::start));
            warmUp.stop(Duration.ZERO);
            assertThat(fixture.controller.state()).isEqualTo(ControllerState.STARTING);
            pods.sync();
            await(start);
            assertThat(fixture.controller.state()).isEqualTo(ControllerState.RUNNING);
            assertThat(pods.listeners()).isEqualTo(1);
        }
    }

    @Test
    void warmUpWhenStoppedInItsMiddleIsInterrupted() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        try (ControllerFixture fixture = doingNothing(WARM)) {
            fixture.controller.watch(new StartSource("hanging", target -> never.await()));
            ManagedComponent warmUp = fixture.controller.companions().get(0);
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            FutureTask<Void> warming = inBackground(() -> {
                try {
                    warmUp.start();
                } catch (InterruptedException e) {
                    thrown.set(e);
                }
            });
            eventually("warming", () -> fixture.controller.state() == ControllerState.WARMING);
            warmUp.stop(Duration.ZERO);
            await(warming);
            assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
            assertThat(fixture.controller.state()).isEqualTo(ControllerState.FAILED);
        }
    }

    /** Stops the controller when it is asked for its name on the thread of the start. */
    private static final class StoppingSource implements RequestSource<Request> {

        private volatile Runnable stop = () -> {};

        @Override
        public String name() {
            stop.run();
            return "stopping";
        }

        @Override
        public Running start(RequestSink<Request> target) {
            return () -> {};
        }
    }

    @Test
    void stopOnTheThreadOfTheStartDoesNotWaitForItself() throws Exception {
        StoppingSource source = new StoppingSource();
        try (ControllerFixture fixture = doingNothing(ControllerOptions.defaults())) {
            fixture.controller.watch(source);
            await(inBackground(() -> {
                Thread starter = Thread.currentThread();
                source.stop = () -> {
                    if (Thread.currentThread() == starter) {
                        fixture.controller.stop(Duration.ZERO);
                    }
                };
                fixture.controller.start();
            }));
            assertThat(fixture.controller.state()).isEqualTo(ControllerState.RUNNING);
        }
    }

    @Test
    void readinessOnceAStartHadToWaitDoesNotDependOnIt() throws Exception {
        try (ControllerFixture fixture = doingNothing(ControllerOptions.defaults())) {
            fixture.controller.watch(podSource());
            FutureTask<Void> start = inBackground(fixture.controller::start);
            eventually("subscribed", () -> pods.listeners() == 1);
            assertThat(fixture.controller.notReadyReason()).isEmpty();
            assertThat(health(fixture).ready()).isFalse();
            pods.requireAction("pods.v1 is not served");
            eventually("waiting", () -> fixture.controller.state() == ControllerState.WAITING);
            assertThat(fixture.controller.notReadyReason()).isEqualTo("Pod.v1: pods.v1 is not served");
            assertThat(health(fixture).ready()).isTrue();
            pods.requireAction("");
            assertThat(fixture.controller.state()).isEqualTo(ControllerState.STARTING);
            assertThat(health(fixture).ready()).isTrue();
            pods.sync();
            await(start);
        }
    }

    @Test
    void requeueWhenItIsOnlyWarmIsRefused() throws Exception {
        try (ControllerFixture fixture = doingNothing(WARM)) {
            fixture.controller.companions().get(0).start();
            assertThat(fixture.controller.operations().requeue(A)).isFalse();
            assertThat(fixture.controller.operations().queue().orElseThrow().depth())
                    .isEmpty();
        }
    }

    @Test
    void operationsBeforeTheStartHaveNothing() {
        ControllerOperations<Request> operations = doingNothing(
                        ControllerOptions.defaults().withMaxConcurrentReconciles(3))
                .controller
                .operations();
        assertThat(operations.queue()).isEmpty();
        assertThat(operations.running()).isZero();
        assertThat(operations.failing(10)).isEmpty();
        assertThat(operations.failingCount()).isZero();
        assertThat(operations.busyRequests()).isEmpty();
        assertThat(operations.maxConcurrentReconciles()).isEqualTo(3);
        assertThat(operations.wantedWorkers()).isEqualTo(3);
        assertThat(operations.isPaused()).isFalse();
        operations.pause();
        assertThat(operations.isPaused()).isTrue();
        assertThat(operations.wantedWorkers()).isZero();
        operations.resume();
        assertThat(operations.isPaused()).isFalse();
        operations.setMaxConcurrentReconciles(1);
        assertThat(operations.wantedWorkers()).isEqualTo(1);
    }

    @Test
    void nameAndClusterAreThoseOfTheOptions() {
        Controller<Request> east = doingNothing(ControllerOptions.defaults().withCluster("east")).controller;
        assertThat(east.name()).isEqualTo("test@east");
        assertThat(east.cluster()).isEqualTo("east");
        assertThat(east.healthChecks().get(0).name()).isEqualTo("controller/test@east");
        assertThat(east.gate()).isEmpty();
        assertThat(east.companions()).isEmpty();
        assertThat(east.group()).isEqualTo(StartGroup.LEADER_ELECTED);
        RequestGate<Request> gate = mock();
        east.divide(gate);
        assertThat(east.gate()).containsSame(gate);
        assertThat(east.group()).isEqualTo(StartGroup.ALL_REPLICAS);
    }
}
