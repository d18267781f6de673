package io.github.reconciler4j.controller;

import static io.github.reconciler4j.controller.ControllerFixture.A;
import static io.github.reconciler4j.controller.ControllerFixture.B;
import static io.github.reconciler4j.controller.ControllerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.controller.ControllerThreadsTests.Fragile;
import io.github.reconciler4j.fixtures.BrokenLog;
import io.github.reconciler4j.fixtures.TestHeader;
import io.github.reconciler4j.fixtures.TestSnapshot;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.source.ChannelSource;
import io.github.reconciler4j.source.PollSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Each thread of a controller survives an error out of the statement that reports another one. */
class ControllerBrokenLogTests extends ControllerLifecycleFixture {

    private static void assertHealthy(Controller<?> controller) {
        var health = controller.healthChecks().get(0).check();
        assertThat(health.alive()).isTrue();
        assertThat(health.details()).doesNotContainKey("deadThreads");
    }

    @Test
    void workerWhenTheMethodsOfARequestFailContinues() throws Exception {
        List<String> seen = new CopyOnWriteArrayList<>();
        ChannelSource<Fragile, Fragile> channel = ChannelSource.ofRequests("channel");
        Controller<Fragile> controller = Controller.create(
                "fragile",
                (request, context) -> {
                    seen.add(request.name());
                    request.broken().set(request.name().equals("broken"));
                    return Result.done();
                },
                ControllerOptions.defaults(),
                OperatorMetrics.NONE);
        controller.watch(channel);
        controller.start();
        try {
            channel.send(new Fragile("broken", new AtomicBoolean()));
            channel.send(new Fragile("other", new AtomicBoolean()));
            eventually("other", () -> seen.contains("other"));
            assertHealthy(controller);
        } finally {
            controller.stop(Duration.ZERO);
        }
    }

    @Test
    void requestWhenItFailsIsRetriedWithBackoff() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        ControllerOptions options =
                ControllerOptions.defaults().withBackoff(Duration.ofMillis(400), Duration.ofMillis(400));
        List<Long> times = new CopyOnWriteArrayList<>();
        try (ControllerFixture fixture = new ControllerFixture(options, (request, context) -> {
                    times.add(System.nanoTime());
                    if (calls.incrementAndGet() == 1) {
                        throw new IllegalStateException("first attempt");
                    }
                    return Result.done();
                });
                BrokenLog log = BrokenLog.on("controller-test-worker")) {
            fixture.started().channel.send(A);
            fixture.awaitRuns(2);
            assertThat(Duration.ofNanos(times.get(1) - times.get(0))).isGreaterThanOrEqualTo(Duration.ofMillis(320));
            assertThat(log.lines()).isNotEmpty();
            fixture.channel.send(B);
            fixture.awaitRuns(3);
        }
    }

    @Test
    void watchdogWhenItReportsAStuckReconciliationContinues() throws Exception {
        CountDownLatch released = new CountDownLatch(1);
        ControllerOptions options = ControllerOptions.defaults()
                .withMaxConcurrentReconciles(2)
                .withReconcileTimeout(Duration.ofMillis(50))
                .withStuckAfter(Duration.ofMillis(50));
        try (ControllerFixture fixture = new ControllerFixture(options, (request, context) -> {
                    while (request.equals(A) && released.getCount() > 0) {
                        LockSupport.parkNanos(1_000_000); // ignores interrupts
                    }
                    if (request.equals(B) && context.attempt() == 1) {
                        Thread.sleep(60_000);
                    }
                    return Result.done();
                });
                BrokenLog log = BrokenLog.on("controller-test-watchdog")) {
            fixture.started().channel.send(A);
            eventually("reported", () -> !log.lines().isEmpty());
            fixture.channel.send(B);
            eventually("interrupted", () -> fixture.counter("reconcile_timeouts_total") >= 1);
            released.countDown();
            eventually("both succeeded", () -> fixture.controller.operations().failingCount() == 0);
            eventually(
                    "nothing is stuck any more",
                    () -> fixture.controller.healthChecks().get(0).check().alive());
            assertHealthy(fixture.controller);
        } finally {
            released.countDown();
        }
    }

    @Test
    void pollWhenItFailsIsRetried() throws Exception {
        AtomicInteger polls = new AtomicInteger();
        try (ControllerFixture fixture = doingNothing(ControllerOptions.defaults());
                BrokenLog log = BrokenLog.on("source-test/poll")) {
            fixture.controller.watch(PollSource.ofAll("poll", Duration.ofMillis(5), () -> {
                if (polls.incrementAndGet() == 1) {
                    throw new IllegalStateException("first poll");
                }
                return Map.of(A, 1);
            }));
            fixture.started();
            fixture.awaitRuns(1);
            assertThat(log.lines()).hasSize(1);
        }
    }

    @Test
    void changeWhenTheHandlerFailsIsDeliveredAgain() throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        try (ControllerFixture fixture = doingNothing(ControllerOptions.defaults());
                BrokenLog log = BrokenLog.on(Thread.currentThread().getName());
                BrokenLog redelivery = BrokenLog.on("source-test/Pod.v1-redelivery")) {
            fixture.controller.watch(podSource((event, sink) -> {
                int attempt = attempts.incrementAndGet();
                if (attempt == 1) {
                    throw new IllegalStateException("first attempt");
                }
                if (attempt == 2) {
                    throw new NoClassDefFoundError("second attempt");
                }
                sink.add(Request.of(event.snapshot().key()));
            }));
            pods.sync();
            fixture.controller.start();
            pods.deliver(TestSnapshot.created(TestHeader.of("default", "a")));
            fixture.awaitRuns(1);
            assertThat(attempts).hasValue(3);
            assertThat(log.lines()).isNotEmpty();
            assertThat(redelivery.lines()).isNotEmpty();
        }
    }
}
