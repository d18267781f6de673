package io.github.reconciler4j.cache.internal;

import static io.github.reconciler4j.cache.internal.Json.bookmark;
import static io.github.reconciler4j.cache.internal.Json.configMap;
import static io.github.reconciler4j.cache.internal.Json.event;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.WatchOptions;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import java.lang.ref.WeakReference;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ReleasedMemoryTests {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final FakeConnection server = new FakeConnection();

    @Test
    void watchWhenAnObjectOfItsFirstListIsDeletedKeepsNothingOfIt() {
        CacheOptions options = CacheOptions.defaults()
                .withWatch(WatchOptions.defaults().withListMode(WatchOptions.ListMode.STREAMED))
                .withSyncTimeout(LONG);
        try (DefaultCache cache = new DefaultCache(server, Scheme.create(), options)) {
            FakeConnection.Body watch = server.open();
            watch.send(event("ADDED", configMap("a", "x", 1, 5, "v")))
                    .send(event("ADDED", configMap("a", "y", 2, 6, "v")))
                    .send(bookmark(10, true));
            cache.informer(ConfigMap.class);
            cache.start();
            WeakReference<ObjectHeader> entry =
                    new WeakReference<>(cache.get(Kind.of("v1", "ConfigMap").metadata(), ObjectKey.of("a", "x"))
                            .orElseThrow());

            watch.send(event("DELETED", configMap("a", "x", 1, 11, "v")));
            watch.send(event("MODIFIED", configMap("a", "y", 2, 12, "v"))); // what was read last may be kept

            await("deletion")
                    .atMost(LONG)
                    .until(() -> cache.list(Kind.of(ConfigMap.class), Selection.all())
                                    .size()
                            == 1);
            await("collection as garbage").atMost(LONG).until(() -> {
                System.gc();
                return entry.get() == null;
            });
        }
    }
}
