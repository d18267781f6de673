package io.github.reconciler4j.cache.internal;

import static io.github.reconciler4j.cache.internal.Json.bookmark;
import static io.github.reconciler4j.cache.internal.Json.configMap;
import static io.github.reconciler4j.cache.internal.Json.event;
import static io.github.reconciler4j.cache.internal.Json.list;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How a reflector lists, at first and when it lost its place. */
class ReflectorListTests extends ReflectorFixture {

    @Test
    void startWhenServerAnswersListsFromItsCacheAndWatchesFromThere() {
        server.whole(list(10, "", configMap("a", "x", 1, 5, "v")));
        FakeConnection.Body watch = server.open();
        cache.start();

        assertThat(cache.get(ConfigMap.class, ObjectKey.of("a", "x"))
                        .orElseThrow()
                        .getData())
                .containsEntry("key", "v");
        awaitEvents("initial a/x@5"); // a deletion before that is delivered would leave nothing to deliver
        watch.send(event("MODIFIED", configMap("a", "x", 1, 11, "w")));
        watch.send(event("ADDED", configMap("a", "y", 2, 12, "w")));
        watch.send(event("DELETED", configMap("a", "x", 1, 13, "w")));

        await("deletion")
                .atMost(LONG)
                .until(() ->
                        cache.list(Kind.of(ConfigMap.class), Selection.all()).size() == 1);
        await("events").atMost(LONG).until(() -> events.contains("created a/y@12"));
        assertThat(parameter(request(0), "resourceVersion")).containsExactly("0");
        assertThat(parameter(request(1), "resourceVersion")).containsExactly("10");
        assertThat(parameter(request(1), "watch")).containsExactly("true");
    }

    @Test
    void watchWhenVersionIsGoneRelistsAndAppliesTheDifference() throws Exception {
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
        assertThat(cache.list(Kind.of(ConfigMap.class), Selection.all())).hasSize(4);

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
    void startWhenServerRefusesToStreamListsFallsBack() {
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
    void watchWhenServerWasRestoredAndStaysSilentRelists() {
        cache.close();
        makeCache(false, Duration.ofMillis(200));
        server.whole(list(10, "", configMap("a", "x", 1, 5, "v")));
        FakeConnection.Body watch = server.open();
        server.open();
        server.open();
        server.whole(list(7, "", configMap("a", "x", 2, 5, "v"), configMap("a", "y", 3, 6, "v")));
        server.open();
        watch.send(bookmark(20, false)); // before the start, or it could come after the idle timeout
        cache.start();

        awaitEvents("initial a/x@5", "lost a/x@5", "created a/x@5", "created a/y@6");
        assertThat(parameter(request(4), "watch")).isEmpty();
        assertThat(parameter(request(4), "resourceVersion")).containsExactly("20");
    }

    @Test
    void startWhenStreamOfOneKindBreaksStreamsOtherKinds() {
        cache.close();
        makeCache(true, LONG);
        server.whole(bookmark(5, false)).whole(list(10, "")); // the end is not marked, so it is listed
        server.open().send(bookmark(11, true));
        cache.start();
        await("config maps").atMost(LONG).until(informer::hasSynced);
        request(2);

        server.open().send(bookmark(11, true));
        cache.informer(Secret.class);
        await("secrets").atMost(LONG).until(cache.informer(Secret.class)::hasSynced);

        await("requests").atMost(LONG).until(() -> server.requests.size() == 4);
        assertThat(server.requests)
                .extracting(request -> request.path().replaceAll(".*/", "") + " "
                        + request.query().containsKey("sendInitialEvents"))
                .containsExactly("configmaps true", "configmaps false", "configmaps false", "secrets true");
    }
}
