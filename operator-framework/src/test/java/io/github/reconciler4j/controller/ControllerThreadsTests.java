package io.github.reconciler4j.controller;

import static io.github.reconciler4j.controller.ControllerFixture.A;
import static io.github.reconciler4j.controller.ControllerFixture.B;
import static io.github.reconciler4j.controller.ControllerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.fixtures.RecordingMetrics;
import io.github.reconciler4j.fixtures.TestHeader;
import io.github.reconciler4j.fixtures.TestSnapshot;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.source.ChannelSource;
import io.github.reconciler4j.source.PollSource;
import io.github.reconciler4j.source.ResyncSource;
import io.github.reconciler4j.workqueue.RateLimiter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Each thread of a controller survives an error in the framework and an interrupt from outside. */
class ControllerThreadsTests extends ControllerLifecycleFixture {

    private static final List<String> THREADS = List.of(
            "controller-test-worker",
            "controller-test-watchdog",
            "source-test/poll",
            "source-test/Pod.v1 resync",
            "source-test/Pod.v1-redelivery");

    private static void interrupt(String prefix) {
        List<Thread> threads = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith(prefix))
                .toList();
        assertThat(threads).as(prefix).isNotEmpty();
        threads.forEach(Thread::interrupt);
    }

    private static void assertAlive(ControllerFixture fixture) {
        var health = fixture.controller.healthChecks().get(0).check();
        assertThat(health.alive()).isTrue();
        assertThat(health.details()).doesNotContainKey("deadThreads");
    }

    /** A request whose hash code fails once on the worker, when the queue ends its processing. */
    record Fragile(String name, AtomicBoolean broken) {

        @Override
        public int hashCode() {
            if (broken.compareAndSet(true, false)) {
                throw new NoClassDefFoundError("hash code");
            }
            return name.hashCode();
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Fragile fragile && fragile.name.equals(name);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    @Test
    void workerWhenTheQueueFailsContinues() throws Exception {
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
            eventually("both", () -> seen.equals(List.of("broken", "other")));
            assertThat(controller.healthChecks().get(0).check().alive()).isTrue();
        } finally {
            controller.stop(Duration.ZERO);
        }
    }

    @Test
    void requestWhenTheRateLimiterThrowsAnErrorIsRetried() throws Exception {
        RateLimiter<Object> broken = new RateLimiter<>() {
            @Override
            public Duration next(Object item, @Nullable Throwable cause) {
                throw new NoClassDefFoundError("limiter");
            }

            @Override
            public void forget(Object item) {}

            @Override
            public int retries(Object item) {
                return 0;
            }
        };
        AtomicInteger calls = new AtomicInteger();
        ManualTimeSource time = new ManualTimeSource();
        ControllerOptions options =
                ControllerOptions.defaults().withRateLimiter(() -> broken).withTimeSource(time);
        try (ControllerFixture fixture = new ControllerFixture(options, (request, context) -> {
            if (calls.incrementAndGet() == 1) {
                throw new IllegalStateException("first attempt");
            }
            return Result.done();
        })) {
            fixture.started().channel.send(A);
            fixture.awaitRuns(1);
            fixture.channel.send(B);
            fixture.awaitRuns(2);
            assertThat(fixture.runs.get(1).request()).as("the retry waits").isEqualTo(B);
            eventually("the retry is enqueued", () -> delayed(fixture) == 1);
            time.advance(Duration.ofSeconds(1));
            fixture.awaitRuns(3);
            assertThat(fixture.runs.get(2).request()).isEqualTo(A);
        }
    }

    private static int delayed(ControllerFixture fixture) {
        return fixture.controller.operations().queue().orElseThrow().delayed();
    }

    /** Fails for one kind of metric, as a metrics library with a version conflict would. */
    private static final class BrokenMetrics implements OperatorMetrics {

        private final OperatorMetrics delegate = new RecordingMetrics();

        @Override
        public Counter counter(String name, String help, String... labels) {
            return delegate.counter(name, help, labels);
        }

        @Override
        public Histogram histogram(String name, String help, double[] buckets, String... labels) {
            return value -> {
                throw new NoSuchMethodError(name);
            };
        }

        @Override
        public Registration gauge(String name, String help, DoubleSupplier value, String... labels) {
            return delegate.gauge(name, help, value, labels);
        }
    }

    @Test
    void requestWhenMetricsThrowAnErrorIsNotLost() throws Exception {
        List<Request> seen = new CopyOnWriteArrayList<>();
        ChannelSource<Request, Request> channel = ChannelSource.ofRequests("channel");
        Controller<Request> controller = Controller.create(
                "metrics",
                (request, context) -> {
                    seen.add(request);
                    if (seen.size() == 1) {
                        throw new IllegalStateException("first attempt");
                    }
                    return Result.done();
                },
                ControllerOptions.defaults(),
                new BrokenMetrics());
        controller.watch(channel);
        controller.start();
        try {
            channel.send(A);
            eventually("retried", () -> seen.size() > 1);
            channel.send(B);
            eventually("others", () -> seen.contains(B));
        } finally {
            controller.stop(Duration.ZERO);
        }
    }

    @Test
    void threadsWhenInterruptedFromOutsideContinue() throws Exception {
        AtomicBoolean broken = new AtomicBoolean(true);
        AtomicInteger polls = new AtomicInteger();
        ControllerOptions options = ControllerOptions.defaults().withReconcileTimeout(Duration.ofMillis(200));
        try (ControllerFixture fixture = new ControllerFixture(options, (request, context) -> {
            if (request.name().equals("slow") && context.attempt() == 1) {
                Thread.sleep(60_000);
            }
            return Result.done();
        })) {
            pods.hold(TestSnapshot.of(TestHeader.of("default", "resynced")));
            pods.sync();
            fixture.controller.watch(podSource((event, sink) -> {
                if (broken.get()) {
                    throw new IllegalStateException("not now");
                }
                sink.add(Request.of(event.snapshot().key()));
            }));
            fixture.controller.watch(
                    PollSource.ofAll("poll", Duration.ofMillis(5), () -> Map.of(A, polls.incrementAndGet())));
            fixture.controller.watch(ResyncSource.every(Duration.ofMillis(50), pods));
            fixture.started();
            pods.deliver(TestSnapshot.created(TestHeader.of("default", "delivered-again")));
            THREADS.forEach(ControllerThreadsTests::interrupt);
            broken.set(false);
            eventually("redelivery", () -> ran(fixture, "delivered-again"));
            int before = polls.get();
            eventually("poll", () -> polls.get() > before);
            fixture.runs.clear();
            eventually("resync", () -> ran(fixture, "resynced"));
            fixture.channel.send(new Request("default", "slow"));
            eventually("watchdog", () -> fixture.counter("reconcile_timeouts_total") >= 1);
            assertAlive(fixture);
        }
    }

    private static boolean ran(ControllerFixture fixture, String name) {
        return fixture.runs.stream().anyMatch(run -> run.request().name().equals(name));
    }

    @Test
    void pollWhenItThrowsAnErrorIsRetried() throws Exception {
        AtomicInteger polls = new AtomicInteger();
        try (ControllerFixture fixture = doingNothing(ControllerOptions.defaults())) {
            fixture.controller.watch(PollSource.ofAll("poll", Duration.ofMillis(5), () -> {
                if (polls.incrementAndGet() == 1) {
                    throw new NoClassDefFoundError("poll");
                }
                return Map.of(A, 1);
            }));
            fixture.started();
            fixture.awaitRuns(1);
        }
    }
}
