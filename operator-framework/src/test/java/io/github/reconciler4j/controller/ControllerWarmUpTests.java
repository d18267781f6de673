package io.github.reconciler4j.controller;

import static io.github.reconciler4j.controller.ControllerFixture.A;
import static io.github.reconciler4j.controller.ControllerFixture.B;
import static io.github.reconciler4j.controller.ControllerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.reconciler4j.fixtures.TestHeader;
import io.github.reconciler4j.fixtures.TestInformer;
import io.github.reconciler4j.fixtures.TestSnapshot;
import io.github.reconciler4j.handler.EventHandlers;
import io.github.reconciler4j.handler.RequestSink;
import io.github.reconciler4j.leaderelection.WriteScope;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.StartGroup;
import io.github.reconciler4j.predicate.EventPredicates;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.source.KindSource;
import io.github.reconciler4j.source.RequestSource;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Sources that work ahead of the controller's turn. */
class ControllerWarmUpTests {

    private static final KindInfo POD = new KindInfo(KindName.of("v1", "Pod"), "pods", true);
    private static final ControllerOptions WARM =
            ControllerOptions.defaults().withPlacement(Placement.leader().withWarmUp(true));

    private final TestInformer<String> pods = new TestInformer<>(POD);

    private static ControllerFixture doingNothing(ControllerOptions options) {
        return new ControllerFixture(options, (request, context) -> Result.done());
    }

    private static ManagedComponent warmUp(ControllerFixture fixture) {
        return fixture.controller.companions().get(0);
    }

    @Test
    void warmUpExistsOnlyIfRequestedForTheLeader() {
        assertThat(doingNothing(ControllerOptions.defaults()).controller.companions())
                .isEmpty();
        Placement everywhere = Placement.allReplicas().withWarmUp(true);
        assertThat(doingNothing(ControllerOptions.defaults().withPlacement(everywhere))
                        .controller
                        .companions())
                .isEmpty();
        ManagedComponent warmUp = warmUp(doingNothing(WARM));
        assertThat(warmUp.name()).isEqualTo("test-warm-up");
        assertThat(warmUp.group()).isEqualTo(StartGroup.ALL_REPLICAS);
    }

    @Test
    void warmUpStartsSourcesButNoWorkerAndStartContinuesWithThem() throws Exception {
        try (ControllerFixture fixture = doingNothing(WARM)) {
            fixture.controller.watch(new KindSource<>(pods, EventHandlers.forObject(), EventPredicates.allOf()));
            warmUp(fixture).start();
            assertThat(fixture.controller.state()).isEqualTo(ControllerState.WARM);
            assertThat(fixture.controller.healthChecks().get(0).check().ready()).isTrue();
            assertThat(pods.listeners()).isEqualTo(1);
            pods.deliver(TestSnapshot.initial(TestHeader.of("default", "a")));
            pods.sync();
            fixture.channel.send(B);
            assertThat(fixture.controller.operations().queue().orElseThrow().depth())
                    .isEqualTo(Map.of(0, 1, -100, 1));
            eventually("no thread", () -> ControllerFixture.threads("test").isEmpty());
            assertThat(fixture.runs).isEmpty();
            fixture.controller.start();
            fixture.awaitRuns(2);
            assertThat(pods.listeners()).isEqualTo(1);
            assertThat(fixture.runs.get(0).request()).isEqualTo(B);
            assertThat(fixture.runs.get(1).request()).isEqualTo(A);
            warmUp(fixture).stop(Duration.ZERO);
            assertThat(fixture.controller.state()).isEqualTo(ControllerState.RUNNING);
        }
    }

    @Test
    void sourceStartsOnceWhenStartComesDuringTheWarmUp() throws Exception {
        AtomicInteger starts = new AtomicInteger();
        CountDownLatch go = new CountDownLatch(1);
        try (ControllerFixture fixture = doingNothing(WARM)) {
            fixture.controller.watch(new SlowSource(starts, go));
            FutureTask<Void> warming = run(() -> warmUp(fixture).start());
            eventually("warming", () -> starts.get() == 1);
            FutureTask<Void> starting = new FutureTask<>(() -> {
                fixture.controller.start();
                return null;
            });
            Thread starter = new Thread(starting);
            starter.start();
            eventually("start waits", () -> waitsInStart(starter));
            assertThat(fixture.controller.state()).isEqualTo(ControllerState.WARMING);
            go.countDown();
            warming.get(30, TimeUnit.SECONDS);
            starting.get(30, TimeUnit.SECONDS);
            assertThat(starts).hasValue(1);
            assertThat(fixture.controller.state()).isEqualTo(ControllerState.RUNNING);
            warmUp(fixture).start();
            assertThat(starts).hasValue(1);
        }
    }

    @Test
    void warmUpWhenItFailsReportsTheCauseAndStopsItsSources() throws Exception {
        try (ControllerFixture fixture = doingNothing(WARM)) {
            fixture.controller.watch(new KindSource<>(pods, EventHandlers.forObject(), EventPredicates.allOf()));
            fixture.controller.watch(new FailingSource());
            assertThatIllegalStateException()
                    .isThrownBy(warmUp(fixture)::start)
                    .withMessageContaining("source failing failed: IllegalArgumentException: no such topic");
            assertThat(fixture.controller.state()).isEqualTo(ControllerState.FAILED);
            eventually("the other source ends after its start", () -> pods.listeners() == 0);
        }
    }

    @Test
    void warmUpWhenStoppedBeforeItsTurnEndsTheSources() throws Exception {
        try (ControllerFixture fixture = doingNothing(WARM)) {
            fixture.controller.watch(new KindSource<>(pods, EventHandlers.forObject(), EventPredicates.allOf()));
            ManagedComponent warmUp = warmUp(fixture);
            warmUp.start();
            warmUp.stop(Duration.ofSeconds(30));
            assertThat(pods.listeners()).isZero();
            assertThat(fixture.controller.state()).isEqualTo(ControllerState.STOPPED);
            pods.sync();
            fixture.started();
            assertThat(fixture.controller.state()).isEqualTo(ControllerState.RUNNING);
        }
    }

    @Test
    void workersWriteWithThePermissionOfTheStartNotOfTheWarmUp() throws Exception {
        AtomicReference<Optional<WriteScope>> seen = new AtomicReference<>();
        WriteScope lease = WriteScope.of(() -> {});
        try (ControllerFixture fixture = new ControllerFixture(WARM, (request, context) -> {
            seen.set(WriteScope.current());
            return Result.done();
        })) {
            WriteScope.everywhere().call(() -> {
                warmUp(fixture).start();
                return null;
            });
            lease.call(() -> {
                fixture.controller.start();
                return null;
            });
            fixture.channel.send(A);
            eventually("ran", () -> seen.get() != null);
            assertThat(seen.get()).containsSame(lease);
        }
    }

    private static boolean waitsInStart(Thread thread) {
        return thread.getState() == Thread.State.WAITING
                && Arrays.stream(thread.getStackTrace())
                        .anyMatch(frame -> frame.getClassName().equals(Controller.class.getName())
                                && frame.getMethodName().equals("start"));
    }

    private interface Action {
        void run() throws Exception;
    }

    private static FutureTask<Void> run(Action action) {
        FutureTask<Void> task = new FutureTask<>(() -> {
            action.run();
            return null;
        });
        new Thread(task).start();
        return task;
    }

    private record SlowSource(AtomicInteger starts, CountDownLatch go) implements RequestSource<Request> {

        @Override
        public String name() {
            return "slow";
        }

        @Override
        public Running start(RequestSink<Request> target) throws InterruptedException {
            starts.incrementAndGet();
            go.await();
            return () -> {};
        }
    }

    private record FailingSource() implements RequestSource<Request> {

        @Override
        public String name() {
            return "failing";
        }

        @Override
        public Running start(RequestSink<Request> target) {
            throw new IllegalArgumentException("no such topic");
        }
    }
}
