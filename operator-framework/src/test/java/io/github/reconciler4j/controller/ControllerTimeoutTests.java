package io.github.reconciler4j.controller;

import static io.github.reconciler4j.controller.ControllerFixture.A;
import static io.github.reconciler4j.controller.ControllerFixture.B;
import static io.github.reconciler4j.controller.ControllerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.reconcile.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Runs that take too long, and interrupts. */
class ControllerTimeoutTests {

    private static final Duration SHORT = Duration.ofMillis(100);

    private static ControllerOptions timeout(Duration timeout) {
        return ControllerOptions.defaults().withReconcileTimeout(timeout);
    }

    @Test
    void reconciliationWhenItExceedsItsTimeoutIsInterruptedCountedAndRetried() throws Exception {
        Instant start = Instant.now();
        try (ControllerFixture fixture = new ControllerFixture(timeout(SHORT), (request, context) -> {
            if (context.attempt() == 1) {
                new CountDownLatch(1).await();
            }
            return Result.done();
        })) {
            fixture.started().channel.send(A);
            eventually("second try", () -> fixture.results("success") == 1);
            assertThat(fixture.counter("reconcile_timeouts_total")).isEqualTo(1);
            assertThat(fixture.counter("reconcile_errors_total")).isEqualTo(1);
            assertThat(fixture.runs.get(0).deadline())
                    .hasValueSatisfying(deadline -> assertThat(deadline).isBetween(start.plus(SHORT), Instant.now()));
        }
    }

    @Test
    void workersWhenVirtualAreInterruptedAndStoppedAlike() throws Exception {
        List<Class<?>> threads = new CopyOnWriteArrayList<>();
        ControllerOptions options = timeout(SHORT).withVirtualThreads(true);
        try (ControllerFixture fixture = new ControllerFixture(options, (request, context) -> {
            threads.add(Thread.currentThread().getClass());
            if (context.attempt() == 1) {
                new CountDownLatch(1).await();
            }
            return Result.done();
        })) {
            fixture.started().channel.send(A);
            eventually("second try", () -> fixture.results("success") == 1);
            assertThat(fixture.counter("reconcile_timeouts_total")).isEqualTo(1);
            fixture.controller.stop(Duration.ofSeconds(30));
            assertThat(fixture.controller.state()).isEqualTo(ControllerState.STOPPED);
            boolean virtual = Runtime.version().feature() >= 21;
            assertThat(threads).allMatch(type -> type.equals(Thread.class) != virtual);
        }
    }

    @Test
    void reconciliationWhenItEndsInTimeIsNotCounted() throws Exception {
        try (ControllerFixture fixture =
                new ControllerFixture(timeout(Duration.ofMinutes(5)), (request, context) -> Result.done())) {
            fixture.started().channel.send(A);
            eventually("done", () -> fixture.results("success") == 1);
            assertThat(fixture.counter("reconcile_timeouts_total")).isZero();
        }
    }

    @Test
    void deadlineWithoutTimeoutIsEmpty() throws Exception {
        try (ControllerFixture fixture = new ControllerFixture((request, context) -> Result.done())) {
            fixture.started().channel.send(A);
            fixture.awaitRuns(1);
            assertThat(fixture.runs.get(0).deadline()).isEmpty();
        }
    }

    @Test
    void interruptOfOneRunNeverReachesTheNext() throws Exception {
        List<Boolean> interrupted = new CopyOnWriteArrayList<>();
        try (ControllerFixture fixture = new ControllerFixture(timeout(SHORT), (request, context) -> {
            interrupted.add(Thread.currentThread().isInterrupted());
            if (request.equals(A)) {
                while (!Thread.currentThread().isInterrupted()) {
                    LockSupport.parkNanos(1_000_000);
                }
            }
            return Result.done();
        })) {
            fixture.started().channel.send(A);
            fixture.channel.send(B);
            fixture.awaitRuns(2);
            eventually("both done", () -> fixture.results("success") == 2);
            assertThat(interrupted).containsExactly(false, false);
            assertThat(fixture.counter("reconcile_timeouts_total")).isEqualTo(1);
            assertThat(fixture.counter("reconcile_errors_total")).isZero();
        }
    }

    @Test
    void interruptLeftByUserCodeCostsNeitherTheWorkerNorMoreThanALine() throws Exception {
        try (CapturedLog log = CapturedLog.of("io.github.reconciler4j.controller");
                ControllerFixture fixture = new ControllerFixture((request, context) -> {
                    Thread.currentThread().interrupt();
                    return Result.done();
                })) {
            fixture.started();
            for (int i = 1; i <= 20; i++) {
                int count = i;
                fixture.channel.send(i % 2 == 0 ? A : B);
                eventually("run " + i, () -> fixture.results("success") == count);
            }
            fixture.awaitIdle();
            assertThat(log.lines(Level.WARN)).singleElement().asString().contains("interrupt flag");
        }
    }

    @Test
    void runWhenItDoesNotReturnIsReportedOnceAndReleasedWhenItDoes() throws Exception {
        AtomicBoolean let = new AtomicBoolean();
        ControllerOptions options = timeout(SHORT).withStuckAfter(SHORT).withMaxConcurrentReconciles(2);
        try (CapturedLog log = CapturedLog.of("io.github.reconciler4j.controller");
                ControllerFixture fixture = new ControllerFixture(options, (request, context) -> {
                    while (request.equals(A) && !let.get()) {
                        LockSupport.parkNanos(1_000_000); // ignores interrupts
                    }
                    return Result.done();
                })) {
            fixture.started().channel.send(A);
            String gauge = "reconciler4j_controller_stuck_reconciles{controller=test}";
            eventually("reported", () -> fixture.metrics.gauge(gauge) == 1);
            Map<String, Object> details =
                    fixture.controller.healthChecks().get(0).check().details();
            assertThat(details).containsEntry("stuck", List.of("default/a")).containsEntry("stuckCount", 1);
            assertThat(fixture.controller.healthChecks().get(0).check().alive()).isFalse();
            fixture.channel.send(B);
            fixture.channel.send(A);
            eventually("others continue", () -> fixture.results("success") == 1);
            eventually(
                    "logged", () -> log.lines(Level.WARN).stream().anyMatch(line -> line.contains("does not return")));
            let.set(true);
            eventually("released, and run again", () -> fixture.results("success") == 3);
            assertThat(fixture.metrics.gauge(gauge)).isZero();
            assertThat(fixture.controller.healthChecks().get(0).check().details())
                    .doesNotContainKey("stuck");
            assertThat(fixture.controller.healthChecks().get(0).check().alive()).isTrue();
            assertThat(log.lines(Level.WARN))
                    .filteredOn(line -> line.contains("does not return"))
                    .singleElement()
                    .asString()
                    .contains("The reconciliation of test default/a")
                    .contains(ControllerTimeoutTests.class.getName());
        }
    }

    @Test
    void stopWhenARunIgnoresItsInterruptReportsItAndReturns() throws Exception {
        AtomicBoolean let = new AtomicBoolean();
        CountDownLatch running = new CountDownLatch(1);
        ControllerOptions impatient = ControllerOptions.defaults().withInterruptTimeout(SHORT);
        try (CapturedLog log = CapturedLog.of("io.github.reconciler4j.controller");
                ControllerFixture fixture = new ControllerFixture(impatient, (request, context) -> {
                    running.countDown();
                    while (!let.get()) {
                        LockSupport.parkNanos(1_000_000);
                    }
                    return Result.done();
                })) {
            fixture.started().channel.send(A);
            running.await();
            fixture.controller.stop(Duration.ZERO);
            assertThat(log.lines(Level.ERROR))
                    .containsExactly("ERROR The reconciliation of test default/a ignores its interrupt; its thread"
                            + " 'controller-test-worker-1' is abandoned");
            let.set(true);
            eventually(
                    "it ends after all", () -> ControllerFixture.threads("test").isEmpty());
        }
    }

    @Test
    void requestOfAnAbandonedReconciliationIsNotReconciledBeforeItHasReturned() throws Exception {
        AtomicBoolean let = new AtomicBoolean();
        AtomicInteger atOnce = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        ControllerOptions impatient = ControllerOptions.defaults().withInterruptTimeout(SHORT);
        try (ControllerFixture fixture = new ControllerFixture(impatient, (request, context) -> {
            most.accumulateAndGet(request.equals(A) ? atOnce.incrementAndGet() : 0, Math::max);
            while (request.equals(A) && !let.get()) {
                LockSupport.parkNanos(1_000_000); // ignores interrupts
            }
            atOnce.addAndGet(request.equals(A) ? -1 : 0);
            return Result.done();
        })) {
            fixture.started().channel.send(A);
            fixture.awaitRuns(1);
            fixture.controller.stop(Duration.ZERO);
            assertThat(fixture.controller.healthChecks().get(0).check().details())
                    .containsEntry("abandonedRuns", List.of("default/a"))
                    .containsEntry("abandonedRunsCount", 1);
            fixture.controller.start();
            fixture.channel.send(A);
            fixture.channel.send(B);
            eventually("others run", () -> fixture.results("success") == 1);
            assertThat(fixture.runs).hasSize(2);
            let.set(true);
            fixture.awaitRuns(3);
            assertThat(fixture.runs.get(2).request()).isEqualTo(A);
            assertThat(most).hasValue(1);
            assertThat(fixture.controller.healthChecks().get(0).check().details())
                    .doesNotContainKey("abandonedRuns");
        }
    }

    @Test
    void watchdogEndsWithTheController() throws Exception {
        try (ControllerFixture fixture = new ControllerFixture((request, context) -> Result.done())) {
            fixture.started();
            assertThat(ControllerFixture.threads("test")).contains("controller-test-watchdog");
            fixture.controller.stop(Duration.ofSeconds(30));
            assertThat(ControllerFixture.threads("test")).isEmpty();
        }
    }
}
