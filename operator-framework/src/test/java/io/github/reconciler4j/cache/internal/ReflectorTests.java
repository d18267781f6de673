package io.github.reconciler4j.cache.internal;

import static io.github.reconciler4j.cache.internal.Json.bookmark;
import static io.github.reconciler4j.cache.internal.Json.configMap;
import static io.github.reconciler4j.cache.internal.Json.event;
import static io.github.reconciler4j.cache.internal.Json.list;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.CacheSyncTimeoutException;
import io.github.reconciler4j.cache.KindUnavailableException;
import io.github.reconciler4j.cache.WatchOptions;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.fixtures.LiveThreads;
import io.github.reconciler4j.scheme.Kind;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How a reflector follows its watch, what it says while it cannot, and its end. */
class ReflectorTests extends ReflectorFixture {

    @Test
    void watchWhenItEndsResumesAfterTheNewestVersion() {
        server.whole(list(10, ""));
        FakeConnection.Body watch = server.open();
        FakeConnection.Body second = server.open();
        FakeConnection.Body third = server.open();
        cache.start();
        watch.send(event("ADDED", configMap("a", "x", 1, 11, "v")))
                .send(bookmark(20, false))
                .end();
        second.send(event("ADDED", configMap("a", "y", 2, 25, "v"))).cut();
        third.send(event("MODIFIED", configMap("a", "x", 1, 30, "v")));

        awaitEventsEventually("updated a/x@30", "created a/x@30");
        assertThat(parameter(request(2), "resourceVersion")).containsExactly("20");
        assertThat(parameter(request(3), "resourceVersion")).containsExactly("25");
        assertThat(server.requests).hasSize(4);
    }

    @Test
    void watchWhenEventIsNotNewerIgnoresIt() {
        server.whole(list(10, "", configMap("a", "x", 1, 9, "v")));
        FakeConnection.Body watch = server.open();
        cache.start();
        watch.send(event("MODIFIED", configMap("a", "x", 1, 8, "old")));
        watch.send(event("DELETED", configMap("a", "x", 1, 7, "old")));
        watch.send(event("ADDED", configMap("a", "x", 1, 9, "v")));
        watch.send(event("ADDED", configMap("a", "y", 2, 11, "v")));

        awaitEvents("initial a/x@9", "created a/y@11");
    }

    @Test
    void watchWhenNothingArrivesAfterABookmarkResumes() {
        cache.close();
        makeCache(false, Duration.ofMillis(200));
        server.whole(list(10, ""));
        FakeConnection.Body watch = server.open();
        server.open().send(event("ADDED", configMap("a", "x", 1, 21, "v")));
        cache.start();
        watch.send(bookmark(20, false));

        assertThat(parameter(request(2), "resourceVersion")).containsExactly("20");
        awaitEvents("created a/x@21");
    }

    @Test
    void readWhenRightIsMissingFailsAtOnceAndNamesTheRule() {
        for (int i = 0; i < 1000; i++) {
            server.refuse(403, "Forbidden");
        }
        cache.start();

        assertThatThrownBy(() -> cache.list(Kind.of(ConfigMap.class), Selection.all()))
                .isInstanceOf(KindUnavailableException.class)
                .hasMessageContaining("resources: [\"configmaps\"]")
                .hasMessageContaining("ClusterRole");
    }

    @Test
    void awaitSyncWhenKindIsMissingReportsThatAndSyncsOnceItExists() throws Exception {
        server.refuse(404, "NotFound");
        FakeConnection.Body late = server.open();
        server.open();
        cache.start();
        request(1);

        assertThatThrownBy(() -> informer.awaitSync(Duration.ofMillis(50)))
                .isInstanceOf(CacheSyncTimeoutException.class)
                .hasMessageContaining("CustomResourceDefinition");

        late.send(list(10, "", configMap("a", "x", 1, 1, "v"))).end();
        informer.awaitSync(LONG);
        awaitEvents("initial a/x@1");
    }

    @Test
    void resyncWhenDueDeliversEveryObjectAgain() {
        cache.close();
        makeCache(CacheOptions.defaults()
                .withResync(Duration.ofMillis(100))
                .withWatch(WatchOptions.defaults().withListMode(WatchOptions.ListMode.WHOLE)));
        server.whole(list(10, "", configMap("a", "x", 1, 9, "v"), configMap("a", "y", 2, 8, "v")));
        server.open();
        cache.start();

        await("resyncs")
                .atMost(LONG)
                .until(() -> events.stream()
                                .filter(event -> event.equals("resync a/x@9") || event.equals("resync a/y@8"))
                                .count()
                        >= 4);
        assertThat(events.subList(0, 2)).containsExactly("initial a/x@9", "initial a/y@8");
    }

    @Test
    void closeWhenReflectorIsBlockedEndsItsThreads() {
        server.whole(list(10, "", configMap("a", "x", 1, 9, "v")));
        server.open();
        cache.start();
        awaitEvents("initial a/x@9");

        cache.close();

        assertThat(LiveThreads.named("reflector-configmaps", "subscription-test"))
                .isEmpty();
        assertThatThrownBy(() -> cache.list(Kind.of(ConfigMap.class), Selection.all()))
                .hasMessageContaining("closed");
    }
}
