package io.github.reconciler4j.cache.internal;

import static io.github.reconciler4j.cache.internal.Json.bookmark;
import static io.github.reconciler4j.cache.internal.Json.configMap;
import static io.github.reconciler4j.cache.internal.Json.error;
import static io.github.reconciler4j.cache.internal.Json.event;
import static io.github.reconciler4j.cache.internal.Json.list;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a reflector does when the stream of the initial objects is refused, fails or ends. */
class ReflectorStreamedListTests extends ReflectorFixture {

    @BeforeEach
    @Override
    void makeCache() {
        makeCache(true, LONG);
    }

    /** Returns {@code stream}, {@code watch} or {@code list}. */
    private String kindOf(int request) {
        if (!parameter(request(request), "sendInitialEvents").isEmpty()) {
            return "stream";
        }
        return parameter(request(request), "watch").isEmpty() ? "list" : "watch";
    }

    @Test
    void relistWhenStreamingWasRefusedDoesNotStream() {
        server.refuse(422, "Invalid").whole(list(10, ""));
        FakeConnection.Body watch = server.open();
        server.whole(list(20, "", configMap("a", "x", 1, 15, "v")));
        server.open();
        cache.start();
        watch.send(error(410, "Expired"));

        awaitEvents("created a/x@15");
        assertThat(kindOf(3)).isEqualTo("list");
    }

    @Test
    void relistWhenTheEndOfAStreamWasNotMarkedDoesNotStream() {
        server.whole(bookmark(5, false)).whole(list(10, ""));
        FakeConnection.Body watch = server.open();
        server.whole(list(20, "", configMap("a", "x", 1, 15, "v")));
        server.open();
        cache.start();
        watch.send(error(410, "Expired"));

        awaitEvents("created a/x@15");
        assertThat(kindOf(3)).isEqualTo("list");
    }

    @Test
    void startWhenTheServerIsBehindListsAndStreamsTheNextTime() {
        server.refuse(504, "Timeout").whole(list(10, ""));
        FakeConnection.Body watch = server.open();
        server.open();
        cache.start();
        watch.send(error(410, "Expired"));

        assertThat(kindOf(1)).isEqualTo("list");
        assertThat(kindOf(3)).isEqualTo("stream");
    }

    @Test
    void startWhenTheServerSaysInTheStreamThatItIsBehindLists() {
        server.open().send(error(504, "Timeout"));
        server.whole(list(10, "", configMap("a", "x", 1, 5, "v")));
        server.open();
        cache.start();

        assertThat(kindOf(1)).isEqualTo("list");
        awaitEvents("initial a/x@5");
    }

    @Test
    void startWhenAStreamFailsStreamsAgain() {
        server.refuse(500, "InternalError");
        server.open().send(error(500, "InternalError"));
        server.open().send(event("ADDED", configMap("a", "x", 1, 5, "v"))).send(bookmark(10, true));
        cache.start();

        awaitEvents("initial a/x@5");
        assertThat(kindOf(1)).isEqualTo("stream");
        assertThat(kindOf(2)).isEqualTo("stream");
    }

    @Test
    void watchWhenAStreamedListEndsOrFailsLaterResumes() {
        server.open().send(bookmark(10, true)).end();
        server.open().send(bookmark(20, false)).send(error(504, "Timeout"));
        server.open();
        cache.start();

        assertThat(kindOf(1)).isEqualTo("watch");
        assertThat(parameter(request(1), "resourceVersion")).containsExactly("10");
        assertThat(kindOf(2)).isEqualTo("watch");
        assertThat(parameter(request(2), "resourceVersion")).containsExactly("20");
    }

    @Test
    void watchWhenTheServerSaysInAStreamedListThatItIsBehindResumes() {
        FakeConnection.Body stream = server.open();
        server.open();
        cache.start();
        stream.send(bookmark(10, true)).send(error(504, "Timeout"));

        assertThat(kindOf(1)).isEqualTo("watch");
        assertThat(parameter(request(1), "resourceVersion")).containsExactly("10");
    }
}
