package io.github.reconciler4j.manager;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.github.reconciler4j.cache.CacheSyncTimeoutException;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ErrorDetails;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.manager.ComponentState.State;
import io.github.reconciler4j.manager.internal.lifecycle.Failure;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Components that cannot start yet, as something is missing. */
class LifecycleRetryTests extends LifecycleFixture {

    @Test
    void startWhenSomethingIsMissingRunsTheOthersAndRetriesUntilItExists() throws Exception {
        AtomicBoolean there = new AtomicBoolean();
        add(component("waiting", StartGroup.LEADER_ELECTED).onStart(() -> {
            if (!there.get()) {
                throw new ComponentNotReadyException("no CRD webapps");
            }
            return null;
        }));
        added("other", StartGroup.LEADER_ELECTED);
        lifecycle.start();
        awaitState("other", State.RUNNING);
        awaitState("waiting", State.WAITING);
        assertThat(status("waiting").detail()).isEqualTo("no CRD webapps");
        assertThat(status("waiting").attempts()).isEqualTo(1);
        time.advance(Duration.ofMillis(1250));
        await("second attempt").until(() -> status("waiting").attempts() == 2);
        there.set(true);
        time.advance(Duration.ofMillis(500));
        assertThat(status("waiting").state()).as("the delay doubles").isEqualTo(State.WAITING);
        time.advance(Duration.ofSeconds(2));
        awaitState("waiting", State.RUNNING);
        assertThat(status("waiting").detail()).isEmpty();
        assertThat(lifecycle.isRunning()).isTrue();
    }

    @Test
    void startWhenComponentOfAnEarlyGroupWaitsDoesNotDelayTheNextGroup() {
        add(component("waiting", StartGroup.ALL_REPLICAS).failing(new ComponentNotReadyException("no right")));
        added("elected", StartGroup.LEADER_ELECTED);
        lifecycle.start();
        awaitState("elected", State.RUNNING);
        assertThat(status("waiting").state()).isEqualTo(State.WAITING);
    }

    @Test
    void logWhenSomethingIsMissingForAnHourHasALineAMinute() {
        try (CapturedLog log = CapturedLog.of("io.github.reconciler4j.manager")) {
            add(component("waiting", StartGroup.LEADER_ELECTED).failing(new ComponentNotReadyException("no CRD")));
            lifecycle.start();
            awaitState("waiting", State.WAITING);
            for (int attempt = 1; attempt < 90; attempt++) {
                int before = attempt;
                time.advance(Duration.ofSeconds(40));
                await("the next attempt").until(() -> status("waiting").attempts() > before);
            }
            assertThat(log.lines(Level.WARN)).hasSizeBetween(2, 61);
        }
    }

    @Test
    void logWhenAnApiServerFailsWithADifferentTextEachTimeHasALineAMinute() {
        try (CapturedLog log = CapturedLog.of("io.github.reconciler4j.manager")) {
            AtomicInteger tries = new AtomicInteger();
            add(component("waiting", StartGroup.LEADER_ELECTED).onStart(() -> {
                ApiException cause = new ApiException("id " + tries.get(), ErrorDetails.of(503, ""));
                ComponentNotReadyException failure =
                        new ComponentNotReadyException("tried " + tries.incrementAndGet() + " times");
                failure.initCause(cause);
                throw failure;
            }));
            lifecycle.start();
            awaitState("waiting", State.WAITING);
            for (int attempt = 1; attempt < 20; attempt++) {
                int before = attempt;
                time.advance(Duration.ofSeconds(40));
                await("the next attempt").until(() -> status("waiting").attempts() > before);
            }
            assertThat(status("waiting").detail()).isEqualTo("tried 20 times");
            assertThat(log.lines(Level.WARN)).hasSizeBetween(2, 13);
        }
    }

    @Test
    void logWhenAComponentCannotSayWhyItWaitsHasOneLineHoweverOftenItIsAsked() {
        CountDownLatch release = new CountDownLatch(1);
        lifecycle.add(List.of(new SilentComponent(release)));
        try (CapturedLog log = CapturedLog.of("io.github.reconciler4j.manager")) {
            Thread starter = new Thread(lifecycle::start);
            starter.start();
            awaitState("silent", State.STARTING);
            for (int i = 0; i < 50; i++) {
                assertThat(status("silent").state()).isEqualTo(State.STARTING);
            }
            assertThat(log.lines(Level.WARN)).singleElement().asString().endsWith("+stack");
        } finally {
            release.countDown();
        }
        awaitState("silent", State.RUNNING);
    }

    /** Takes long to start, and cannot say why. */
    private record SilentComponent(CountDownLatch release) implements ManagedComponent {

        @Override
        public String name() {
            return "silent";
        }

        @Override
        public StartGroup group() {
            return StartGroup.ALL_REPLICAS;
        }

        @Override
        public String notReadyReason() {
            throw new StackOverflowError();
        }

        @Override
        public void start() throws InterruptedException {
            release.await();
        }

        @Override
        public void stop(Duration grace) {}
    }

    @Test
    void failureWhenCauseIsMissingKindOrPermissionOrUnsyncedCacheIsRetryable() {
        assertThat(Failure.isRetryable(new CacheSyncTimeoutException("x"))).isTrue();
        assertThat(Failure.isRetryable(new IllegalStateException(new RuntimeException(api(404)))))
                .isTrue();
        assertThat(Failure.isRetryable(api(403))).isTrue();
        assertThat(Failure.isRetryable(api(500))).isFalse();
        assertThat(Failure.isRetryable(new IllegalStateException("x"))).isFalse();
    }

    private static ApiException api(int code) {
        return new ApiException("api", ErrorDetails.of(code, ""));
    }

    @Test
    void stopWhenComponentWaitsForItsNextAttemptEndsImmediately() {
        add(component("waiting", StartGroup.LEADER_ELECTED).failing(new ComponentNotReadyException("no CRD")));
        lifecycle.start();
        awaitState("waiting", State.WAITING);
        lifecycle.stop();
        assertThat(status("waiting").state()).isEqualTo(State.STOPPED);
    }
}
