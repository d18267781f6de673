package io.github.reconciler4j.controller;

import static io.github.reconciler4j.controller.ControllerFixture.A;
import static io.github.reconciler4j.controller.ControllerFixture.B;
import static io.github.reconciler4j.controller.ControllerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.support.BusyKeys;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** One request that is enqueued all the time. */
class ControllerBusyTests {

    private static final int OTHERS = 1000;

    private final ManualTimeSource time = new ManualTimeSource();
    private final AtomicReference<ControllerFixture> fixture = new AtomicReference<>();

    private static Map<String, Object> details(ControllerFixture fixture) {
        return fixture.controller.healthChecks().get(0).check().details();
    }

    private static int ready(ControllerFixture fixture) {
        return fixture.controller.operations().queue().orElseThrow().depth().values().stream()
                .mapToInt(Integer::intValue)
                .sum();
    }

    @Test
    void operationsWhenARequestIsReconciledAllTheTimeNameIt() throws Exception {
        AtomicInteger left = new AtomicInteger(2000);
        ControllerOptions options = ControllerOptions.defaults().withTimeSource(time);
        try (CapturedLog log = CapturedLog.of(Controller.class.getName());
                ControllerFixture busy = new ControllerFixture(options, (request, context) -> {
                    time.advance(Duration.ofMillis(10));
                    if (left.decrementAndGet() > 0) {
                        fixture.get().channel.send(left.get() % 100 == 0 ? B : A);
                        fixture.get().channel.send(A);
                    }
                    return Result.done();
                })) {
            fixture.set(busy);
            busy.started().channel.send(A);
            eventually("done", () -> left.get() <= 0);
            busy.awaitIdle();

            List<BusyKeys.Rate<Request>> found = busy.controller.operations().busyRequests();
            assertThat(found).extracting(BusyKeys.Rate::key).containsExactly(A);
            assertThat(found.get(0).perSecond()).isBetween(90L, 100L);
            assertThat(details(busy))
                    .containsEntry("busyRequests", List.of(found.get(0).toString()));
            assertThat(busy.metrics.gauge("reconciler4j_controller_busy_requests{controller=test}"))
                    .isEqualTo(1);
            assertThat(log.lines(Level.WARN))
                    .singleElement()
                    .asString()
                    .startsWith("WARN Controller test reconciles " + A + " ");

            time.advance(Duration.ofSeconds(30));
            assertThat(details(busy)).doesNotContainKey("busyRequests");
        }
    }

    @Test
    void workerWhenOneRequestIsEnqueuedAllTheTimeReconcilesItOnceAmongAllOthers() throws Exception {
        CountDownLatch released = new CountDownLatch(1);
        AtomicBoolean storm = new AtomicBoolean(true);
        AtomicInteger hot = new AtomicInteger();
        AtomicInteger others = new AtomicInteger();
        AtomicInteger hotAtTheEnd = new AtomicInteger();
        try (ControllerFixture busy = new ControllerFixture((request, context) -> {
            if (request.equals(A)) {
                hot.incrementAndGet();
                released.await();
            } else if (others.incrementAndGet() == OTHERS) {
                hotAtTheEnd.set(hot.get());
            }
            return Result.done();
        })) {
            busy.started().channel.send(A);
            eventually("blocked", () -> hot.get() == 1);
            Thread writer = new Thread(() -> {
                while (storm.get()) {
                    busy.channel.send(A);
                }
            });
            writer.start();
            for (int i = 0; i < OTHERS; i++) {
                busy.channel.send(new Request("default", "other-" + i));
            }
            eventually("all wait", () -> ready(busy) >= OTHERS);
            released.countDown();
            eventually("all others", () -> others.get() == OTHERS);
            storm.set(false);
            writer.join();
            int before = hot.get();
            busy.channel.send(A);
            eventually("last state", () -> hot.get() > before);

            assertThat(hotAtTheEnd).as("the one that blocked, and one more").hasValueLessThanOrEqualTo(2);
        }
    }
}
