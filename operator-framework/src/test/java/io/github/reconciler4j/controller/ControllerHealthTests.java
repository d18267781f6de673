package io.github.reconciler4j.controller;

import static io.github.reconciler4j.controller.ControllerFixture.A;
import static io.github.reconciler4j.controller.ControllerFixture.B;
import static io.github.reconciler4j.controller.ControllerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.health.HealthCheck.Health;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** What the health of a controller says of its runs. */
class ControllerHealthTests {

    private static Health health(ControllerFixture fixture) {
        return fixture.controller.healthChecks().get(0).check();
    }

    @Test
    void healthWhenMemoryRanOutSaysNotAliveThoughTheRequestSucceedsLater() throws Exception {
        try (ControllerFixture fixture = new ControllerFixture((request, context) -> {
            if (context.attempt() == 1 && request.equals(A)) {
                throw new IllegalStateException("wrapped", new OutOfMemoryError("Java heap space"));
            }
            return Result.done();
        })) {
            fixture.started().channel.send(B);
            fixture.awaitRuns(1);
            assertThat(health(fixture).alive()).isTrue();
            fixture.channel.send(A);
            fixture.awaitRuns(3);
            eventually("succeeded", () -> fixture.results("success") == 2);
            assertThat(health(fixture).alive()).isFalse();
            assertThat(health(fixture).details().get("jvmFailure")).asString().startsWith("OutOfMemoryError at ");
        }
    }

    @Test
    void healthWhenARunIsStuckSaysNotAliveUntilItReturns() throws Exception {
        CountDownLatch let = new CountDownLatch(1);
        ControllerOptions options = ControllerOptions.defaults().withStuckAfter(Duration.ofMillis(50));
        try (ControllerFixture fixture = new ControllerFixture(options, (request, context) -> {
            while (let.getCount() > 0) {
                LockSupport.parkNanos(1_000_000); // ignores interrupts
            }
            return Result.done();
        })) {
            fixture.started().channel.send(A);
            eventually("not alive", () -> !health(fixture).alive());
            let.countDown();
            eventually("alive again", () -> health(fixture).alive());
        }
    }

    /** Checks the health while a reconciliation of each of these requests is stuck. */
    private static Health stuckHealth(String cluster, int count, Request... requests) throws Exception {
        CountDownLatch let = new CountDownLatch(1);
        ControllerOptions options = ControllerOptions.defaults()
                .withCluster(cluster)
                .withMaxConcurrentReconciles(count)
                .withStuckAfter(Duration.ofMillis(1));
        try (ControllerFixture fixture = new ControllerFixture(options, (request, context) -> {
            let.await();
            return Result.done();
        })) {
            fixture.started();
            for (Request request : requests) {
                fixture.channel.send(request);
            }
            eventually("stuck", () -> Objects.equals(health(fixture).details().get("stuckCount"), count));
            Health stuck = health(fixture);
            let.countDown();
            return stuck;
        }
    }

    @Test
    void healthWhenARunOfAnotherClusterIsStuckSaysNotReadyIfTheControllerIsOfThatCluster() throws Exception {
        Health other = stuckHealth("", 1, A.in("east"));
        assertThat(other.alive()).isTrue();
        assertThat(other.ready()).isTrue();
        Health own = stuckHealth("east", 1, A);
        assertThat(own.alive()).isTrue();
        assertThat(own.ready()).isFalse();
        Health home = stuckHealth("", 2, A.in("east"), A);
        assertThat(home.alive()).isFalse();
        assertThat(home.ready()).isFalse();
        assertThat(home.details())
                .containsEntry("busy", 2)
                .containsEntry("workers", 2)
                .containsEntry("queued", 0);
    }

    @Test
    void healthWhenAllIsWellHasTheStateOnly() throws Exception {
        try (ControllerFixture fixture = new ControllerFixture((request, context) -> Result.done())) {
            assertThat(health(fixture).details()).isEqualTo(Map.of("state", "NEW"));
            fixture.started();
            assertThat(health(fixture).alive()).isTrue();
            assertThat(health(fixture).ready()).isTrue();
            assertThat(health(fixture).details())
                    .isEqualTo(Map.of("state", "RUNNING", "workers", 1, "busy", 0, "queued", 0));
        }
    }

    @Test
    void interruptOfAStopIsNoTimeoutAndNoError() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        ControllerOptions options = ControllerOptions.defaults().withReconcileTimeout(Duration.ofMinutes(10));
        try (ControllerFixture fixture = new ControllerFixture(options, (request, context) -> {
            running.countDown();
            new CountDownLatch(1).await();
            return Result.done();
        })) {
            fixture.started().channel.send(A);
            running.await();
            fixture.controller.stop(Duration.ZERO);
            assertThat(fixture.counter("reconcile_timeouts_total")).isZero();
            assertThat(fixture.counter("reconcile_errors_total")).isZero();
        }
    }

    @Test
    void namespacesKeepToTheirShareOfTheWorkersThereAreNow() throws Exception {
        CountDownLatch let = new CountDownLatch(1);
        ControllerOptions options =
                ControllerOptions.defaults().withMaxConcurrentReconciles(2).withNamespaceShare(0.5);
        try (ControllerFixture fixture = new ControllerFixture(options, (request, context) -> {
            let.await();
            return Result.done();
        })) {
            fixture.started();
            for (int i = 0; i < 10; i++) {
                fixture.channel.send(new Request("noisy", "n" + i));
            }
            fixture.awaitRuns(1);
            fixture.channel.send(new Request("calm", "c"));
            fixture.awaitRuns(2);
            assertThat(fixture.runs.get(1).request().namespace()).isEqualTo("calm");
            fixture.controller.operations().setMaxConcurrentReconciles(6);
            fixture.awaitRuns(4);
            assertThat(fixture.controller.operations().running()).isEqualTo(4);
            let.countDown();
            fixture.awaitRuns(11);
        }
    }
}
