package io.github.reconciler4j.cache.internal;

import static io.github.reconciler4j.cache.internal.Json.configMap;
import static io.github.reconciler4j.cache.internal.Json.event;
import static io.github.reconciler4j.cache.internal.Json.list;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.cache.Partition;
import io.github.reconciler4j.cache.PartitionKey;
import io.github.reconciler4j.cache.WatchOptions;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.scheme.Scheme;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** A change of parts does not interrupt the watch of a kind that it does not concern. */
class UnconcernedWatchTests {

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Partition NONE = Partition.of(2, Set.of());

    private final FakeConnection server = new FakeConnection();
    private final List<String> events = new CopyOnWriteArrayList<>();

    /** What the last watch delivers after the changes shows that it was not ended by them. */
    private void check(PartitionKey key, Partition first, Partition... later) {
        server.whole(list(10, ""));
        FakeConnection.Body watch = server.open();
        CacheOptions options = CacheOptions.defaults()
                .withPartition(first)
                .withKindDefaults(KindCacheOptions.defaults().withPartitionKey(key))
                .withWatch(WatchOptions.defaults().withListMode(WatchOptions.ListMode.WHOLE));
        try (CapturedLog log = CapturedLog.of("io.github.reconciler4j.cache");
                DefaultCache cache = new DefaultCache(server, Scheme.create(), options)) {
            cache.informer(ConfigMap.class)
                    .subscribe(
                            "test", event -> events.add(event.snapshot().key().name()));
            cache.start();
            watch.send(event("ADDED", configMap("a", "before", 1, 11, "v")));
            awaitEvents("before");
            for (Partition held : later) {
                cache.changePartition(held);
            }
            watch.send(event("ADDED", configMap("a", "after", 2, 12, "v")));
            awaitEvents("before", "after");
            assertThat(server.requests).hasSize(2);
            assertThat(log.lines(Level.WARN)).isEmpty();
        }
    }

    private void awaitEvents(String... expected) {
        await("events").atMost(LONG).untilAsserted(() -> assertThat(events).containsExactly(expected));
    }

    @Test
    void changePartitionWhenAKindIsNotDividedContinuesItsWatch() {
        check(PartitionKey.whole(), NONE, NONE.withHeld(Set.of(0)), NONE.withHeld(Set.of(1)));
    }

    @Test
    void changePartitionWhenTheyAreEqualContinuesTheWatch() {
        Set<Integer> held = Set.of(NONE.ofNamespace("a"));
        check(PartitionKey.namespace(), NONE.withHeld(held), NONE.withHeld(held), NONE.withHeld(held));
    }
}
