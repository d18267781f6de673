package io.github.reconciler4j.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.reconcile.TerminalException;
import io.github.reconciler4j.source.ChannelSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Own types of requests whose methods fail now and then: what was accepted is reconciled, and nothing is forged or kept. */
class HostileRequestsTests {

    private static final int CASES = Integer.getInteger("requests.cases", 300);

    private final long seed = Long.getLong("requests.seed", new Random().nextLong());
    private final Random random = new Random(seed);
    private volatile boolean calm;

    /** A request of which the text is what a test wants, and whose other methods can fail while the world is not calm. */
    private final class Hostile {

        private final int number;
        private final int text;
        private final int failsOneIn;
        private final AtomicInteger calls = new AtomicInteger();

        Hostile(int number, int text, int failsOneIn) {
            this.number = number;
            this.text = text;
            this.failsOneIn = failsOneIn;
        }

        private void maybeFail() {
            if (!calm && failsOneIn > 0 && calls.incrementAndGet() % failsOneIn == 0) {
                throw new IllegalStateException("hostile");
            }
        }

        @Override
        public boolean equals(Object other) {
            maybeFail();
            return other instanceof Hostile hostile && hostile.number == number;
        }

        @Override
        public int hashCode() {
            maybeFail();
            return number % 7; // many in one place
        }

        @Override
        public String toString() {
            return switch (text) {
                case 0 -> null;
                case 1 -> throw new IllegalStateException("text");
                case 2 -> "line\nbreak\r\u2028 2026-01-01 ERROR forged";
                case 3 -> "x".repeat(1_000_000);
                case 4 -> "";
                case 5 -> throw new StackOverflowError();
                default -> "same text";
            };
        }
    }

    @Test
    void requestsWhenTheirMethodsFailAreReconciledIfTheyWereAccepted() {
        ChannelSource<Hostile, Hostile> channel = ChannelSource.ofRequests("hostile");
        Map<Integer, AtomicInteger> runs = new ConcurrentHashMap<>();
        Controller<Hostile> controller = Controller.create(
                "hostile",
                (request, context) -> {
                    int run = runs.computeIfAbsent(request.number, absent -> new AtomicInteger())
                            .incrementAndGet();
                    assertThat(context.request().name()).hasSizeLessThan(1000).doesNotContain("\n", "\r", "\u2028");
                    return run == 1 && request.number % 3 == 0 ? Result.requeueWithBackoff() : Result.done();
                },
                ControllerOptions.defaults().withMaxConcurrentReconciles(3),
                OperatorMetrics.NONE);
        controller.watch(channel);
        List<Integer> accepted = new ArrayList<>();
        try {
            assertThat(start(controller)).isTrue();
            for (int i = 0; i < CASES; i++) {
                Hostile request =
                        new Hostile(i, random.nextInt(7), random.nextInt(4) == 0 ? 2 + random.nextInt(20) : 0);
                try {
                    if (channel.send(request)) {
                        accepted.add(i);
                    }
                } catch (IllegalStateException e) {
                    assertThat(e).hasMessage("hostile"); // the sender knows
                }
            }
            calm = true;
            await("seed " + seed).atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                assertThat(runs.keySet()).as("seed " + seed).containsAll(accepted);
                assertThat(controller.operations().queue().orElseThrow().running())
                        .isZero();
            });
        } finally {
            controller.stop(Duration.ZERO);
        }
    }

    private static boolean start(Controller<?> controller) {
        try {
            controller.start();
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Test
    void failingRequestsWhenTheyNeverReturnAreBounded() {
        ChannelSource<Integer, Integer> channel = ChannelSource.ofRequests("terminal");
        AtomicInteger runs = new AtomicInteger();
        Controller<Integer> controller = Controller.create(
                "terminal",
                (request, context) -> {
                    runs.incrementAndGet();
                    throw new TerminalException("never again");
                },
                ControllerOptions.defaults(),
                OperatorMetrics.NONE);
        controller.watch(channel);
        try {
            assertThat(start(controller)).isTrue();
            for (int i = 0; i < 12_000; i++) {
                channel.send(i);
            }
            await("all").atMost(Duration.ofSeconds(60)).until(() -> runs.get() == 12_000);
            await("counted").until(() -> controller.operations().failingCount() == 10_000);
            assertThat(controller.operations().failing(20_000)).noneMatch(failing -> failing.request() == 0);
        } finally {
            controller.stop(Duration.ZERO);
        }
    }
}
