package io.github.reconciler4j.controller;

import static io.github.reconciler4j.controller.ControllerFixture.A;
import static io.github.reconciler4j.controller.ControllerFixture.B;
import static io.github.reconciler4j.controller.ControllerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import ch.qos.logback.classic.Level;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.fixtures.TestHeader;
import io.github.reconciler4j.fixtures.TestSnapshot;
import io.github.reconciler4j.manager.StartGroup;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.source.RequestSource;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What changes while a controller runs: watches, pauses, workers; and where it runs. */
class ControllerRunningTests extends ControllerLifecycleFixture {

    @Test
    void watchWhenRunningStartsImmediatelyAndUnwatchUnsubscribes() throws Exception {
        try (ControllerFixture fixture =
                doingNothing(ControllerOptions.defaults()).started()) {
            RequestSource<Request> source = podSource();
            fixture.controller.watch(source);
            assertThatIllegalArgumentException().isThrownBy(() -> fixture.controller.watch(source));
            assertThat(fixture.controller.sources()).hasSize(2);
            pods.deliver(TestSnapshot.created(TestHeader.of("default", "a")));
            fixture.awaitRuns(1);
            assertThat(fixture.controller.unwatch(source)).isTrue();
            assertThat(fixture.controller.unwatch(source)).isFalse();
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
    void pauseWhenItAndItsEndRepeatAllTheTimeIsLoggedOnceAMinuteEach() {
        try (CapturedLog log = CapturedLog.of(Controller.class.getName());
                ControllerFixture fixture = doingNothing(ControllerOptions.defaults())) {
            for (int i = 0; i < 200; i++) {
                fixture.controller.operations().pause();
                fixture.controller.operations().pause();
                fixture.controller.operations().resume();
                fixture.controller.operations().resume();
            }
            assertThat(log.lines(Level.INFO))
                    .containsExactly("INFO Controller test has been paused", "INFO Controller test has been resumed");
        }
    }

    @Test
    void pauseHoldsRequestsUntilResume() throws Exception {
        try (ControllerFixture fixture = doingNothing(ControllerOptions.defaults())) {
            fixture.controller.operations().pause();
            fixture.started().channel.send(A);
            fixture.channel.send(A);
            fixture.channel.send(B);
            assertThat(fixture.controller.operations().queue().orElseThrow().depth())
                    .containsEntry(0, 2);
            assertThat(fixture.controller.healthChecks().get(0).check().details())
                    .containsEntry("paused", true);
            assertThat(fixture.runs).isEmpty();
            fixture.controller.operations().resume();
            fixture.awaitRuns(2);
            fixture.controller.operations().pause();
            eventually(
                    "workers end",
                    () -> ControllerFixture.threads("test").stream().noneMatch(name -> name.contains("worker")));
            fixture.controller.operations().resume();
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
            fixture.controller.operations().setMaxConcurrentReconciles(3);
            eventually("three at once", () -> three.getCount() == 0);
            fixture.controller.operations().setMaxConcurrentReconciles(1);
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
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> fixture.controller.operations().setMaxConcurrentReconciles(0));
        }
    }

    @Test
    void placementDecidesGroupAndLease() {
        Controller<Request> leader = doingNothing(ControllerOptions.defaults()).controller;
        assertThat(leader.group()).isEqualTo(StartGroup.LEADER_ELECTED);
        assertThat(leader.lease()).isEmpty();
        Controller<Request> own =
                doingNothing(ControllerOptions.defaults().withPlacement(Placement.leaseHolder("mine"))).controller;
        assertThat(own.lease()).isEqualTo("mine");
        Controller<Request> everywhere =
                doingNothing(ControllerOptions.defaults().withPlacement(Placement.allReplicas())).controller;
        assertThat(everywhere.group()).isEqualTo(StartGroup.ALL_REPLICAS);
    }
}
