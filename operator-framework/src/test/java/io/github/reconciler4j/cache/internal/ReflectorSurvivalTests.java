package io.github.reconciler4j.cache.internal;

import static io.github.reconciler4j.cache.internal.Json.bookmark;
import static io.github.reconciler4j.cache.internal.Json.configMap;
import static io.github.reconciler4j.cache.internal.Json.event;
import static io.github.reconciler4j.cache.internal.Json.list;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.cache.WatchOptions;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.connection.ApiStream;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.fixtures.LiveThreads;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A reflector's thread ends when its kind is not wanted any more, and for no other reason. */
class ReflectorSurvivalTests extends ReflectorFixture {

    @BeforeEach
    @Override
    void makeCache() {
        makeCache(options());
    }

    /** The time stands still, so no watch that broke at once counts as one that was silent for long. */
    private static CacheOptions options() {
        return CacheOptions.defaults()
                .withTimeSource(new ManualTimeSource())
                .withWatch(WatchOptions.defaults()
                        .withBackoff(Duration.ofMillis(1), Duration.ofMillis(20))
                        .withListMode(WatchOptions.ListMode.WHOLE));
    }

    private static Stream<Named<Throwable>> failures() {
        return Stream.of(
                        new StackOverflowError(),
                        new OutOfMemoryError("not really"),
                        new NoClassDefFoundError("x/Y"),
                        new AssertionError("broken"),
                        new IllegalStateException("broken"),
                        new IndescribableException())
                .map(failure -> Named.of(failure.getClass().getSimpleName(), failure));
    }

    /** An exception whose methods throw. */
    private static final class IndescribableException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("cannot be described");
        }
    }

    @ParameterizedTest
    @MethodSource("failures")
    void reflectorWhenARequestFailsWithAnythingShowsItAndContinues(Throwable failure) {
        server.fail(failure);
        FakeConnection.Body list = server.open();
        FakeConnection.Body watch = server.open();
        cache.start();

        await("failure")
                .atMost(LONG)
                .until(() -> status().failure().contains(failure.getClass().getName()));
        list.send(list(10, "", configMap("a", "x", 1, 5, "v"))).end();
        watch.send(event("ADDED", configMap("a", "y", 2, 11, "v")));
        awaitEvents("initial a/x@5", "created a/y@11");
        await("no failure").atMost(LONG).until(() -> status().failure().isEmpty());
        assertThat(status().activity().lastError()).contains(failure.getClass().getName());
    }

    @Test
    void reflectorWhenRetryAfterIsYearsStaysAlive() {
        cache.close();
        cache = new DefaultCache(server, Scheme.create(), options());
        cache.informer(Kind.of(ConfigMap.class).metadata()).subscribe("metadata", event -> {});
        server.refuse(429, "TooManyRequests", Duration.ofSeconds(Long.MAX_VALUE));
        cache.start();
        await("failure").atMost(LONG).until(() -> !status().failure().isEmpty());
        assertThat(status().watched()).isTrue();
        server.whole(list(10, "", configMap("a", "x", 1, 5, "v")));
        server.open();

        // A user of bodies wakes the thread, which would sleep for 5 minutes otherwise.
        List<String> seen = new CopyOnWriteArrayList<>();
        cache.informer(ConfigMap.class)
                .subscribe("bodies", event -> seen.add(event.snapshot().key().name()));

        await("the thread continues").atMost(LONG).until(() -> seen.equals(List.of("x")));
    }

    /** A server that does not answer. */
    private record Away(AtomicInteger attempts) implements ApiConnection {

        @Override
        public String server() {
            return "http://away.invalid";
        }

        @Override
        public ApiResponse send(ApiRequest request) {
            throw new ConnectionException("refused", ConnectionException.Problem.REFUSED, null);
        }

        @Override
        public ApiStream stream(ApiRequest request) {
            attempts.incrementAndGet();
            throw new ConnectionException("refused", ConnectionException.Problem.REFUSED, null);
        }

        @Override
        public void close() {}
    }

    @Test
    void logWhenTheServerIsAwayForTwentyKindsHasOneLine() {
        AtomicInteger attempts = new AtomicInteger();
        Scheme scheme = Scheme.create();
        try (CapturedLog log = CapturedLog.of("io.github.reconciler4j.cache");
                Cache away = new DefaultCache(new Away(attempts), scheme, options())) {
            for (int i = 0; i < 20; i++) {
                KindName kind = KindName.of("example.io/v1", "Kind" + i);
                scheme.register(new KindInfo(kind, "kind" + i + "s", true));
                away.informer(Kind.of(kind)).subscribe("test", event -> {});
            }
            away.start();

            await("attempts of every kind")
                    .atMost(LONG)
                    .until(() -> attempts.get() > 100
                            && away.kinds().stream()
                                    .noneMatch(kind -> kind.failure().isEmpty()));
            assertThat(log.lines(Level.WARN)).singleElement().asString().contains("refused; retrying");
        }
    }

    @Test
    void reflectorWhenATransformInterruptsItsThreadContinues() {
        cache.close();
        makeCache(options()
                .withKindDefaults(KindCacheOptions.defaults()
                        .withTransform(object -> Thread.currentThread().interrupt())));
        server.whole(list(10, "", configMap("a", "x", 1, 5, "v")));
        server.open()
                .send(event("ADDED", configMap("a", "y", 2, 11, "v")))
                .send(event("ADDED", configMap("a", "z", 3, 12, "v")));
        cache.start();

        await("all objects")
                .atMost(LONG)
                .until(() ->
                        cache.list(Kind.of(ConfigMap.class), Selection.all()).size() == 3);
        assertThat(server.requests).hasSize(2);
        assertThat(LiveThreads.named("reflector-configmaps")).hasSize(1);
    }

    @Test
    void reflectorWhenMetricsFailLosesNothing() {
        cache.close();
        makeCache(options().withMetrics(new FailingMetrics()));
        server.whole(list(10, "", configMap("a", "x", 1, 5, "v")));
        FakeConnection.Body second = server.open();
        for (int i = 0; i < 10; i++) {
            server.open().send(event("ADDED", configMap("a", "y", 2, 11, "v")));
        }
        second.send(event("ADDED", configMap("a", "y", 2, 11, "v")));
        cache.start();

        awaitEvents("initial a/x@5", "created a/y@11");
        assertThat(LiveThreads.named("reflector-configmaps")).hasSize(1);
    }

    /** Metrics whose counters fail. */
    private static final class FailingMetrics implements OperatorMetrics {

        @Override
        public Counter counter(String name, String help, String... labels) {
            return amount -> {
                throw new NoClassDefFoundError("metrics/Backend");
            };
        }

        @Override
        public Histogram histogram(String name, String help, double[] buckets, String... labels) {
            return NONE.histogram(name, help, buckets, labels);
        }

        @Override
        public Registration gauge(String name, String help, java.util.function.DoubleSupplier value, String... labels) {
            return NONE.gauge(name, help, value, labels);
        }
    }

    private void breakAtOnce(int watches) {
        for (int i = 0; i < watches; i++) {
            server.whole("");
        }
    }

    @Test
    void watchWhenEveryOneIsEndedAtOnceIsReplacedByLists() {
        server.whole(list(10, "", configMap("a", "x", 1, 5, "v")));
        breakAtOnce(4);
        FakeConnection.Body second = server.open();
        breakAtOnce(4);
        FakeConnection.Body list = server.open();
        server.open().send(bookmark(31, false));
        cache.start();

        awaitEvents("initial a/x@5"); // before it changes, since both would be one event otherwise
        second.send(list(20, "", configMap("a", "x", 1, 15, "v"))).end();
        awaitEvents("initial a/x@5", "updated a/x@15");
        assertThat(parameter(request(10), "watch")).isEmpty();
        assertThat(status().failure()).contains("ended without delivering anything");
        assertThat(status().synced()).isTrue();
        list.send(list(30, "", configMap("a", "x", 1, 15, "v"))).end();
        await("no failure").atMost(LONG).until(() -> status().failure().isEmpty());
    }

    @ParameterizedTest
    @MethodSource("brokenWatches")
    void watchWhenNothingEverArrivesWholeIsReplacedByAList(String body) {
        server.whole(list(10, "", configMap("a", "x", 1, 5, "v")));
        for (int i = 0; i < 4; i++) {
            server.open().send(body).cut();
        }
        FakeConnection.Body list = server.open();
        server.open();
        cache.start();

        assertThat(parameter(request(5), "watch")).isEmpty();
        assertThat(status().failure()).contains("cannot watch configmaps");
        awaitEvents("initial a/x@5");
        list.send(list(20, "", configMap("a", "x", 1, 15, "v"))).end();
        awaitEvents("initial a/x@5", "updated a/x@15");
    }

    private static List<String> brokenWatches() {
        return List.of(
                "<html><body>Sign in</body></html>",
                "{}",
                event("MODIFIED", configMap("a", "x", 1, 15, "v")).substring(0, 80),
                Json.error(500, "InternalError"));
    }

    @Test
    void watchWhenItDeliversBetweenBrokenOnesIsNotReplaced() {
        server.whole(list(10, "", configMap("a", "x", 1, 5, "v")));
        breakAtOnce(3);
        server.open().send(bookmark(12, false)).cut();
        breakAtOnce(3);
        server.open();
        cache.start();

        for (int i = 1; i <= 8; i++) {
            assertThat(parameter(request(i), "watch")).containsExactly("true");
        }
        assertThat(cache.get(ConfigMap.class, ObjectKey.of("a", "x"))).isPresent();
    }

    @Test
    void watchWhenServerIsDownForLongContinuesWhereItWas() {
        server.whole(list(10, "", configMap("a", "x", 1, 5, "v")));
        server.open().send(bookmark(12, false)).cut();
        AtomicInteger refused = new AtomicInteger();
        for (int i = 0; i < 8; i++) {
            server.refuse(i % 2 == 0 ? 0 : 503, "down " + refused.incrementAndGet());
        }
        server.open();
        cache.start();

        assertThat(parameter(request(10), "resourceVersion")).containsExactly("12");
        assertThat(parameter(request(10), "watch")).containsExactly("true");
    }
}
