package io.github.reconciler4j.controller.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import io.github.reconciler4j.cache.CacheSyncTimeoutException;
import io.github.reconciler4j.handler.RequestSink;
import io.github.reconciler4j.source.RequestSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Sources that start at the same time. */
class SourceStarterTests {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final List<String> started = new CopyOnWriteArrayList<>();
    private final List<Duration> awaited = new CopyOnWriteArrayList<>();
    private final CountDownLatch never = new CountDownLatch(1);
    private final CountDownLatch interrupted = new CountDownLatch(1);

    private interface Step {
        void run() throws InterruptedException;
    }

    /** Does something at its start, and something else until it has synced. */
    private record Source(String name, String cluster, Step atStart, Step untilSynced, SourceStarterTests test)
            implements RequestSource<String>, RequestSource.Running {

        @Override
        public Running start(RequestSink<String> sink) throws InterruptedException {
            atStart.run();
            test.started.add(name);
            return this;
        }

        @Override
        public void awaitSync(Duration timeout) throws InterruptedException {
            test.awaited.add(timeout);
            untilSynced.run();
        }

        @Override
        public void close() {}
    }

    private RunningSource<String> source(String name, String cluster, Step atStart, Step untilSynced) {
        return new RunningSource<>(new Source(name, cluster, atStart, untilSynced, this), TestSinks.create());
    }

    private RunningSource<String> good(String name) {
        return source(name, "", () -> {}, () -> {});
    }

    private RunningSource<String> late(String name) {
        return source(name, "", () -> {}, () -> {
            throw new CacheSyncTimeoutException(name + " is slow");
        });
    }

    private RunningSource<String> hanging(String name) {
        return source(
                name,
                "",
                () -> {
                    try {
                        never.await();
                    } finally {
                        interrupted.countDown();
                    }
                },
                () -> {});
    }

    private static SourceStarter<String> starter(String cluster, Duration timeout) {
        return new SourceStarter<>("test", cluster, timeout);
    }

    @Test
    void startAndSyncWaitsForEverySourceOfItsCluster() throws Exception {
        CountDownLatch syncing = new CountDownLatch(1);
        List<RunningSource<String>> sources = List.of(
                good("a"),
                source("b", "east", () -> {}, () -> {}),
                source("c", "west", () -> {}, () -> {}),
                source("d", "", () -> {}, syncing::countDown));
        starter("east", LONG).startAndSync(sources);
        assertThat(syncing.getCount()).isZero();
        assertThat(started).containsExactlyInAnyOrder("a", "b", "c", "d");
        assertThat(sources).extracting(RunningSource::isSynced).containsExactly(true, true, false, true);
        assertThat(awaited).hasSize(3).allMatch(timeout -> timeout.compareTo(LONG) <= 0 && !timeout.isZero());
    }

    @Test
    void startDoesNotWaitForTheSync() throws Exception {
        List<RunningSource<String>> sources = List.of(good("a"), good("b"));
        starter("", LONG).start(sources);
        assertThat(started).containsExactlyInAnyOrder("a", "b");
        assertThat(awaited).isEmpty();
    }

    @Test
    void startAndSyncWithoutSourcesReturns() throws Exception {
        starter("", LONG).startAndSync(List.of());
        assertThat(started).isEmpty();
    }

    @Test
    void startAndSyncWhenSourcesHangNamesThemAndInterruptsThem() throws Exception {
        assertThatExceptionOfType(CacheSyncTimeoutException.class)
                .isThrownBy(() -> starter("", Duration.ofMillis(10)).startAndSync(List.of(hanging("b"))))
                .withMessageMatching(
                        "Controller 'test' cannot start: after PT0.01S it still waits for b \\(its start does"
                                + " not return, it is in .*\\)")
                .withNoCause();
        await("interrupt").atMost(LONG).until(() -> interrupted.getCount() == 0);
    }

    @Test
    void startAndSyncWhenSourcesAreLateNamesThemWithTheirReasons() {
        CacheSyncTimeoutException first = new CacheSyncTimeoutException("b is slow");
        RunningSource<String> b = source("b", "", () -> {}, () -> {
            throw first;
        });
        assertThatExceptionOfType(CacheSyncTimeoutException.class)
                .isThrownBy(() -> starter("", LONG).startAndSync(List.of(good("a"), b)))
                .withMessage("Controller 'test' cannot start: after PT30S it still waits for b (b is slow)")
                .withCause(first);
        assertThatExceptionOfType(CacheSyncTimeoutException.class)
                .isThrownBy(() -> starter("", LONG).startAndSync(List.of(late("c"), good("d"), late("e"))))
                .withMessageContainingAll("c (c is slow)", "; ", "e (e is slow)")
                .withCauseInstanceOf(CacheSyncTimeoutException.class);
    }

    @Test
    void startAndSyncWhenASourceFailsDoesNotWaitForTheOthers() {
        IllegalArgumentException failure = new IllegalArgumentException("no such topic");
        RunningSource<String> failing = source(
                "failing",
                "",
                () -> {
                    throw failure;
                },
                () -> {});
        assertThatIllegalStateException()
                .isThrownBy(() -> starter("", LONG.multipliedBy(10)).startAndSync(List.of(hanging("b"), failing)))
                .withMessage(
                        "Controller 'test' cannot start: source failing failed: IllegalArgumentException: no such topic")
                .withCause(failure);
        await("interrupt").atMost(LONG).until(() -> interrupted.getCount() == 0);
    }
}
