package io.github.reconciler4j.cache.internal.watch;

import static io.github.reconciler4j.cache.internal.Json.bookmark;
import static io.github.reconciler4j.cache.internal.Json.configMap;
import static io.github.reconciler4j.cache.internal.Json.error;
import static io.github.reconciler4j.cache.internal.Json.event;
import static io.github.reconciler4j.cache.internal.Json.list;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.cache.CachedShards;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.cache.ObjectSelector;
import io.github.reconciler4j.cache.ShardKey;
import io.github.reconciler4j.cache.WatchOptions;
import io.github.reconciler4j.cache.internal.FakeConnection;
import io.github.reconciler4j.cache.internal.json.MutableHeader;
import io.github.reconciler4j.cache.internal.json.StringInterner;
import io.github.reconciler4j.cache.internal.metrics.KindMetrics;
import io.github.reconciler4j.cache.internal.storage.CompactEncoder;
import io.github.reconciler4j.cache.internal.storage.DeflaterPool;
import io.github.reconciler4j.cache.internal.storage.EntryReader;
import io.github.reconciler4j.cache.internal.storage.ObjectStore;
import io.github.reconciler4j.client.Discovery;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiStream;
import io.github.reconciler4j.client.error.ErrorDetails;
import io.github.reconciler4j.client.error.TooManyRequestsException;
import io.github.reconciler4j.fixtures.LiveThreads;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.fixtures.RecordingMetrics;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A reflector with a store that only notes what it is given. */
class ReflectorLoopTests {

    private static final KindInfo INFO = Scheme.create().kindOf(ConfigMap.class);
    private static final Duration LONG = Duration.ofSeconds(30);

    private final Scope scope = new Scope(INFO, "", ObjectSelector.everything(), List.of());
    private final FakeConnection server = new FakeConnection();
    private final RecordingMetrics metrics = new RecordingMetrics();
    private final Discovery discovery = mock(Discovery.class);
    private final Journal store = new Journal();
    private WatchOptions options = WatchOptions.defaults()
            .withBackoff(Duration.ofMillis(1), Duration.ofMillis(20))
            .withWatchList(false);
    private volatile ShardFilter shards = ShardFilter.ALL;
    private volatile boolean newest;
    private volatile Runnable beforeList = () -> {};
    private final SyncState state = new SyncState(TimeSource.system());
    private ListStreaming streaming;
    private Reflector reflector;

    /** Notes what a reflector stores. */
    private final class Journal implements ReflectorStore {

        private final List<String> lines = new CopyOnWriteArrayList<>();
        private volatile boolean mustList;

        @Override
        public boolean select(ShardFilter filter) {
            return mustList;
        }

        @Override
        public void selectedNothing() {
            lines.add("nothing");
        }

        @Override
        public ListSnapshot newList(boolean bodies) {
            return new ListSnapshot(new ObjectStore(), scope, shards, bodies);
        }

        @Override
        public void replace(ListSnapshot list, String version) {
            lines.add("list of " + list.size() + (list.hasBodies() ? "" : " without bodies") + " at " + version);
        }

        @Override
        public void event(WatchReader.Type type, MutableHeader header, EntryReader object) {
            lines.add(type + " " + header.name() + " at " + header.version());
        }

        @Override
        public void bookmark(String version) {
            lines.add("bookmark at " + version);
        }
    }

    private void start(boolean bodies) {
        state.started();
        state.planned(List.of(scope));
        StringInterner strings = new StringInterner();
        Reflector.Context context =
                new Reflector.Context(server, discovery, options, strings, TimeSource.system(), new LogLimiter());
        Reflector.Kind kind = new Reflector.Kind(
                state,
                new KindMetrics(metrics, INFO),
                streaming == null ? new ListStreaming(options.watchList(), TimeSource.system()) : streaming,
                new EntryReader.Factory(
                        INFO, KindCacheOptions.defaults(), strings, new CompactEncoder(new DeflaterPool())),
                () -> shards);
        reflector = new Reflector(scope, context, kind, store, this::isNewestNecessary, bodies);
        reflector.start();
    }

    private boolean isNewestNecessary() {
        beforeList.run();
        return newest;
    }

    @AfterEach
    void stop() {
        reflector.stop();
        reflector.join();
    }

    private void awaitLines(String... lines) {
        await("lines").atMost(LONG).untilAsserted(() -> assertThat(store.lines).containsExactly(lines));
    }

    private ApiRequest request(int number) {
        await("request " + number).atMost(LONG).until(() -> server.requests.size() > number);
        return server.requests.get(number);
    }

    private String version(int request) {
        return String.join("", request(request).query().getOrDefault("resourceVersion", List.of()));
    }

    private double restarts(String reason) {
        return metrics.count("reconciler4j_cache_watch_restarts_total{kind=configmaps,reason=" + reason + "}");
    }

    private double count(String name) {
        return metrics.count("reconciler4j_cache_" + name + "_total{kind=configmaps}");
    }

    private ShardFilter held(Set<Integer> numbers) {
        return ShardFilter.of(HeldShards.initial(CachedShards.of(4, numbers)), ShardKey.uid(), INFO);
    }

    @Test
    void restartsAreCountedByTheirReason() {
        options = options.withIdleTimeout(Duration.ofMillis(100));
        server.whole(list(10, "", configMap("a", "x", 1, 5, "v"))).whole(bookmark(11, false)); // ended
        server.whole(error(410, "Expired")).whole(list(20, "")); // gone
        server.open().send(bookmark(21, false)).cut(); // failed
        server.refuse(403, "Forbidden");
        server.open().send(event("ADDED", configMap("a", "y", 2, 30, "v"))); // and nothing more
        server.open();
        start(true);

        await("idle").atMost(LONG).until(() -> restarts("idle") >= 1); // the last watch is idle too
        for (String reason : List.of("ended", "gone", "failed", "refused")) {
            assertThat(restarts(reason)).as(reason).isEqualTo(1);
        }
        awaitLines("list of 1 at 10", "bookmark at 11", "list of 0 at 20", "bookmark at 21", "ADDED y at 30");
        assertThat(version(7)).isEqualTo("30");
        assertThat(count("lists")).isEqualTo(2);
        assertThat(count("listed_objects")).isEqualTo(1);
        await("watches").atMost(LONG).until(() -> count("watches") == 5);
    }

    @Test
    void watchIsRequestedForItsLifetimeInWholeSeconds() {
        options = options.withLifetime(Duration.ofMinutes(5), Duration.ofMinutes(5));
        server.whole(list(10, "")).open();
        start(true);
        assertThat(request(1).query().get("timeoutSeconds")).containsExactly("300");
    }

    @Test
    void watchWhenItsLifetimeIsBelowASecondIsRequestedForOne() {
        options = options.withLifetime(Duration.ofMillis(10), Duration.ofMillis(20));
        server.whole(list(10, "")).open();
        start(true);
        assertThat(request(1).query().get("timeoutSeconds")).containsExactly("1");
    }

    @Test
    void watchMayBeSilentForItsLifetimeUntilABookmarkArrives() {
        options = options.withLifetime(Duration.ofMinutes(5), Duration.ofMinutes(10))
                .withIdleTimeout(Duration.ofMinutes(2));
        server.whole(list(10, ""));
        FakeConnection.Body first = server.open();
        FakeConnection.Body second = server.open();
        start(true);
        first.send(event("ADDED", configMap("a", "x", 1, 11, "v")));
        awaitLines("list of 0 at 10", "ADDED x at 11");
        assertThat(first.idleTimeout()).isEqualTo(Duration.ofSeconds(630));
        first.send(bookmark(12, false));
        await("bookmark").atMost(LONG).until(() -> first.idleTimeout().equals(Duration.ofMinutes(2)));
        first.end();
        await("second").atMost(LONG).until(() -> second.idleTimeout().equals(Duration.ofMinutes(2)));
        assertThat(version(2)).isEqualTo("12");
    }

    @Test
    void streamedListMayBeSilentForFifteenSeconds() {
        options = options.withWatchList(true).withIdleTimeout(Duration.ofMinutes(2));
        FakeConnection.Body stream = server.open();
        start(true);
        await("stream").atMost(LONG).until(() -> stream.idleTimeout().equals(Duration.ofSeconds(15)));
        stream.send(bookmark(12, true));
        awaitLines("list of 0 at 12");
        await("follows").atMost(LONG).until(() -> stream.idleTimeout().equals(Duration.ofMinutes(2)));
    }

    @Test
    void listIsTheNewestOnlyIfThatIsNecessary() {
        newest = true;
        server.whole(list(10, ""))
                .whole(error(410, "Expired"))
                .whole(list(20, ""))
                .open();
        start(true);
        assertThat(request(0).query()).doesNotContainKey("resourceVersion");
        assertThat(version(2)).as("not older than what was seen").isEqualTo("10");
    }

    @Test
    void startWhenTheKindIsMissingAsksAgainWhetherItIsServed() {
        server.whole(list(10, "")).refuse(404, "NotFound").whole(list(20, "")).open();
        start(true);
        awaitLines("list of 0 at 10", "list of 0 at 20");
        verify(discovery, times(2)).check(any());
        verify(discovery, times(1)).forget();
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
    void shardsWhenNoneIsHeldAreNotWatchedAndWhenGainedListedAnew() {
        shards = held(Set.of());
        start(true);
        awaitLines("nothing");
        assertThat(server.requests).isEmpty();

        server.whole(list(10, "")).open();
        store.mustList = true;
        shards = held(Set.of(1));
        reflector.shardsChanged();
        awaitLines("nothing", "list of 0 at 10");
        assertThat(request(0).query()).doesNotContainKey("resourceVersion").containsKey("shardSelector");
        request(1);
    }

    @Test
    void shardsWhenNothingMustBeListedContinueWhereTheyWere() {
        shards = held(Set.of(1, 2));
        server.whole(list(10, "")).open();
        server.open().send(bookmark(12, false));
        start(true);
        request(1);
        assertThat(version(0)).as("the first list").isEqualTo("0");
        shards = held(Set.of(1));
        reflector.shardsChanged();
        awaitLines("list of 0 at 10", "bookmark at 12");
        assertThat(version(2)).isEqualTo("10");
        assertThat(request(2).query()).isNotEqualTo(request(1).query());
    }

    @Test
    void listWhenObjectsBelongToOtherShardsCountsThem() {
        CachedShards four = CachedShards.of(4, Set.of());
        int other = (four.ofNamespace("z") + 1) % 4;
        shards = ShardFilter.of(
                HeldShards.initial(four.withHeld(Set.of(other))), ShardKey.namespaceOf(header -> "z"), INFO);
        server.whole(list(10, "", configMap("a", "x", 1, 5, "v"))).open();
        start(true);
        request(1);
        assertThat(count("filtered_objects")).isEqualTo(1);
        assertThat(count("listed_objects")).isZero();
    }

    @Test
    void shardsWhenNoneIsHeldMeanwhileAreListedAgain() {
        shards = held(Set.of(1));
        server.whole(list(10, "")).open();
        start(true);
        request(1);
        shards = held(Set.of());
        reflector.shardsChanged();
        awaitLines("list of 0 at 10", "nothing");
        server.whole(list(20, "")).open();
        shards = held(Set.of(1));
        reflector.shardsChanged();
        awaitLines("list of 0 at 10", "nothing", "list of 0 at 20");
    }

    @Test
    void shardsWhenNoneIsHeldAnyMoreEndsTheFailure() {
        shards = held(Set.of(1));
        server.refuse(403, "Forbidden", Duration.ofMinutes(5));
        start(true);
        await("failure").atMost(LONG).until(() -> state.failure().isPresent());
        shards = held(Set.of());
        reflector.shardsChanged();
        awaitLines("nothing");
        assertThat(state.failure()).isEmpty();
    }

    @Test
    void streamedListWhenItsEndIsNotMarkedIsListedInTheSameRound() {
        options = options.withWatchList(true);
        server.whole(bookmark(5, false)).whole(list(10, "")).open();
        start(true);
        awaitLines("list of 0 at 10");
        request(2);
        assertThat(restarts("ended") + restarts("failed")).isZero();
    }

    @Test
    void streamedListWhenItIsRefusedIsListedInTheSameRound() {
        options = options.withWatchList(true);
        server.refuse(422, "Invalid").whole(list(10, "")).open();
        start(true);
        awaitLines("list of 0 at 10");
        request(2);
        assertThat(restarts("ended") + restarts("failed")).isZero();
    }

    @Test
    void streamedListWhenItWorksForgetsEarlierFailures() {
        ManualTimeSource time = new ManualTimeSource();
        streaming = new ListStreaming(true, time);
        streaming.failed();
        time.advance(Duration.ofMinutes(1));
        server.open().send(bookmark(12, true)).send(bookmark(13, false));
        start(true);
        awaitLines("list of 0 at 12", "bookmark at 13");
        streaming.failed();
        time.advance(Duration.ofMinutes(1));
        assertThat(streaming.isDue()).as("after the first failure again").isTrue();
    }

    @Test
    void interruptWhileItWaitsToRetryMeansNothing() {
        List<Long> asked = new CopyOnWriteArrayList<>();
        AtomicReference<Thread> thread = new AtomicReference<>();
        server.answer(() -> {
            thread.set(Thread.currentThread());
            asked.add(System.nanoTime());
            throw new TooManyRequestsException(
                    "later", ErrorDetails.of(429, "TooManyRequests").withRetryAfter(Duration.ofSeconds(1)));
        });
        server.answer(() -> {
            asked.add(System.nanoTime());
            throw new IllegalStateException("end of the test");
        });
        start(true);
        await("waits").atMost(LONG).until(() -> restarts("failed") == 1);
        thread.get().interrupt();
        await("retry").atMost(LONG).until(() -> asked.size() == 2);
        assertThat(Duration.ofNanos(asked.get(1) - asked.get(0))).isGreaterThanOrEqualTo(Duration.ofMillis(950));
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
