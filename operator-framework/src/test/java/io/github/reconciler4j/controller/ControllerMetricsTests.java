package io.github.reconciler4j.controller;

import static io.github.reconciler4j.controller.ControllerFixture.A;
import static io.github.reconciler4j.controller.ControllerFixture.B;
import static io.github.reconciler4j.controller.ControllerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.reconcile.Result;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Names, labels and buckets are those dashboards know from controller-runtime and client-go. */
class ControllerMetricsTests {

    @Test
    void countersExistFromTheStart() {
        ControllerFixture fixture = new ControllerFixture((request, context) -> Result.done());
        assertThat(fixture.results("success")).isZero();
        assertThat(fixture.results("error")).isZero();
        assertThat(fixture.results("requeue")).isZero();
        assertThat(fixture.results("requeue_after")).isZero();
        assertThat(fixture.counter("reconcile_errors_total")).isZero();
        assertThat(fixture.counter("terminal_reconcile_errors_total")).isZero();
        assertThat(fixture.counter("reconcile_panics_total")).isZero();
        assertThat(fixture.counter("reconcile_timeouts_total")).isZero();
    }

    @Test
    void reconciliationsAreTimedAndGaugesFollowTheWorkers() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        try (ControllerFixture fixture = new ControllerFixture((request, context) -> {
            running.countDown();
            finish.await();
            return Result.done();
        })) {
            fixture.started().channel.send(A);
            running.await();
            fixture.channel.send(B);
            assertThat(fixture.metrics.gauge("controller_runtime_active_workers{controller=test}"))
                    .isEqualTo(1);
            assertThat(fixture.metrics.gauge("workqueue_depth{name=test,controller=test,priority=0}"))
                    .isEqualTo(1);
            assertThat(fixture.metrics.gauge("workqueue_unfinished_work_seconds{name=test,controller=test}"))
                    .isPositive();
            assertThat(fixture.metrics.gauge("workqueue_longest_running_processor_seconds{name=test,controller=test}"))
                    .isPositive();
            finish.countDown();
            eventually("both done", () -> fixture.results("success") == 2);
            fixture.awaitIdle();
            assertThat(fixture.metrics.gauge("controller_runtime_active_workers{controller=test}"))
                    .isZero();
            assertThat(fixture.metrics.recorded("controller_runtime_reconcile_time_seconds{controller=test}"))
                    .hasSize(2)
                    .allMatch(seconds -> seconds >= 0 && seconds < 30);
            assertThat(fixture.metrics.count("workqueue_adds_total{name=test,controller=test}"))
                    .isEqualTo(2);
            assertThat(fixture.metrics.recorded("workqueue_queue_duration_seconds{name=test,controller=test}"))
                    .hasSize(2);
            assertThat(fixture.metrics.recorded("workqueue_work_duration_seconds{name=test,controller=test}"))
                    .hasSize(2);
        }
    }

    @Test
    void bucketsAreThoseOfControllerRuntime() throws Exception {
        try (ControllerFixture fixture = new ControllerFixture((request, context) -> Result.done()).started()) {
            assertThat(fixture.metrics.buckets("controller_runtime_reconcile_time_seconds"))
                    .hasSize(40)
                    .startsWith(.005, .01, .025, .05, .1, .15)
                    .endsWith(20, 25, 30, 40, 50, 60);
            assertThat(fixture.metrics.buckets("workqueue_queue_duration_seconds"))
                    .containsExactly(1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 10, 100, 1000);
        }
    }
}
