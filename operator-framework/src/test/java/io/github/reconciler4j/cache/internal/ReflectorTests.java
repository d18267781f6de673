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
import io.github.reconciler4j.cache.Informer;
import io.github.reconciler4j.cache.KindUnavailableException;
import io.github.reconciler4j.cache.WatchOptions;
import io.github.reconciler4j.client.ApiRequest;
import io.github.reconciler4j.client.ListOptions;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.fixtures.LiveThreads;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReflectorTests {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final FakeConnection server = new FakeConnection();
    private final List<String> events = new CopyOnWriteArrayList<>();
    private DefaultCache cache;
    private Informer<ConfigMap> informer;

    @BeforeEach
    void makeCache() {
        makeCache(false, LONG);
    }

    private void makeCache(boolean watchList, Duration idle) {
        WatchOptions watch = WatchOptions.defaults()
                .withBackoff(Duration.ofMillis(1), Duration.ofMillis(20))
                .withIdleTimeout(idle)
                .withPageSize(2)
                .withWatchList(watchList);
        makeCache(CacheOptions.defaults().withWatch(watch).withSyncTimeout(LONG));
    }

    private void makeCache(CacheOptions options) {
        cache = new DefaultCache(server, Scheme.create(), options);
        informer = cache.informer(ConfigMap.class);
        informer.subscribe("test", this::record);
    }

    @AfterEach
    void close() {
        cache.close();
    }

    private void record(ObjectEvent<ConfigMap> event) {
        String suffix = event.snapshot().key() + "@" + event.snapshot().header().resourceVersion();
        if (event instanceof ObjectEvent.Created<ConfigMap> created) {
            events.add((created.initial() ? "initial " : "created ") + suffix);
        } else if (event instanceof ObjectEvent.Updated<ConfigMap> updated) {
            events.add((updated.resync() ? "resync " : "updated ") + suffix);
        } else if (event instanceof ObjectEvent.Deleted<ConfigMap> deleted) {
            events.add((deleted.finalStateUnknown() ? "lost " : "deleted ") + suffix);
        }
    }

    private void awaitEvents(String... expected) {
        await("events").atMost(LONG).untilAsserted(() -> assertThat(events).containsExactly(expected));
    }

    private ApiRequest request(int number) {
        await("request " + number).atMost(LONG).until(() -> server.requests.size() > number);
        return server.requests.get(number);
    }

    private static List<String> parameter(ApiRequest request, String name) {
        return request.query().getOrDefault(name, List.of());
    }

    @Test
    void startWhenServerAnswersListsFromItsCacheAndWatchesFromThere() {
        server.whole(list(10, "", configMap("a", "x", 1, 5, "v")));
        FakeConnection.Body watch = server.open();
        cache.start();

        assertThat(cache.get(ConfigMap.class, ObjectKey.of("a", "x"))
                        .orElseThrow()
                        .getData())
                .containsEntry("key", "v");
        watch.send(event("MODIFIED", configMap("a", "x", 1, 11, "w")));
        watch.send(event("ADDED", configMap("a", "y", 2, 12, "w")));
        watch.send(event("DELETED", configMap("a", "x", 1, 13, "w")));

        await("deletion")
                .atMost(LONG)
                .until(() -> cache.list(ConfigMap.class, ListOptions.all()).size() == 1);
        await("events").atMost(LONG).until(() -> events.contains("created a/y@12"));
        assertThat(events.get(0)).isEqualTo("initial a/x@5");
        assertThat(parameter(request(0), "resourceVersion")).containsExactly("0");
        assertThat(parameter(request(1), "resourceVersion")).containsExactly("10");
        assertThat(parameter(request(1), "watch")).containsExactly("true");
    }

    @Test
    void watchWhenItEndsGoesOnAfterTheNewestVersion() {
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

    private void awaitEventsEventually(String... oneOf) {
        await("event").atMost(LONG).untilAsserted(() -> assertThat(events).containsAnyOf(oneOf));
    }

    @Test
    void watchWhenVersionIsGoneListsAnewAndAppliesTheDifference() throws Exception {
        server.whole(list(
                10,
                "",
                configMap("a", "same", 1, 1, "v"),
                configMap("a", "changed", 2, 2, "v"),
                configMap("a", "gone", 3, 3, "v"),
                configMap("a", "new-uid", 4, 4, "v")));
        FakeConnection.Body watch = server.open();
        cache.start();
        awaitEvents("initial a/same@1", "initial a/changed@2", "initial a/gone@3", "initial a/new-uid@4");
        events.clear();
        FakeConnection.Body relist = server.open();
        server.open();
        watch.send(Json.error(410, "Expired"));
        assertThat(parameter(request(2), "resourceVersion")).containsExactly("10");
        assertThat(cache.list(ConfigMap.class, ListOptions.all())).hasSize(4);

        relist.send(list(
                        40,
                        "",
                        configMap("a", "same", 1, 1, "v"),
                        configMap("a", "changed", 2, 30, "v"),
                        configMap("a", "added", 6, 31, "v"),
                        configMap("a", "new-uid", 5, 32, "v")))
                .end();

        await("events").atMost(LONG).until(() -> events.size() == 5);
        assertThat(events)
                .containsExactlyInAnyOrder(
                        "lost a/gone@3",
                        "lost a/new-uid@4",
                        "created a/new-uid@32",
                        "updated a/changed@30",
                        "created a/added@31");
        assertThat(events.indexOf("lost a/new-uid@4")).isLessThan(events.indexOf("created a/new-uid@32"));
        assertThat(informer.get(ObjectKey.of("a", "gone"))).isEmpty();
    }

    @Test
    void watchWhenEventIsNotNewerLeavesItOut() {
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
    void listWhenServerIsBehindReadsConsistentPages() {
        server.refuse(504, "Timeout")
                .whole(list(10, "token1", configMap("a", "x", 1, 1, "v"), configMap("a", "y", 2, 2, "v")))
                .whole(list(10, "", configMap("a", "z", 3, 3, "v")));
        server.open();
        cache.start();

        awaitEvents("initial a/x@1", "initial a/y@2", "initial a/z@3");
        assertThat(parameter(request(1), "resourceVersion")).isEmpty();
        assertThat(parameter(request(1), "limit")).containsExactly("2");
        assertThat(parameter(request(2), "continue")).containsExactly("token1");
    }

    @Test
    void listWhenPageTokenExpiresReadsEverythingAtOnce() {
        server.refuse(410, "Expired")
                .whole(list(10, "token1", configMap("a", "deleted-meanwhile", 1, 1, "v")))
                .refuse(410, "Expired")
                .whole(list(20, "", configMap("a", "z", 3, 3, "v")));
        server.open();
        cache.start();

        awaitEvents("initial a/z@3");
        assertThat(parameter(request(3), "limit")).isEmpty();
        assertThat(parameter(request(4), "resourceVersion")).containsExactly("20");
    }

    @Test
    void startWhenServerStreamsListsNeedsOneRequest() {
        cache.close();
        makeCache(true, LONG);
        FakeConnection.Body watch = server.open();
        cache.start();
        watch.send(event("ADDED", configMap("a", "x", 1, 1, "v")));
        watch.send(event("ADDED", configMap("a", "y", 2, 2, "v")));
        watch.send(event("MODIFIED", configMap("a", "x", 1, 3, "v")));
        watch.send(event("DELETED", configMap("a", "y", 2, 4, "v")));
        watch.send(bookmark(5, true));
        watch.send(event("ADDED", configMap("a", "z", 3, 6, "v")));

        awaitEvents("initial a/x@3", "created a/z@6");
        assertThat(server.requests).hasSize(1);
        assertThat(parameter(request(0), "sendInitialEvents")).containsExactly("true");
    }

    @Test
    void startWhenServerRefusesToStreamListsFallsBackForAllKinds() {
        cache.close();
        makeCache(true, LONG);
        server.refuse(422, "Invalid").whole(list(10, "", configMap("a", "x", 1, 1, "v")));
        server.open();
        cache.start();

        awaitEvents("initial a/x@1");
        assertThat(parameter(request(1), "watch")).isEmpty();
    }

    @Test
    void startWhenServerDoesNotMarkTheEndOfAStreamedListFallsBack() {
        cache.close();
        makeCache(true, LONG);
        FakeConnection.Body watch = server.open();
        server.whole(list(10, "", configMap("a", "x", 1, 1, "v")));
        server.open();
        cache.start();
        watch.send(event("ADDED", configMap("a", "old", 7, 1, "v"))).send(bookmark(5, false));

        awaitEvents("initial a/x@1");
    }

    @Test
    void watchWhenNothingIsHeardAfterABookmarkIsOpenedAnew() {
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
    void watchWhenServerWasSetBackAndStaysSilentListsAnew() {
        cache.close();
        makeCache(false, Duration.ofMillis(200));
        server.whole(list(10, "", configMap("a", "x", 1, 5, "v")));
        FakeConnection.Body watch = server.open();
        server.open();
        server.open();
        server.whole(list(7, "", configMap("a", "x", 2, 5, "v"), configMap("a", "y", 3, 6, "v")));
        server.open();
        cache.start();
        watch.send(bookmark(20, false));

        awaitEvents("initial a/x@5", "lost a/x@5", "created a/x@5", "created a/y@6");
        assertThat(parameter(request(4), "watch")).isEmpty();
        assertThat(parameter(request(4), "resourceVersion")).containsExactly("20");
    }

    @Test
    void readWhenRightIsMissingFailsAtOnceAndNamesTheRule() {
        for (int i = 0; i < 1000; i++) {
            server.refuse(403, "Forbidden");
        }
        cache.start();

        assertThatThrownBy(() -> cache.list(ConfigMap.class, ListOptions.all()))
                .isInstanceOf(KindUnavailableException.class)
                .hasMessageContaining("resources: [\"configmaps\"]")
                .hasMessageContaining("ClusterRole");
    }

    @Test
    void awaitSyncWhenKindIsMissingSaysSoAfterTheTimeoutAndSyncsOnceItIsThere() throws Exception {
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
    void resyncWhenItsTimeComesTellsEveryObjectAgain() {
        cache.close();
        makeCache(CacheOptions.defaults()
                .withResync(Duration.ofMillis(100))
                .withWatch(WatchOptions.defaults().withWatchList(false)));
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
        assertThatThrownBy(() -> cache.list(ConfigMap.class, ListOptions.all())).hasMessageContaining("closed");
    }
}
