package io.github.reconciler4j.controller;

import static io.github.reconciler4j.controller.ControllerFixture.A;
import static io.github.reconciler4j.controller.ControllerFixture.B;
import static io.github.reconciler4j.controller.ControllerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.handler.RequestSink;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.RequeueException;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.reconcile.TerminalException;
import io.github.reconciler4j.reconcile.Trigger;
import io.github.reconciler4j.source.RequestSource;
import io.github.reconciler4j.workqueue.RateLimiters;
import io.github.reconciler4j.workqueue.WorkQueueSnapshot;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What the outcome of a run leads to. */
class ControllerOutcomeTests {

    private static int retries(ControllerFixture fixture) {
        Optional<WorkQueueSnapshot<Request>> queue =
                fixture.controller.operations().queue();
        return queue.orElseThrow().backoff();
    }

    @Test
    void requestWhenEnqueuedWhileReconciledIsReconciledAgainAndNeverConcurrently() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger atOnce = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        ControllerOptions options = ControllerOptions.defaults().withMaxConcurrentReconciles(4);
        try (ControllerFixture fixture = new ControllerFixture(options, (request, context) -> {
            most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
            running.countDown();
            go.await();
            atOnce.decrementAndGet();
            return Result.done();
        })) {
            fixture.started().channel.send(A);
            running.await();
            for (int i = 0; i < 10; i++) {
                fixture.channel.send(A);
            }
            go.countDown();
            fixture.awaitRuns(2);
            fixture.awaitIdle();
            assertThat(fixture.runs).hasSize(2);
            assertThat(fixture.runs.get(1).triggers())
                    .singleElement()
                    .satisfies(trigger -> assertThat(trigger.times()).isEqualTo(10));
            assertThat(most).hasValue(1);
        }
    }

    @Test
    void workersWhenSeveralReconcileDifferentRequestsConcurrently() throws Exception {
        CountDownLatch both = new CountDownLatch(2);
        ControllerOptions options = ControllerOptions.defaults().withMaxConcurrentReconciles(2);
        try (ControllerFixture fixture = new ControllerFixture(options, (request, context) -> {
            both.countDown();
            both.await();
            return Result.done();
        })) {
            fixture.started();
            fixture.channel.send(A);
            fixture.channel.send(B);
            eventually("both runs have met", () -> both.getCount() == 0);
        }
    }

    @Test
    void failureIsRetriedAndCountedUntilSuccess() throws Exception {
        AtomicInteger run = new AtomicInteger();
        try (ControllerFixture fixture = new ControllerFixture((request, context) -> {
            if (run.incrementAndGet() < 4) {
                throw new IllegalStateException("not yet");
            }
            return Result.done();
        })) {
            fixture.started().channel.send(A);
            fixture.awaitRuns(4);
            fixture.awaitIdle();
            assertThat(fixture.runs).extracting(ReconcileContext::attempt).containsExactly(1, 2, 3, 4);
            fixture.channel.send(A);
            fixture.awaitRuns(5);
            assertThat(fixture.runs.get(4).attempt()).isEqualTo(1);
            eventually("counted", () -> fixture.results("success") == 2);
            assertThat(fixture.results("error")).isEqualTo(3);
            assertThat(fixture.counter("reconcile_errors_total")).isEqualTo(3);
            assertThat(fixture.counter("terminal_reconcile_errors_total")).isZero();
            assertThat(fixture.counter("reconcile_panics_total")).isZero();
        }
    }

    @Test
    void failureWhenTerminalIsNotRetriedAndResetsTheAttempts() throws Exception {
        AtomicInteger run = new AtomicInteger();
        try (ControllerFixture fixture = new ControllerFixture((request, context) -> {
            switch (run.incrementAndGet()) {
                case 1 -> throw new IllegalStateException("once");
                case 2 -> throw new ExecutionException(new TerminalException("for good"));
                default -> {
                    return Result.done();
                }
            }
        })) {
            fixture.started().channel.send(A);
            eventually("terminal", () -> fixture.counter("terminal_reconcile_errors_total") == 1);
            fixture.awaitIdle();
            assertThat(fixture.runs).hasSize(2);
            assertThat(retries(fixture)).isZero();
            assertThat(fixture.counter("reconcile_errors_total")).isEqualTo(2);
            fixture.channel.send(A);
            fixture.awaitRuns(3);
            assertThat(fixture.runs.get(2).attempt()).isEqualTo(1);
        }
    }

    @Test
    void errorIsCountedAndRetried() throws Exception {
        try (ControllerFixture fixture = new ControllerFixture((request, context) -> {
            if (context.attempt() == 1) {
                throw new StackOverflowError();
            }
            return Result.done();
        })) {
            fixture.started().channel.send(A);
            fixture.awaitRuns(2);
            assertThat(fixture.counter("reconcile_panics_total")).isEqualTo(1);
        }
    }

    @Test
    void endlessRecursionIsRetriedAndLeavesTheProcessAlive() throws Exception {
        try (ControllerFixture fixture = new ControllerFixture((request, context) -> {
            if (context.attempt() == 1) {
                recurse(1);
            }
            return Result.done();
        })) {
            fixture.started().channel.send(A);
            eventually("second try", () -> fixture.results("success") == 1);
            assertThat(fixture.controller.healthChecks().get(0).check().alive()).isTrue();
            assertThat(fixture.controller
                            .healthChecks()
                            .get(0)
                            .check()
                            .details()
                            .get("jvmFailure"))
                    .asString()
                    .startsWith("StackOverflowError");
        }
    }

    private static int recurse(int depth) {
        return recurse(depth + 1) + 1;
    }

    @Test
    void errorWhenErrorsAreFatalIsRetriedAndReportedAsNotAlive() throws Exception {
        ControllerOptions options = ControllerOptions.defaults().withFatalErrors(true);
        try (ControllerFixture fixture = new ControllerFixture(options, (request, context) -> {
            if (context.attempt() == 1) {
                throw new AssertionError("broken");
            }
            return Result.done();
        })) {
            fixture.started().channel.send(A);
            fixture.awaitRuns(2);
            assertThat(fixture.counter("reconcile_panics_total")).isEqualTo(1);
            assertThat(fixture.controller.healthChecks().get(0).check().alive()).isFalse();
            assertThat(fixture.controller
                            .healthChecks()
                            .get(0)
                            .check()
                            .details()
                            .get("jvmFailure"))
                    .asString()
                    .startsWith("AssertionError at ");
        }
    }

    @Test
    void resultThatIsNullIsAnError() throws Exception {
        try (ControllerFixture fixture =
                new ControllerFixture((request, context) -> context.attempt() == 1 ? null : Result.done())) {
            fixture.started().channel.send(A);
            fixture.awaitRuns(2);
            assertThat(fixture.counter("reconcile_errors_total")).isEqualTo(1);
        }
    }

    @Test
    void requeueAfterForgetsFailuresAndComesBackWhenTheDelayIsOver() throws Exception {
        AtomicInteger run = new AtomicInteger();
        List<Long> times = new CopyOnWriteArrayList<>();
        try (ControllerFixture fixture = new ControllerFixture((request, context) -> {
            times.add(System.nanoTime());
            return switch (run.incrementAndGet()) {
                case 1 -> throw new IllegalStateException("once");
                case 2 -> Result.requeueAfter(Duration.ofMillis(300));
                default -> Result.done();
            };
        })) {
            fixture.started().channel.send(A);
            fixture.awaitRuns(3);
            assertThat(fixture.runs).extracting(ReconcileContext::attempt).containsExactly(1, 2, 1);
            assertThat(fixture.runs.get(1).triggers()).hasSize(1);
            assertThat(fixture.runs.get(2).triggers()).isEmpty();
            eventually("counted", () -> fixture.results("success") == 1);
            assertThat(fixture.results("requeue_after")).isEqualTo(1);
            assertThat(Duration.ofNanos(times.get(2) - times.get(1))).isGreaterThanOrEqualTo(Duration.ofMillis(300));
        }
    }

    @Test
    void requeueAfterWhenDelayIsLongWaitsWithoutBackoff() throws Exception {
        try (ControllerFixture fixture =
                new ControllerFixture((request, context) -> Result.requeueAfter(Duration.ofHours(1)))) {
            fixture.started().channel.send(A);
            eventually("counted", () -> fixture.results("requeue_after") == 1);
            fixture.awaitIdle();
            WorkQueueSnapshot<Request> queue =
                    fixture.controller.operations().queue().orElseThrow();
            assertThat(queue.delayed()).isEqualTo(1);
            assertThat(queue.backoff()).isZero();
            assertThat(fixture.runs).hasSize(1);
        }
    }

    @Test
    void requeueAfterWhenNegativeIsImmediate() throws Exception {
        try (ControllerFixture fixture = new ControllerFixture((request, context) ->
                context.triggers().isEmpty() ? Result.done() : Result.requeueAfter(Duration.ofSeconds(-5)))) {
            fixture.started().channel.send(A);
            fixture.awaitRuns(2);
        }
    }

    @Test
    void requeueWithBackoffCountsWithoutErrors() throws Exception {
        try (ControllerFixture fixture = new ControllerFixture(
                (request, context) -> context.attempt() < 3 ? Result.requeueWithBackoff() : Result.done())) {
            fixture.started().channel.send(A);
            fixture.awaitRuns(3);
            eventually("counted", () -> fixture.results("success") == 1);
            assertThat(fixture.results("requeue")).isEqualTo(2);
            assertThat(fixture.counter("reconcile_errors_total")).isZero();
            fixture.channel.send(A);
            fixture.awaitRuns(4);
            assertThat(fixture.runs.get(3).attempt()).isEqualTo(1);
        }
    }

    @Test
    void requeueExceptionFromDeepCodeIsNoFailure() throws Exception {
        try (ControllerFixture fixture = new ControllerFixture((request, context) -> {
            if (context.attempt() < 3) {
                throw new IllegalStateException(RequeueException.withBackoff("the replica is behind"));
            }
            return Result.done();
        })) {
            fixture.started().channel.send(A);
            fixture.awaitRuns(3);
            eventually("counted", () -> fixture.results("success") == 1);
            assertThat(fixture.results("requeue")).isEqualTo(2);
            assertThat(fixture.counter("reconcile_errors_total")).isZero();
        }
    }

    @Test
    void requeueExceptionWithADelayIsTheResultWithIt() {
        RequeueException thrown = new RequeueException("the primary is not ready", Duration.ofSeconds(10));

        assertThat(thrown.result()).isEqualTo(Result.requeueAfter(Duration.ofSeconds(10)));
        assertThat(thrown.getStackTrace()).isEmpty();
    }

    @Test
    void priorityOfTheResultIsThatOfTheNextReconciliation() throws Exception {
        try (ControllerFixture fixture = new ControllerFixture(
                (request, context) -> Result.requeueAfter(Duration.ofDays(1)).withPriority(42))) {
            fixture.started().channel.send(A);
            fixture.awaitRuns(1);
            fixture.controller.operations().pause();
            fixture.channel.send(A);
            eventually(
                    "queued",
                    () -> fixture.controller
                            .operations()
                            .queue()
                            .orElseThrow()
                            .depth()
                            .equals(Map.of(42, 1)));
        }
    }

    @Test
    void retryKeepsItsPriority() throws Exception {
        CountDownLatch failed = new CountDownLatch(1);
        try (ControllerFixture fixture = new ControllerFixture(
                ControllerOptions.defaults().withRateLimiter(() -> RateLimiters.constant(Duration.ofMillis(50))),
                (request, context) -> {
                    failed.countDown();
                    throw new IllegalStateException("always");
                })) {
            fixture.controller.watch(new PrioritySource(-100));
            fixture.started();
            failed.await();
            fixture.controller.operations().pause();
            eventually(
                    "enqueued again with its priority",
                    () -> fixture.controller
                                    .operations()
                                    .queue()
                                    .orElseThrow()
                                    .depth()
                                    .getOrDefault(-100, 0)
                            == 1);
        }
    }

    /** Queues one request with a priority at start. */
    private record PrioritySource(int priority) implements RequestSource<Request> {

        @Override
        public String name() {
            return "priority";
        }

        @Override
        public Running start(RequestSink<Request> target) {
            target.add(A, Duration.ZERO, priority, Trigger.external(name()));
            return () -> {};
        }
    }
}
