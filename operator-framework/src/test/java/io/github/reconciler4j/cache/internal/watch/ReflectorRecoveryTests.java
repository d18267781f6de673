package io.github.reconciler4j.cache.internal.watch;

import static io.github.reconciler4j.cache.internal.Json.bookmark;
import static io.github.reconciler4j.cache.internal.Json.configMap;
import static io.github.reconciler4j.cache.internal.Json.event;
import static io.github.reconciler4j.cache.internal.Json.list;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.reconciler4j.cache.WatchOptions.ListMode;
import io.github.reconciler4j.cache.internal.FakeConnection;
import io.github.reconciler4j.client.Discovery;
import io.github.reconciler4j.client.connection.ApiStream;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.client.error.ErrorDetails;
import io.github.reconciler4j.client.error.TooManyRequestsException;
import io.github.reconciler4j.fixtures.LiveThreads;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentMatchers;
import org.mockito.Mockito;

/** Streamed lists, further bodies, waits and the end of a reflector. */
class ReflectorRecoveryTests extends ReflectorLoopFixture {

    @Test
    void watchMayBeSilentForTheIdleTimeout() {
        options = options.withLifetime(Duration.ofMinutes(5), Duration.ofMinutes(10))
                .withIdleTimeout(Duration.ofMinutes(2));
        server.whole(list(10, ""));
        FakeConnection.Body first = server.open();
        FakeConnection.Body second = server.open();
        start(true);
        first.send(event("ADDED", configMap("a", "x", 1, 11, "v")));
        awaitLines("list of 0 at 10", "ADDED x at 11");
        assertThat(first.idleTimeout()).isEqualTo(Duration.ofMinutes(2));
        first.end();
        await("second").atMost(LONG).until(() -> second.idleTimeout().equals(Duration.ofMinutes(2)));
        assertThat(version(2)).isEqualTo("11");
    }

    @Test
    void watchWhenAnEarlierOneWasSilentMayBeSilentForItsLifetimeUntilABookmarkArrives() {
        Duration idle = Duration.ofMillis(100);
        options = options.withLifetime(Duration.ofMinutes(5), Duration.ofMinutes(10))
                .withIdleTimeout(idle);
        server.whole(list(10, ""));
        FakeConnection.Body first = server.open();
        FakeConnection.Body second = server.open();
        FakeConnection.Body third = server.open();
        start(true);
        await("second").atMost(LONG).until(() -> second.idleTimeout().equals(Duration.ofSeconds(630)));
        assertThat(first.idleTimeout()).isEqualTo(idle);
        second.send(bookmark(12, false));
        await("third").atMost(LONG).until(() -> third.idleTimeout().equals(idle));
        assertThat(second.idleTimeout()).isEqualTo(idle);
        assertThat(version(3)).isEqualTo("12");
    }

    @Test
    void streamedListMayBeSilentForFifteenSeconds() {
        options = options.withListMode(ListMode.STREAMED).withIdleTimeout(Duration.ofMinutes(2));
        FakeConnection.Body stream = server.open();
        start(true);
        await("stream").atMost(LONG).until(() -> stream.idleTimeout().equals(Duration.ofSeconds(15)));
        stream.send(bookmark(12, true));
        awaitLines("list of 0 at 12");
        await("follows").atMost(LONG).until(() -> stream.idleTimeout().equals(Duration.ofMinutes(2)));
    }

    @Test
    void fetchBodiesListsAgainOnce() {
        server.whole(list(10, "", configMap("a", "x", 1, 5, "v"))).open();
        server.whole(list(20, "", configMap("a", "x", 1, 5, "v"))).open();
        start(false);
        awaitLines("list of 1 without bodies at 10");
        request(1);
        reflector.fetchBodies();
        awaitLines("list of 1 without bodies at 10", "list of 1 at 20");
        request(3);
        reflector.fetchBodies();
        reflector.stop();
        reflector.join();
        assertThat(server.requests).hasSize(4);
        assertThat(restarts("ended") + restarts("failed"))
                .as("it was asked for")
                .isZero();
    }

    @Test
    void fetchBodiesWhileAListIsAboutToBeRequestedRequestsItWithBodies() {
        beforeList = () -> {
            beforeList = () -> {};
            reflector.fetchBodies();
        };
        server.whole(list(10, "")).open();
        start(false);
        awaitLines("list of 0 at 10");
        request(1);
        assertThat(server.requests).hasSize(2);
    }

    @Test
    void streamedListWhenItsEndIsNotMarkedIsListedInTheSameRound() {
        options = options.withListMode(ListMode.STREAMED);
        server.whole(bookmark(5, false)).whole(list(10, "")).open();
        start(true);
        awaitLines("list of 0 at 10");
        request(2);
        assertThat(restarts("ended") + restarts("failed")).isZero();
    }

    @Test
    void streamedListWhenItIsRefusedIsListedInTheSameRound() {
        options = options.withListMode(ListMode.STREAMED);
        server.refuse(422, "Invalid").whole(list(10, "")).open();
        start(true);
        awaitLines("list of 0 at 10");
        request(2);
        assertThat(restarts("ended") + restarts("failed")).isZero();
    }

    @Test
    void streamedListWhenItWorksForgetsEarlierFailures() {
        ManualTimeSource time = new ManualTimeSource();
        streaming = new ListChoice(ListMode.STREAMED, Discovery.of(server), time);
        streaming.streamFailed();
        time.advance(Duration.ofMinutes(1));
        server.open().send(bookmark(12, true)).send(bookmark(13, false));
        start(true);
        awaitLines("list of 0 at 12", "bookmark at 13");
        streaming.streamFailed();
        time.advance(Duration.ofMinutes(1));
        assertThat(streaming.isStreamed()).as("after the first failure again").isTrue();
    }

    @Test
    void newestListWhenItBreaksOffIsStreamedInTheNextRound() {
        useAutomaticLists(37);
        server.open()
                .send("{\"kind\": \"ConfigMapList\", \"apiVersion\": \"v1\", \"items\": [")
                .cut();
        server.open().send(bookmark(12, true));
        start(true);
        awaitLines("list of 0 at 12");
        assertThat(server.requests.get(0).query()).doesNotContainKeys("limit", "resourceVersion", "watch");
        assertThat(server.requests.get(1).query()).containsKey("sendInitialEvents");
    }

    @Test
    void newestListWhenItsTimeIsOverIsReadInPagesIfStreamsFailToo() {
        useAutomaticLists(37);
        server.refuse(504, "Timeout").refuse(422, "Invalid").whole(list(12, "")).open();
        start(true);
        awaitLines("list of 0 at 12");
        assertThat(server.requests.get(1).query()).containsKey("sendInitialEvents");
        assertThat(server.requests.get(2).query()).containsKey("limit");
    }

    @Test
    void newestListWhenItIsRefusedForAnotherReasonIsRequestedAgain() {
        useAutomaticLists(37);
        server.refuse(503, "ServiceUnavailable").whole(list(12, "")).open();
        start(true);
        awaitLines("list of 0 at 12");
        assertThat(server.requests.get(1).query()).doesNotContainKeys("limit", "resourceVersion", "watch");
    }

    /** Let the reflector choose, with an API server of a minor version. */
    private void useAutomaticLists(int minor) {
        options = options.withListMode(ListMode.AUTOMATIC);
        Discovery version = Mockito.mock(Discovery.class);
        Mockito.when(version.isKubernetesAtLeast(ArgumentMatchers.anyInt()))
                .thenAnswer(call -> minor >= call.<Integer>getArgument(0));
        streaming = new ListChoice(ListMode.AUTOMATIC, version, new ManualTimeSource());
    }

    @Test
    void interruptWhileItWaitsToRetryMeansNothing() {
        List<Long> asked = new CopyOnWriteArrayList<>();
        AtomicReference<Thread> thread = new AtomicReference<>();
        server.answer(() -> {
            thread.set(Thread.currentThread());
            asked.add(System.nanoTime());
            throw new TooManyRequestsException(
                    "later", ErrorDetails.of(429, "TooManyRequests").withRetryAfter(Duration.ofSeconds(5)));
        });
        server.answer(() -> {
            asked.add(System.nanoTime());
            throw new IllegalStateException("end of the test");
        });
        start(true);
        await("waits").atMost(LONG).until(() -> restarts("failed") >= 1);
        thread.get().interrupt();
        await("retry").atMost(LONG).until(() -> asked.size() == 2);
        assertThat(Duration.ofNanos(asked.get(1) - asked.get(0))).isGreaterThanOrEqualTo(Duration.ofMillis(4950));
    }

    @Test
    void waitAfterAnOutageEndsWhenTheServerAnswersOthers() {
        options = options.withBackoff(Duration.ofMillis(1), Duration.ofHours(1));
        server.fail(new ConnectionException("no", ConnectionException.Problem.REFUSED, null));
        server.refuse(403, "Forbidden").whole(list(10, "")).open(); // waits for half an hour at least
        start(true);
        await("waits").atMost(LONG).until(() -> restarts("refused") == 1);
        await("answer").atMost(LONG).until(() -> {
            server.answered.incrementAndGet();
            return !store.lines.isEmpty();
        });
        awaitLines("list of 0 at 10");
    }

    /** A stream whose reads ignore interrupts, as those of a socket do. */
    private static final class Deaf extends ApiStream {

        private final CountDownLatch closed = new CountDownLatch(1);
        private final CountDownLatch reading = new CountDownLatch(1);

        @Override
        public void idleTimeout(Duration timeout) {}

        @Override
        public int read() {
            reading.countDown();
            boolean interrupted = false;
            while (true) {
                try {
                    closed.await();
                    break;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            return -1;
        }

        @Override
        public int read(byte[] to, int offset, int length) {
            return read();
        }

        @Override
        public void close() {
            closed.countDown();
        }
    }

    @Test
    void stopClosesTheStreamThatIsRead() throws InterruptedException {
        Deaf stream = new Deaf();
        server.whole(list(10, "")).answer(() -> stream);
        start(true);
        assertThat(reflector.isAlive()).isTrue();
        stream.reading.await();
        reflector.stop();
        stream.closed.await();
        reflector.join();
        assertThat(reflector.isAlive()).as("it was stopped").isTrue();
    }

    @Test
    void stopWhileAStreamIsOpenedClosesIt() throws InterruptedException {
        Deaf stream = new Deaf();
        server.whole(list(10, "")).answer(() -> {
            reflector.stop();
            return stream;
        });
        start(true);
        stream.closed.await();
    }

    @Test
    void stopWhileItWaitsToRetryEndsTheThread() {
        server.refuse(429, "TooManyRequests", Duration.ofMinutes(5));
        start(true);
        await("waits").atMost(LONG).until(() -> restarts("failed") == 1);
        reflector.stop();
        reflector.join();
        await("end")
                .atMost(LONG)
                .until(() -> LiveThreads.named("reflector-configmaps").isEmpty());
    }
}
