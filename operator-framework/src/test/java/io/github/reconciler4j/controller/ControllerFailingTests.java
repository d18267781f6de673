package io.github.reconciler4j.controller;

import static io.github.reconciler4j.controller.ControllerFixture.A;
import static io.github.reconciler4j.controller.ControllerFixture.B;
import static io.github.reconciler4j.controller.ControllerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.reconcile.TerminalException;
import io.github.reconciler4j.reconcile.Trigger;
import io.github.reconciler4j.workqueue.RateLimiters;
import io.github.reconciler4j.workqueue.WorkQueueSnapshot;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Requests that fail, as operators see and requeue them. */
class ControllerFailingTests {

    private static final ControllerOptions SLOW_RETRIES = ControllerOptions.defaults()
            .withRateLimiter(() -> RateLimiters.exponential(Duration.ofHours(1), Duration.ofHours(2), 0));

    @Test
    void failingWhenAReconciliationFailsShowsTheErrorAndTheTimeOfTheRetry() throws Exception {
        try (ControllerFixture fixture = new ControllerFixture(SLOW_RETRIES, (request, context) -> {
            throw new IllegalStateException("no\nluck", new IllegalArgumentException("deep"));
        })) {
            assertThat(fixture.controller.operations().failing(10)).isEmpty();
            fixture.started().channel.send(A);
            eventually("A fails", () -> fixture.controller.operations().failingCount() == 1);
            fixture.awaitIdle();
            FailingRequest<?> failing =
                    fixture.controller.operations().failing(10).get(0);
            assertThat(failing.request()).isEqualTo(A);
            assertThat(failing.failures()).isEqualTo(1);
            assertThat(failing.error())
                    .isEqualTo("IllegalStateException: no luck; caused by IllegalArgumentException: deep");
            assertThat(failing.terminal()).isFalse();
            assertThat(failing.last()).isEqualTo(failing.since());
            assertThat(failing.next().orElseThrow()).isBetween(Duration.ofMinutes(50), Duration.ofHours(1));
            assertThat(fixture.controller.operations().failing(A)).hasValueSatisfying(found -> {
                assertThat(found.error()).isEqualTo(failing.error());
                assertThat(found.next().orElseThrow()).isBetween(Duration.ofMinutes(50), Duration.ofHours(1));
            });
            assertThat(fixture.controller.operations().find(A).orElseThrow().waitsFor())
                    .isEqualTo(WorkQueueSnapshot.Wait.BACKOFF);
            assertThat(fixture.controller.operations().failing(B)).isEmpty();
            assertThat(fixture.controller.operations().find(B)).isEmpty();
            assertThat(fixture.controller.operations().failing(0)).isEmpty();
        }
    }

    @Test
    void failingWhenTerminalHasNoRetry() throws Exception {
        try (ControllerFixture fixture = new ControllerFixture(SLOW_RETRIES, (request, context) -> {
            throw request.equals(A) ? new TerminalException("bad spec") : new IllegalStateException("bad luck");
        })) {
            fixture.started().channel.send(A);
            fixture.channel.send(B);
            eventually("both fail", () -> fixture.controller.operations().failingCount() == 2);
            fixture.awaitIdle();
            assertThat(fixture.controller.operations().failing(10))
                    .extracting(FailingRequest::request)
                    .as("the one that is retried comes first")
                    .containsExactly(B, A);
            assertThat(fixture.controller.operations().failing(10).get(1).terminal())
                    .isTrue();
            assertThat(fixture.controller.operations().failing(10).get(1).next())
                    .isEmpty();
        }
    }

    @Test
    void requeueWhenFailingReconcilesImmediatelyAndSuccessForgetsIt() throws Exception {
        AtomicBoolean works = new AtomicBoolean();
        try (ControllerFixture fixture = new ControllerFixture(SLOW_RETRIES, (request, context) -> {
            if (!works.get()) {
                throw new IllegalStateException("not yet");
            }
            return Result.done();
        })) {
            assertThat(fixture.controller.operations().requeue(A))
                    .as("before start")
                    .isFalse();
            fixture.started().channel.send(A);
            eventually("A fails", () -> fixture.controller.operations().failingCount() == 1);
            works.set(true);
            assertThat(fixture.controller.operations().requeue(A)).isTrue();
            eventually("A works", () -> fixture.controller.operations().failingCount() == 0);
            assertThat(fixture.runs).hasSize(2);
            assertThat(fixture.runs.get(1).attempt()).isEqualTo(2);
            assertThat(fixture.runs.get(1).triggers()).contains(Trigger.external("requeue"));
            assertThat(fixture.results("success")).isEqualTo(1);
        }
    }

    @Test
    void errorWhenVeryLongIsCut() throws Exception {
        try (ControllerFixture fixture = new ControllerFixture(SLOW_RETRIES, (request, context) -> {
            throw new IllegalStateException("x".repeat(5000));
        })) {
            fixture.started().channel.send(A);
            eventually("A fails", () -> fixture.controller.operations().failingCount() == 1);
            assertThat(fixture.controller.operations().failing(1).get(0).error())
                    .hasSizeLessThan(1100);
        }
    }
}
