package io.github.reconciler4j.controller.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.mockingDetails;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.timeout;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import ch.qos.logback.classic.Level;
import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.controller.internal.Worker.ActiveRun;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.reconcile.Request;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A watchdog of one worker, whose reconciliation is as old as the test says. */
class WatchdogTests {

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Request X = new Request("a", "x");

    private final Worker<?> worker = mock();
    private final WorkerPool<String> pool = mock();
    private Watchdog watchdog;

    private void start(Duration timeout, Duration stuckAfter) {
        watchdog = new Watchdog(
                "test",
                pool,
                ControllerOptions.defaults().withReconcileTimeout(timeout).withStuckAfter(stuckAfter));
        watchdog.start();
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private ActiveRun runFor(Duration age) {
        ActiveRun run = new ActiveRun(X, X, "id", System.nanoTime() - age.toNanos());
        when(worker.current()).thenReturn(Optional.of(run));
        when(pool.alive()).thenReturn((List) List.of(worker));
        return run;
    }

    private void awaitLooks(int count) {
        verify(pool, timeout(LONG.toMillis()).atLeast(count)).alive();
    }

    @AfterEach
    void stop() throws InterruptedException {
        watchdog.stop();
        assertThat(watchdog.isAlive()).isFalse();
    }

    @Test
    void runsThatExceedTheTimeoutAreInterrupted() {
        ActiveRun run = runFor(Duration.ofMinutes(2));
        start(Duration.ofMinutes(1), Duration.ofHours(1));
        verify(worker, timeout(LONG.toMillis())).timeOut(run);
        assertThat(run.isStuck()).isFalse();
        assertThat(watchdog.isAlive()).isTrue();
    }

    @Test
    void runsWithinTheTimeoutAreLeftAlone() {
        ActiveRun run = runFor(Duration.ofMinutes(59));
        start(Duration.ofHours(1), Duration.ofHours(1));
        awaitLooks(1);
        verify(worker, never()).timeOut(any());
        assertThat(run.isStuck()).isFalse();
        assertThat(watchdog.stuck()).isEmpty();
    }

    @Test
    void runsWithoutTimeoutAreNeverInterrupted() {
        ActiveRun run = runFor(Duration.ofDays(1));
        start(Duration.ZERO, Duration.ofHours(1));
        await("stuck").atMost(LONG).until(run::isStuck);
        verify(worker, never()).timeOut(any());
    }

    @Test
    void runsThatDoNotReturnAreReportedOnceWithTheirStack() {
        ActiveRun run = runFor(Duration.ofMinutes(3));
        when(worker.thread()).thenReturn(Thread.currentThread());
        try (CapturedLog log = CapturedLog.of(Watchdog.class.getName())) {
            start(Duration.ofMinutes(1), Duration.ofMinutes(1));
            await("report").atMost(LONG).until(() -> !log.lines(Level.WARN).isEmpty());
            assertThat(log.lines(Level.WARN))
                    .singleElement()
                    .asString()
                    .contains("The reconciliation of test a/x (reconcileID id) has been running for 180 s")
                    .containsPattern("\tat .*WatchdogTests");
            assertThat(watchdog.stuck()).containsExactly(X);
            verify(worker, times(1)).timeOut(run);
        }
    }

    @Test
    void runsAreLookedAtWhenTheyAreDue() {
        ActiveRun run = runFor(Duration.ofHours(1).minusMillis(50));
        start(Duration.ofHours(1), Duration.ofHours(1));
        verify(worker, timeout(LONG.toMillis())).timeOut(run);
    }

    @Test
    void runsAreLookedAtWhenTheyBecomeStuck() {
        ActiveRun run = runFor(Duration.ofHours(2).minusMillis(50));
        start(Duration.ofHours(1), Duration.ofHours(1));
        await("stuck").atMost(LONG).until(run::isStuck);
    }

    @Test
    void runsThatEndMeanwhileAreNotReported() throws InterruptedException {
        ActiveRun run = runFor(Duration.ofMinutes(3));
        when(worker.thread()).thenAnswer(call -> {
            runFor(Duration.ZERO);
            return Thread.currentThread();
        });
        try (CapturedLog log = CapturedLog.of(Watchdog.class.getName())) {
            start(Duration.ofMinutes(1), Duration.ofMinutes(1));
            await("stuck").atMost(LONG).until(run::isStuck);
            watchdog.stop();
            assertThat(log.lines(Level.WARN)).isEmpty();
        }
    }

    @Test
    void failuresAndInterruptsDoNotEndIt() {
        when(pool.alive()).thenThrow(new IllegalStateException("broken"));
        try (CapturedLog log = CapturedLog.of(Watchdog.class.getName())) {
            start(Duration.ofMinutes(1), Duration.ofMinutes(1));
            await("error").atMost(LONG).until(() -> log.lines(Level.WARN).size() == 1);
            assertThat(log.lines(Level.ERROR)).singleElement().asString().contains("failed, and continues");
            Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().equals("controller-test-watchdog"))
                    .forEach(Thread::interrupt);
            await("warning").atMost(LONG).until(() -> log.lines(Level.WARN).size() == 2);
            assertThat(log.lines(Level.WARN).get(1)).contains("interrupted from outside");
            assertThat(watchdog.isAlive()).isTrue();
        }
    }

    @Test
    void runsAreLookedAtWhenTheyBecomeStuckAfterTheirTimeout() {
        ActiveRun run = runFor(Duration.ofHours(2).minusMillis(300));
        start(Duration.ofHours(1), Duration.ofHours(1));
        await("stuck").atMost(LONG).until(run::isStuck);
        assertThat(mockingDetails(pool).getInvocations().size())
                .as("looks: at the start, when it was due, and at most a few on a busy machine")
                .isLessThan(10);
    }
}
