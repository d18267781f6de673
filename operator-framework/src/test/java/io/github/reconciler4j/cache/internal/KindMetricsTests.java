package io.github.reconciler4j.cache.internal;

import static io.github.reconciler4j.cache.internal.Json.bookmark;
import static io.github.reconciler4j.cache.internal.Json.configMap;
import static io.github.reconciler4j.cache.internal.Json.event;
import static io.github.reconciler4j.cache.internal.Json.list;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.Subscription;
import io.github.reconciler4j.cache.WatchOptions;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.error.UndecodableObjectException;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class KindMetricsTests {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final FakeConnection server = new FakeConnection();
    private final Recorded metrics = new Recorded();
    private final DefaultCache cache = new DefaultCache(
            server,
            Scheme.create(),
            CacheOptions.defaults()
                    .withMetrics(metrics)
                    .withWatch(WatchOptions.defaults().withListMode(WatchOptions.ListMode.WHOLE)));

    @AfterEach
    void close() {
        cache.close();
    }

    private double value(String name) {
        return metrics.values.getOrDefault(name, () -> -1).getAsDouble();
    }

    @Test
    void metricsWhenKindIsFollowedCountWhatHappens() {
        server.whole(list(10, "", configMap("a", "x", 1, 5, "v"), configMap("a", "y", 2, 6, "v")));
        FakeConnection.Body watch = server.open();
        server.open();
        Subscription subscription = cache.informer(ConfigMap.class).subscribe("mine", event -> {});
        cache.start();
        watch.send(event("MODIFIED", configMap("a", "x", 1, 11, "w")));
        watch.send(event("DELETED", configMap("a", "y", 2, 12, "w"))).end();

        await("second watch").atMost(LONG).until(() -> value("watches_total kind=configmaps") == 2);
        assertThat(value("objects kind=configmaps")).isEqualTo(1);
        assertThat(value("body_bytes kind=configmaps")).isPositive();
        assertThat(value("synced kind=configmaps")).isEqualTo(1);
        assertThat(value("lists_total kind=configmaps")).isEqualTo(1);
        assertThat(value("listed_objects_total kind=configmaps")).isEqualTo(2);
        assertThat(value("changes_total kind=configmaps type=created")).isEqualTo(2);
        assertThat(value("changes_total kind=configmaps type=updated")).isEqualTo(1);
        assertThat(value("changes_total kind=configmaps type=deleted")).isEqualTo(1);
        assertThat(value("watch_restarts_total kind=configmaps reason=ended")).isEqualTo(1);
        assertThat(value("sync_seconds kind=configmaps")).isPositive();
        await("drained").atMost(LONG).until(() -> value("subscription_depth kind=configmaps subscription=mine") == 0);

        subscription.close();
        assertThat(metrics.values).doesNotContainKey("subscription_depth kind=configmaps subscription=mine");
        cache.close();
        assertThat(metrics.values).doesNotContainKey("objects kind=configmaps");
    }

    @Test
    void stalenessWhenTheServerSendsNothingGrowsUntilItSendsSomething() {
        ManualTimeSource time = new ManualTimeSource();
        CacheOptions options = CacheOptions.defaults()
                .withMetrics(metrics)
                .withWatch(WatchOptions.defaults().withListMode(WatchOptions.ListMode.WHOLE));
        server.whole(list(10, "", configMap("a", "x", 1, 5, "v")));
        FakeConnection.Body watch = server.open();
        try (Cache aging = new DefaultCache(Scheme.create(), CacheContext.create(server, options, time))) {
            aging.informer(ConfigMap.class).subscribe("mine", event -> {});
            aging.start();
            await("synced").atMost(LONG).until(() -> aging.kinds().get(0).synced());
            assertThat(staleness(aging)).isZero();

            time.advance(Duration.ofMinutes(7));
            assertThat(staleness(aging)).isEqualTo(Duration.ofMinutes(7));
            assertThat(value("staleness_seconds kind=configmaps")).isEqualTo(420);
            assertThat(value("last_event_age_seconds kind=configmaps"))
                    .as("no event yet")
                    .isZero();

            watch.send(bookmark(11, false));
            await("bookmark").atMost(LONG).until(() -> staleness(aging).isZero());
            time.advance(Duration.ofSeconds(30));
            assertThat(value("staleness_seconds kind=configmaps")).isEqualTo(30);
            assertThat(value("last_event_age_seconds kind=configmaps")).isEqualTo(30);
            watch.send(event("MODIFIED", configMap("a", "x", 1, 12, "w")));
            await("event").atMost(LONG).until(() -> staleness(aging).isZero());
        }
    }

    private static Duration staleness(Cache cache) {
        return cache.kinds().get(0).activity().staleness();
    }

    @Test
    @Timeout(60)
    void readWhenOneObjectDoesNotFitItsClassNamesTheFieldAndReadsTheOthers() {
        String bad =
                configMap("a", "bad", 1, 5, "secret-value").replace("{\"key\":\"secret-value\"}", "[\"secret-value\"]");
        server.whole(list(10, "", bad, configMap("a", "good", 2, 6, "v")));
        FakeConnection.Body watch = server.open();
        cache.start();

        assertThatThrownBy(() -> cache.get(ConfigMap.class, ObjectKey.of("a", "bad")))
                .isInstanceOf(UndecodableObjectException.class)
                .hasMessageContaining("ConfigMap a/bad")
                .hasMessageContaining("'data'")
                .hasMessageNotContaining("secret-value");
        assertThat(cache.list(Kind.of(ConfigMap.class), Selection.all()))
                .extracting(map -> map.getMetadata().getName())
                .containsExactly("good");
        assertThat(cache.informer(ConfigMap.class).list("")).hasSize(2);
        assertThat(value("decode_failures_total kind=configmaps")).isEqualTo(2);
        assertThat(cache.kinds().get(0).content().undecodableObjectMessages()).hasSize(1);

        watch.send(event("MODIFIED", configMap("a", "bad", 1, 11, "fixed")));
        await("fixed")
                .atMost(LONG)
                .until(() ->
                        cache.list(Kind.of(ConfigMap.class), Selection.all()).size() == 2);
        await("no message")
                .atMost(LONG)
                .until(() -> cache.kinds()
                        .get(0)
                        .content()
                        .undecodableObjectMessages()
                        .isEmpty());
    }

    /** Keeps the present value of everything by name and labels. */
    private static final class Recorded implements OperatorMetrics {

        private final Map<String, DoubleSupplier> values = new ConcurrentHashMap<>();

        private static String key(String name, String... labels) {
            StringBuilder key = new StringBuilder(name.replace("reconciler4j_cache_", ""));
            for (int i = 0; i < labels.length; i += 2) {
                key.append(' ').append(labels[i]).append('=').append(labels[i + 1]);
            }
            return key.toString();
        }

        @Override
        public Counter counter(String name, String help, String... labels) {
            double[] sum = {0};
            values.put(key(name, labels), () -> sum[0]);
            return amount -> {
                synchronized (sum) {
                    sum[0] += amount;
                }
            };
        }

        @Override
        public Histogram histogram(String name, String help, double[] buckets, String... labels) {
            return value -> {};
        }

        @Override
        public Registration gauge(String name, String help, DoubleSupplier value, String... labels) {
            values.put(key(name, labels), value);
            return () -> values.remove(key(name, labels));
        }
    }
}
