package io.github.reconciler4j.controllers.internal.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class PodCallsTests {

    private final PodCalls calls = new PodCalls();

    @Test
    void runAllWhenACallFailsCountsTheOthers() {
        IllegalStateException failure = new IllegalStateException("refused");

        SlowStart.Outcome outcome = calls.runAll(List.of(
                () -> {},
                () -> {
                    throw failure;
                },
                () -> {}));

        assertThat(outcome.successes()).isEqualTo(2);
        assertThat(outcome.failure()).isSameAs(failure);
    }

    @Test
    void runAllWhenACallEndsWithAnErrorWaitsForTheOthers() {
        CountDownLatch release = new CountDownLatch(1);
        AtomicBoolean finished = new AtomicBoolean();
        AssertionError error = new AssertionError("broken");
        CompletableFuture<SlowStart.Outcome> all = CompletableFuture.supplyAsync(() -> calls.runAll(List.of(
                () -> {
                    throw error;
                },
                () -> {
                    awaitRelease(release);
                    finished.set(true);
                })));

        await().during(Duration.ofMillis(200)).atMost(Duration.ofSeconds(10)).until(() -> !all.isDone());
        release.countDown();

        assertThatThrownBy(all::join)
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasRootCause(error);
        assertThat(finished).isTrue();
    }

    private static void awaitRelease(CountDownLatch release) {
        try {
            release.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
