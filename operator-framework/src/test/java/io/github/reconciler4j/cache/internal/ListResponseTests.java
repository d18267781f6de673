package io.github.reconciler4j.cache.internal;

import static io.github.reconciler4j.cache.internal.Json.bookmark;
import static io.github.reconciler4j.cache.internal.Json.configMap;
import static io.github.reconciler4j.cache.internal.Json.event;
import static io.github.reconciler4j.cache.internal.Json.list;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.scheme.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A response with status 200 that is not a list of the kind must never look like an empty list. */
class ListResponseTests extends ReflectorFixture {

    private static final String POD =
            "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"p\",\"uid\":\"u\",\"resourceVersion\":\"3\"}}";

    private static List<String> otherResponses() {
        return List.of(
                "",
                " ",
                "{}",
                "[]",
                "null",
                "0",
                "\"items\"",
                "<html><body>Sign in</body></html>",
                "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Success\"}",
                "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"9\"},\"items\":[]}",
                "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"20\"},\"items\":[]}",
                "{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v2\",\"metadata\":{\"resourceVersion\":\"20\"},\"items\":[]}",
                "{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"20\"}}",
                "{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"20\"},\"items\":{}}",
                "{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"20\"},\"items\":\"\"}",
                "{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"20\"},\"items\":[1]}",
                "{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"20\"},\"items\":["
                        + POD + "]}",
                "{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"20\"},\"items\":[{}]}",
                "{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"\"},\"items\":[]}",
                "{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":20},\"items\":[]}",
                "{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"metadata\":{},\"items\":[]}",
                "{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"metadata\":null,\"items\":[]}",
                "{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"items\":[]}",
                "{\"kind\":\"ConfigMapList\",\"metadata\":{\"resourceVersion\":\"20\"},\"items\":[]}",
                "{\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"20\"},\"items\":[]}",
                "{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"20\"},\"items\":[]",
                "{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"20\"},\"items\":[]}{}",
                "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"20\",\"name\":\"a\"}}");
    }

    private FakeConnection.Body watch;

    private void startWithOneObject() {
        server.whole(list(10, "", configMap("a", "x", 1, 5, "v")));
        watch = server.open();
        cache.start();
        awaitEvents("initial a/x@5");
    }

    @ParameterizedTest
    @MethodSource("otherResponses")
    void relistWhenResponseIsNoListOfTheKindKeepsTheCache(String body) {
        startWithOneObject();
        server.whole(body);
        FakeConnection.Body third = server.open();
        server.open();

        watch.send(Json.error(410, "Expired"));

        request(3);
        assertThat(cache.list(Kind.of(ConfigMap.class), Selection.all())).hasSize(1);
        assertThat(status().failure()).contains("cannot list configmaps").doesNotContain("html");
        third.send(list(40, "", configMap("a", "x", 1, 5, "v"), configMap("a", "y", 2, 6, "v")))
                .end();
        awaitEvents("initial a/x@5", "created a/y@6");
        await("no failure").atMost(LONG).until(() -> status().failure().isEmpty());
    }

    @Test
    void relistWhenSecondPageIsNoListKeepsTheCache() {
        startWithOneObject();
        server.refuse(504, "Timeout")
                .whole(list(20, "token", configMap("a", "y", 2, 6, "v")))
                .whole("{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Success\"}");
        server.open();

        watch.send(Json.error(410, "Expired"));

        request(5);
        assertThat(events).containsExactly("initial a/x@5");
        assertThat(cache.list(Kind.of(ConfigMap.class), Selection.all())).hasSize(1);
    }

    @Test
    void relistWhenItemsAreNullIsAnEmptyList() {
        startWithOneObject();
        server.whole("{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"20\"},"
                + "\"items\":null}");
        server.open();

        watch.send(Json.error(410, "Expired"));

        awaitEvents("initial a/x@5", "lost a/x@5");
    }

    @Test
    void relistWhenListIsOfMetadataAppliesIt() {
        startWithOneObject();
        server.whole("{\"kind\":\"PartialObjectMetadataList\",\"apiVersion\":\"meta.k8s.io/v1\","
                + "\"metadata\":{\"resourceVersion\":\"20\"},\"items\":[{\"kind\":\"PartialObjectMetadata\","
                + "\"apiVersion\":\"meta.k8s.io/v1\",\"metadata\":{\"name\":\"x\",\"namespace\":\"a\",\"uid\":\""
                + Json.uid(1) + "\",\"resourceVersion\":\"6\"}}]}");
        server.open();

        watch.send(Json.error(410, "Expired"));

        awaitEvents("initial a/x@5", "updated a/x@6");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"type\":\"ADDED\"}",
                "{\"type\":\"REPLACED\",\"object\":{\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"z\"}}}",
                "{\"type\":\"BOOKMARK\",\"object\":{}}",
                "<html></html>",
                "[]",
                "null",
            })
    void watchWhenEventIsOfAnotherKindResumes(String event) {
        startWithOneObject();
        FakeConnection.Body second = server.open();

        watch.send(event("ADDED", configMap("a", "y", 2, 11, "v"))).send(event);

        assertThat(parameter(request(2), "resourceVersion")).containsExactly("11");
        second.send(event("MODIFIED", configMap("a", "x", 1, 12, "w")));
        awaitEvents("initial a/x@5", "created a/y@11", "updated a/x@12");
    }

    @Test
    void streamedListWhenItEndsWithoutItsBookmarkKeepsTheCache() {
        cache.close();
        makeCache(true, LONG);
        FakeConnection.Body first = server.open();
        cache.start();
        first.send(event("ADDED", configMap("a", "x", 1, 5, "v"))).send(bookmark(10, true));
        awaitEvents("initial a/x@5");
        FakeConnection.Body streamed = server.open();
        FakeConnection.Body listed = server.open();
        server.open();

        first.send(Json.error(410, "Expired"));
        streamed.send(event("ADDED", configMap("a", "y", 2, 20, "v"))).end();

        assertThat(parameter(request(2), "watch")).isEmpty();
        assertThat(events).containsExactly("initial a/x@5");
        listed.send(list(40, "", configMap("a", "x", 1, 5, "v"))).end();
        request(3);
        assertThat(events).containsExactly("initial a/x@5");
    }

    @Test
    void streamedListWhenItHoldsAnotherKindKeepsTheCache() {
        cache.close();
        makeCache(true, LONG);
        FakeConnection.Body first = server.open();
        cache.start();
        first.send(event("ADDED", configMap("a", "x", 1, 5, "v"))).send(bookmark(10, true));
        awaitEvents("initial a/x@5");
        FakeConnection.Body streamed = server.open();
        server.open();

        first.send(Json.error(410, "Expired"));
        streamed.send(event("ADDED", POD)).send(bookmark(20, true));

        request(2);
        assertThat(events).containsExactly("initial a/x@5");
        assertThat(cache.list(Kind.of(ConfigMap.class), Selection.all())).hasSize(1);
    }
}
