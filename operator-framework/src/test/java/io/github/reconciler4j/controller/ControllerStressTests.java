package io.github.reconciler4j.controller;

import static io.github.reconciler4j.controller.ControllerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.reconcile.TerminalException;
import io.github.reconciler4j.source.ChannelSource;
import io.github.reconciler4j.workqueue.RateLimiters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Many producers, reconcilers that fail in every way, and changes of the controller at the same time. */
class ControllerStressTests {

    private static final int REQUESTS = 100;
    private static final int PRODUCERS = 3;
    private static final int CHANGES = 10_000;

    private final Logger logger = (Logger) LoggerFactory.getLogger("io.github.reconciler4j.controller");

    /** The version of each request's object, and the latest one a run has seen and finished with. */
    private final Map<Request, AtomicInteger> versions = new ConcurrentHashMap<>();

    private final Map<Request, AtomicInteger> seen = new ConcurrentHashMap<>();
    private final Map<Request, AtomicBoolean> running = new ConcurrentHashMap<>();
    private final AtomicInteger overlaps = new AtomicInteger();
    private final AtomicInteger runs = new AtomicInteger();

    @BeforeEach
    void silence() {
        logger.setLevel(Level.OFF);
    }

    @AfterEach
    void speakAgain() {
        logger.setLevel(null);
    }

    private Result reconcile(Request request, ReconcileContext context) throws Exception {
        AtomicBoolean alone = running.computeIfAbsent(request, unused -> new AtomicBoolean());
        if (!alone.compareAndSet(false, true)) {
            overlaps.incrementAndGet();
        }
        try {
            runs.incrementAndGet();
            int version = versions.get(request).get();
            misbehave();
            seen.computeIfAbsent(request, unused -> new AtomicInteger()).set(version);
            return switch (ThreadLocalRandom.current().nextInt(20)) {
                case 0 -> Result.requeueAfter(Duration.ofMillis(2));
                case 1 -> Result.requeueWithBackoff();
                case 2 -> Result.requeueAfter(Duration.ZERO).withPriority(-5);
                default -> Result.done();
            };
        } finally {
            alone.set(false);
        }
    }

    private static void misbehave() throws Exception {
        switch (ThreadLocalRandom.current().nextInt(100)) {
            case 0 -> throw new AssertionError("an error");
            case 1 -> throw new StackOverflowError();
            case 2, 3, 4 -> throw new IllegalStateException("a failure");
            case 5 -> new CountDownLatch(1).await(); // until the time limit
            case 6 -> Thread.currentThread().interrupt();
            default -> Thread.onSpinWait();
        }
    }

    private static Request request(int number) {
        return new Request("namespace-" + number % 7, "object-" + number);
    }

    @Test
    void everyChangeIsSeenAndNoRequestIsReconciledConcurrently() throws Exception {
        ControllerOptions options = ControllerOptions.defaults()
                .withMaxConcurrentReconciles(4)
                .withReconcileTimeout(Duration.ofMillis(20))
                .withFairNamespaces(3)
                .withRateLimiter(() -> RateLimiters.exponential(Duration.ofMillis(1), Duration.ofMillis(50), 0.2));
        try (ControllerFixture fixture = new ControllerFixture(options, this::reconcile).started()) {
            AtomicBoolean done = new AtomicBoolean();
            Thread chaos = new Thread(() -> changeThings(fixture.controller, done));
            chaos.start();
            List<Thread> producers = new ArrayList<>();
            for (int i = 0; i < PRODUCERS; i++) {
                producers.add(new Thread(() -> produce(fixture.channel)));
            }
            producers.forEach(Thread::start);
            for (Thread producer : producers) {
                producer.join();
            }
            done.set(true);
            chaos.join();
            eventually(
                    "every version is seen",
                    () -> versions.entrySet().stream()
                            .allMatch(entry -> seen.containsKey(entry.getKey())
                                    && seen.get(entry.getKey()).get()
                                            == entry.getValue().get()));
            assertThat(overlaps).hasValue(0);
            assertThat(runs.get()).isGreaterThan(REQUESTS);
            fixture.controller.stop(Duration.ofSeconds(30));
            eventually(
                    "no thread is left", () -> ControllerFixture.threads("test").isEmpty());
        }
    }

    private void produce(ChannelSource<Request, Request> channel) {
        for (int i = 0; i < CHANGES; i++) {
            Request request = request(ThreadLocalRandom.current().nextInt(REQUESTS));
            versions.computeIfAbsent(request, unused -> new AtomicInteger()).incrementAndGet();
            channel.send(request);
            if (i % 50 == 0) {
                Thread.yield();
            }
        }
    }

    private static void changeThings(Controller<Request> controller, AtomicBoolean done) {
        while (!done.get()) {
            controller
                    .operations()
                    .setMaxConcurrentReconciles(ThreadLocalRandom.current().nextInt(1, 7));
            ChannelSource<Request, Request> passing = ChannelSource.ofRequests("passing by");
            controller.watch(passing);
            if (ThreadLocalRandom.current().nextInt(4) == 0) {
                controller.operations().pause();
                controller.operations().resume();
            }
            controller.unwatch(passing);
            controller.healthChecks().get(0).check();
        }
    }

    @Test
    void terminalFailuresAreNeverRetried() throws Exception {
        try (ControllerFixture fixture = new ControllerFixture(
                        ControllerOptions.defaults().withMaxConcurrentReconciles(4), (request, context) -> {
                            runs.incrementAndGet();
                            throw new TerminalException("never " + request);
                        })
                .started()) {
            for (int i = 0; i < REQUESTS; i++) {
                fixture.channel.send(request(i));
            }
            eventually("all have failed", () -> fixture.counter("terminal_reconcile_errors_total") == REQUESTS);
            fixture.awaitIdle();
            assertThat(runs).hasValue(REQUESTS);
        }
    }
}
