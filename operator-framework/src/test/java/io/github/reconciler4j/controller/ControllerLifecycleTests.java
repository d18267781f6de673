package io.github.reconciler4j.controller;

import static io.github.reconciler4j.controller.ControllerFixture.A;
import static io.github.reconciler4j.controller.ControllerFixture.B;
import static io.github.reconciler4j.controller.ControllerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.reconciler4j.cache.CacheSyncTimeoutException;
import io.github.reconciler4j.fixtures.TestHeader;
import io.github.reconciler4j.fixtures.TestInformer;
import io.github.reconciler4j.fixtures.TestSnapshot;
import io.github.reconciler4j.handler.EventHandlers;
import io.github.reconciler4j.manager.StartGroup;
import io.github.reconciler4j.predicate.EventPredicates;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.source.EventSource;
import io.github.reconciler4j.source.KindSource;
import io.github.reconciler4j.source.RequestTarget;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Start, stop, pause and what changes at runtime. */
class ControllerLifecycleTests {

    private static final KindInfo POD = new KindInfo(GroupVersionKind.of("v1", "Pod"), "pods", true);

    private final TestInformer<String> pods = new TestInformer<>(POD);

    private EventSource<Request> podSource() {
        return new KindSource<>(pods, EventHandlers.forObject(), EventPredicates.allOf());
    }

    private static ControllerFixture doingNothing(ControllerOptions options) {
        return new ControllerFixture(options, (request, context) -> Result.done());
    }

    private static ControllerOptions syncTimeout(Duration timeout) {
        return ControllerOptions.defaults().withCacheSyncTimeout(timeout);
    }

    @Test
    void workersStartOnlyWhenEverySourceHasToldItsInitialList() throws Exception {
        try (ControllerFixture fixture = doingNothing(ControllerOptions.defaults())) {
            fixture.controller.watch(podSource());
            fixture.channel.send(B);
            FutureTask<Void> start = new FutureTask<>(() -> {
                fixture.controller.start();
                return null;
            });
            new Thread(start).start();
            eventually("subscribed", () -> pods.listeners() == 1);
            pods.tell(TestSnapshot.initial(TestHeader.of("default", "a")));
            assertThat(start.isDone()).isFalse();
            assertThat(fixture.controller.state()).isEqualTo(ControllerState.STARTING);
            assertThat(fixture.controller.healthCheck().check().ready()).isFalse();
            eventually(
                    "the other source is ready",
                    () -> fixture.controller
                            .healthCheck()
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
    void startWhenASourceDoesNotSyncNamesItAndLeavesNothingRunning() throws Exception {
        try (ControllerFixture fixture = doingNothing(syncTimeout(Duration.ofMillis(200)))) {
            fixture.controller.watch(podSource());
            assertThatExceptionOfType(CacheSyncTimeoutException.class)
                    .isThrownBy(fixture.controller::start)
                    .withMessage("Controller 'test' cannot start, after PT0.2S it still waits for: Pod.v1 (pods has not"
                            + " synced: nobody said so)");
            assertThat(fixture.controller.state()).isEqualTo(ControllerState.FAILED);
            assertThat(fixture.controller.healthCheck().check().details().get("startFailure"))
                    .asString()
                    .contains("Pod.v1");
            assertThat(pods.listeners()).isZero();
            eventually("no threads", () -> ControllerFixture.threads("test").isEmpty());
            pods.sync();
            fixture.started();
            assertThat(fixture.controller.state()).isEqualTo(ControllerState.RUNNING);
            assertThat(fixture.controller.healthCheck().check().details()).doesNotContainKey("startFailure");
        }
    }

    @Test
    void startWhenAKindNeedsAPersonShowsItAtOnceAndGoesOnWhenItIsMended() throws Exception {
        try (ControllerFixture fixture = doingNothing(ControllerOptions.defaults())) {
            fixture.controller.watch(podSource());
            FutureTask<Void> start = new FutureTask<>(() -> {
                fixture.controller.start();
                return null;
            });
            new Thread(start).start();
            eventually("subscribed", () -> pods.listeners() == 1);
            assertThat(fixture.controller.state()).isEqualTo(ControllerState.STARTING);
            pods.needPerson("pods.v1 is not served");
            eventually("waiting", () -> fixture.controller.state() == ControllerState.WAITING);
            assertThat(fixture.controller.healthCheck().check().details())
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
    void startWhenASourceFailsFailsAtOnceWithTheCause() throws Exception {
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
            assertThat(pods.listeners()).isZero();
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
    void stopWhenStartingEndsTheStart() throws Exception {
        try (ControllerFixture fixture = doingNothing(ControllerOptions.defaults())) {
            fixture.controller.watch(podSource());
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            Thread starter = new Thread(() -> {
                try {
                    fixture.controller.start();
                } catch (Throwable e) {
                    thrown.set(e);
                }
            });
            starter.start();
            eventually("subscribed", () -> pods.listeners() == 1);
            fixture.controller.stop(Duration.ofSeconds(30));
            starter.join(30_000);
            assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
            assertThat(pods.listeners()).isZero();
        }
    }

    @Test
    void startWhenStartedAlreadyFails() throws Exception {
        try (ControllerFixture fixture =
                doingNothing(ControllerOptions.defaults()).started()) {
            assertThatIllegalStateException()
                    .isThrownBy(fixture.controller::start)
                    .withMessage("Controller 'test' has been started already, it is RUNNING");
        }
    }

    @Test
    void stopLetsRunsFinishTakesNoNewOnesAndLeavesNoThread() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        try (ControllerFixture fixture = new ControllerFixture((request, context) -> {
            running.countDown();
            finish.await();
            return Result.done();
        })) {
            fixture.controller.watch(podSource());
            pods.sync();
            fixture.started().channel.send(A);
            running.await();
            fixture.channel.send(B);
            Thread stopper = new Thread(() -> fixture.controller.stop(Duration.ofSeconds(30)));
            stopper.start();
            eventually("unsubscribed", () -> pods.listeners() == 0);
            assertThat(fixture.controller.state()).isEqualTo(ControllerState.STOPPING);
            finish.countDown();
            stopper.join(30_000);
            assertThat(fixture.controller.state()).isEqualTo(ControllerState.STOPPED);
            assertThat(fixture.runs).hasSize(1);
            assertThat(fixture.results("success")).isEqualTo(1);
            assertThat(ControllerFixture.threads("test")).isEmpty();
            assertThat(fixture.metrics.gaugeNames()).isEmpty();
        }
    }

    @Test
    void stopWhenGraceIsOverInterruptsRuns() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        AtomicReference<Throwable> seen = new AtomicReference<>();
        try (ControllerFixture fixture = new ControllerFixture((request, context) -> {
            running.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                seen.set(e);
                throw e;
            }
            return Result.done();
        })) {
            fixture.started().channel.send(A);
            running.await();
            fixture.controller.stop(Duration.ofMillis(50));
            assertThat(seen.get()).isInstanceOf(InterruptedException.class);
            assertThat(ControllerFixture.threads("test")).isEmpty();
            assertThat(fixture.counter("reconcile_errors_total")).isZero();
        }
    }

    @Test
    void startWhenStoppedBeforeTellsEverythingAnew() throws Exception {
        try (ControllerFixture fixture = doingNothing(ControllerOptions.defaults())) {
            fixture.controller.watch(podSource());
            pods.sync();
            fixture.started();
            fixture.controller.stop(Duration.ofSeconds(30));
            fixture.started();
            pods.tell(TestSnapshot.initial(TestHeader.of("default", "a")));
            fixture.awaitRuns(1);
            assertThat(fixture.metrics.gauge("controller_runtime_max_concurrent_reconciles{controller=test}"))
                    .isEqualTo(1);
        }
    }

    @Test
    void watchWhenRunningStartsAtOnceAndCloseUnsubscribes() throws Exception {
        try (ControllerFixture fixture =
                doingNothing(ControllerOptions.defaults()).started()) {
            Watch<Request> watch = fixture.controller.watch(podSource());
            assertThat(fixture.controller.sources()).hasSize(2);
            pods.tell(TestSnapshot.created(TestHeader.of("default", "a")));
            fixture.awaitRuns(1);
            watch.close();
            watch.close();
            assertThat(pods.listeners()).isZero();
            assertThat(fixture.controller.sources()).containsExactly(fixture.channel);
        }
    }

    @Test
    void watchWhenItsSourceCannotStartIsNotAdded() throws Exception {
        try (ControllerFixture fixture =
                doingNothing(ControllerOptions.defaults()).started()) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> fixture.controller.watch(new StartSource("failing", target -> {
                        throw new java.io.IOException("no way");
                    })))
                    .withMessage("Controller 'test' could not start source failing: no way");
            assertThat(fixture.controller.sources()).containsExactly(fixture.channel);
        }
    }

    @Test
    void pauseHoldsRequestsUntilResume() throws Exception {
        try (ControllerFixture fixture = doingNothing(ControllerOptions.defaults())) {
            fixture.controller.pause();
            fixture.started().channel.send(A);
            fixture.channel.send(A);
            fixture.channel.send(B);
            assertThat(fixture.controller.queue().orElseThrow().depth()).containsEntry(0, 2);
            assertThat(fixture.controller.healthCheck().check().details()).containsEntry("paused", true);
            assertThat(fixture.runs).isEmpty();
            fixture.controller.resume();
            fixture.awaitRuns(2);
            fixture.controller.pause();
            eventually(
                    "workers end",
                    () -> ControllerFixture.threads("test").stream().noneMatch(name -> name.contains("worker")));
            fixture.controller.resume();
            fixture.channel.send(A);
            fixture.awaitRuns(3);
        }
    }

    @Test
    void workersCanBeMoreAndLessWhileRunning() throws Exception {
        CountDownLatch three = new CountDownLatch(3);
        try (ControllerFixture fixture = new ControllerFixture((request, context) -> {
            three.countDown();
            three.await();
            return Result.done();
        })) {
            fixture.started();
            fixture.channel.send(A);
            fixture.channel.send(B);
            fixture.channel.send(new Request("default", "c"));
            fixture.controller.setMaxConcurrentReconciles(3);
            eventually("three at once", () -> three.getCount() == 0);
            fixture.controller.setMaxConcurrentReconciles(1);
            eventually(
                    "one is left",
                    () -> ControllerFixture.threads("test").stream()
                                    .filter(name -> name.contains("worker"))
                                    .count()
                            == 1);
            fixture.channel.send(A);
            fixture.awaitRuns(4);
            assertThat(fixture.metrics.gauge("controller_runtime_max_concurrent_reconciles{controller=test}"))
                    .isEqualTo(1);
            assertThatIllegalArgumentException().isThrownBy(() -> fixture.controller.setMaxConcurrentReconciles(0));
        }
    }

    @Test
    void placementDecidesGroupAndLease() {
        Controller<Request> leader = doingNothing(ControllerOptions.defaults()).controller;
        assertThat(leader.group()).isEqualTo(StartGroup.ELECTED);
        assertThat(leader.lease()).isEmpty();
        Controller<Request> own =
                doingNothing(ControllerOptions.defaults().withPlacement(Placement.holderOf("mine"))).controller;
        assertThat(own.lease()).isEqualTo("mine");
        Controller<Request> everywhere =
                doingNothing(ControllerOptions.defaults().withPlacement(Placement.everyReplica())).controller;
        assertThat(everywhere.group()).isEqualTo(StartGroup.EVERYWHERE);
    }

    /** Does something at start and nothing afterwards. */
    private record StartSource(String name, Start atStart) implements EventSource<Request> {

        interface Start {
            void run(RequestTarget<Request> target) throws Exception;
        }

        @Override
        public Running start(RequestTarget<Request> target) throws Exception {
            atStart.run(target);
            return () -> {};
        }
    }
}
