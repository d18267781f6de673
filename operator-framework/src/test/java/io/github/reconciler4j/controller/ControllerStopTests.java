package io.github.reconciler4j.controller;

import static io.github.reconciler4j.controller.ControllerFixture.A;
import static io.github.reconciler4j.controller.ControllerFixture.B;
import static io.github.reconciler4j.controller.ControllerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.handler.RequestSink;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.source.RequestSource;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What stopping ends, and what it lets finish. */
class ControllerStopTests extends ControllerLifecycleFixture {

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
            eventually("the source ends after its start", () -> pods.listeners() == 0);
        }
    }

    @Test
    void stopLetsReconciliationsFinishStartsNoNewOnesAndLeavesNoThread() throws Exception {
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
    void stopWhenGraceIsOverInterruptsReconciliations() throws Exception {
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

    /** Closes when the test lets it. */
    private record ClosingSource(Runnable close) implements RequestSource<Request> {

        @Override
        public String name() {
            return "closing";
        }

        @Override
        public Running start(RequestSink<Request> target) {
            return close::run;
        }
    }

    @Test
    void stopWhenStartingReturnsWhenTheStartHasEnded() throws Exception {
        try (ControllerFixture fixture = doingNothing(ControllerOptions.defaults())) {
            FutureTask<ControllerState> stop = new FutureTask<>(() -> {
                fixture.controller.stop(Duration.ofSeconds(30));
                return fixture.controller.state();
            });
            Thread stopper = new Thread(stop);
            fixture.controller.watch(podSource());
            fixture.controller.watch(new ClosingSource(() -> eventually(
                    "the stop waits or has ended", () -> stop.isDone() || stopper.getState() == Thread.State.WAITING)));
            Thread starter = new Thread(() -> {
                try {
                    fixture.controller.start();
                } catch (InterruptedException e) {
                    // as expected
                }
            });
            starter.start();
            eventually("subscribed", () -> pods.listeners() == 1);
            stopper.start();
            assertThat(stop.get(60, TimeUnit.SECONDS)).isEqualTo(ControllerState.FAILED);
            starter.join();
        }
    }
}
