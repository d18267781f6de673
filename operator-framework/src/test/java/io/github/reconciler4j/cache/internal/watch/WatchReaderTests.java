package io.github.reconciler4j.cache.internal.watch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.cache.ObjectSelector;
import io.github.reconciler4j.cache.internal.FakeConnection;
import io.github.reconciler4j.cache.internal.Json;
import io.github.reconciler4j.cache.internal.json.JsonReader;
import io.github.reconciler4j.cache.internal.json.StringInterner;
import io.github.reconciler4j.cache.internal.storage.CompactEncoder;
import io.github.reconciler4j.cache.internal.storage.CompactEncoder.DeflaterPool;
import io.github.reconciler4j.cache.internal.storage.EntryReader;
import io.github.reconciler4j.cache.internal.storage.ObjectStore;
import io.github.reconciler4j.client.Discovery;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import java.io.IOException;
import java.io.InputStream;
import java.io.StreamCorruptedException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WatchReaderTests {

    private static final KindInfo CONFIG_MAPS = new KindInfo(KindName.of("v1", "ConfigMap"), "configmaps", true);
    private static final String X = Json.configMap("a", "x", 1, 5, "v");
    private static final String Y = Json.configMap("a", "y", 2, 6, "v");

    private final List<SetAside> setAside = new ArrayList<>();
    private final AtomicInteger read = new AtomicInteger();
    private final Scope scope = new Scope(CONFIG_MAPS, "", ObjectSelector.everything(), List.of());
    private final ListSnapshot list = new ListSnapshot(new ObjectStore(), scope, PartFilter.ALL, true, true);

    private WatchReader reader(String events) {
        byte[] json = events.getBytes(UTF_8);
        return reader(new JsonReader(json, json.length));
    }

    private WatchReader reader(JsonReader events) {
        EntryReader objects = new EntryReader.Factory(
                        CONFIG_MAPS,
                        KindCacheOptions.defaults(),
                        new StringInterner(),
                        new CompactEncoder(new DeflaterPool()))
                .create(true);
        return new WatchReader(
                events, objects, new ExpectedKind(CONFIG_MAPS, Discovery.of(new FakeConnection())), setAside::add);
    }

    private String readInitial(String events) throws IOException {
        return reader(events).readInitial(list, read::incrementAndGet);
    }

    @Test
    void nextReturnsTheTypesUntilTheEnd() throws IOException {
        WatchReader events = reader(Json.event("ADDED", X)
                + Json.event("MODIFIED", X)
                + Json.event("DELETED", Y)
                + Json.bookmark(9, false));
        assertThat(events.next()).isEqualTo(WatchReader.Type.ADDED);
        assertThat(events.header().name()).isEqualTo("x");
        assertThat(events.next()).isEqualTo(WatchReader.Type.MODIFIED);
        assertThat(events.next()).isEqualTo(WatchReader.Type.DELETED);
        assertThat(events.header().name()).isEqualTo("y");
        assertThat(events.next()).isEqualTo(WatchReader.Type.BOOKMARK);
        assertThat(events.header().version()).isEqualTo("9");
        assertThat(events.next()).isNull();
    }

    @Test
    void nextWhenFieldsComeInAnotherOrderOrAreUnknownReadsTheEvent() throws IOException {
        WatchReader events = reader("{\"more\":[1],\"object\":" + X + ",\"type\":\"ADDED\"}");
        assertThat(events.next()).isEqualTo(WatchReader.Type.ADDED);
        assertThat(events.header().name()).isEqualTo("x");
    }

    @Test
    void nextWhenItIsNoEventFails() {
        assertThatThrownBy(() -> reader("{\"type\":\"ADDED\"}").next())
                .isInstanceOf(StreamCorruptedException.class)
                .hasMessage("a watch event has no object");
        assertThatThrownBy(() -> reader(Json.event("CHANGED", X)).next())
                .hasMessage("a watch event is of no known type");
        assertThatThrownBy(() ->
                        reader(Json.event("BOOKMARK", "{\"metadata\":{}}")).next())
                .hasMessage("a bookmark has no resourceVersion");
        for (String type : List.of("ERROR", "BOOKMARK")) {
            assertThatThrownBy(() -> reader(Json.event(type, "null")).next())
                    .hasMessage("a watch event contains no object");
        }
    }

    @Test
    void nextWhenAnObjectCannotBeOfTheKindSetsItAside() throws IOException {
        WatchReader events =
                reader(Json.event("ADDED", "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"p\",\"resourceVersion\":\"4\"}}")
                        + Json.event("MODIFIED", "null")
                        + Json.event("DELETED", "{\"metadata\":{\"name\":\"\\q\"}}")
                        + Json.event("ADDED", X));
        assertThat(events.next()).isEqualTo(WatchReader.Type.ADDED);
        assertThat(events.header().name()).isEqualTo("x");
        assertThat(events.next()).isNull();
        assertThat(setAside)
                .extracting(SetAside::problem)
                .containsExactly(
                        "an object that is not a ConfigMap",
                        "null in the place of an object",
                        "an object whose metadata is not valid JSON");
        assertThat(setAside.get(0)).extracting(SetAside::version).isEqualTo("4");
    }

    @Test
    void nextWhenTheServerEndsTheWatchThrowsWhatItSays() {
        String status =
                "{\"kind\":\"Status\",\"code\":429,\"reason\":\"TooManyRequests\",\"more\":[],\"message\":\"slowly\","
                        + "\"details\":{\"causes\":[],\"retryAfterSeconds\":7}}";
        assertThatThrownBy(() -> reader(Json.event("ERROR", status)).next())
                .isInstanceOfSatisfying(ApiException.class, e -> {
                    assertThat(e.code()).isEqualTo(429);
                    assertThat(e.reason()).isEqualTo("TooManyRequests");
                    assertThat(e.retryAfter()).contains(Duration.ofSeconds(7));
                })
                .hasMessageContaining("the API server ended the watch: slowly");
    }

    @Test
    void nextWhenTheServerEndsTheWatchWithOddNumbersThrowsToo() {
        for (String details : List.of("null", "{}", "{\"retryAfterSeconds\":0}", "{\"retryAfterSeconds\":-1}")) {
            String status = "{\"code\":-4,\"details\":" + details + "}";
            assertThatThrownBy(() -> reader(Json.event("ERROR", status)).next())
                    .isInstanceOfSatisfying(ApiException.class, e -> {
                        assertThat(e.code()).isZero();
                        assertThat(e.retryAfter()).isEmpty();
                    });
        }
    }

    @Test
    void readInitialReadsUpToTheBookmarkThatEndsThem() throws IOException {
        String more = Json.configMap("a", "z", 3, 7, "v");
        assertThat(readInitial(Json.event("ADDED", X)
                        + Json.event("ADDED", Y)
                        + Json.event("MODIFIED", more)
                        + Json.event("DELETED", Y)
                        + Json.bookmark(20, true)))
                .isEqualTo("20");
        assertThat(list.changes(true))
                .extracting(change -> change.entry().name())
                .containsExactly("x", "z");
        assertThat(read).hasValue(4);
    }

    @Test
    void readInitialWhenNothingArrivesForTooLongReturnsNull() throws IOException {
        InputStream silent = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new SocketTimeoutException("nothing arrives");
            }
        };
        assertThat(reader(new JsonReader(silent, new StringInterner())).readInitial(list, read::incrementAndGet))
                .isNull();
        assertThat(read).hasValue(0);
    }

    @Test
    void readInitialWhenItDoesNotEndAsItShouldReturnsNull() throws IOException {
        assertThat(readInitial(Json.event("ADDED", X) + Json.bookmark(20, false)))
                .isNull();
        assertThat(readInitial(Json.event("ADDED", X))).isNull();
    }
}
