package io.github.reconciler4j.cache.internal;

import static io.github.reconciler4j.cache.internal.Json.configMap;
import static io.github.reconciler4j.cache.internal.Json.list;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.KindStatus.InitialSync;
import io.github.reconciler4j.cache.WatchOptions;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What log and status say of an initial list that takes long. */
class ListProgressTests extends ReflectorFixture {

    private static final int STEP = 256;
    private static final String ONE_OF_1001 = list(10, "token", configMap("a", "x", 1, 5, "v"))
            .replace("\"token\"", "\"token\",\"remainingItemCount\":1000");

    private final CapturedLog log = CapturedLog.of(CacheOptions.class.getPackageName());
    private final ManualTimeSource time = new ManualTimeSource();

    @BeforeEach
    @Override
    void makeCache() {
        makeCache(false);
    }

    private void makeCache(boolean watchList) {
        time.advance(Duration.ofHours(1)); // a start at zero would hide how long a list takes
        WatchOptions watch = WatchOptions.defaults()
                .withPageSize(STEP)
                .withListMode(watchList ? WatchOptions.ListMode.STREAMED : WatchOptions.ListMode.WHOLE);
        makeCache(CacheOptions.defaults().withWatch(watch).withTimeSource(time));
    }

    @AfterEach
    void endLog() {
        log.close();
    }

    private static String maps(int from) {
        return IntStream.range(from, from + STEP)
                .mapToObj(i -> configMap("a", "x" + i, i, i, "v"))
                .collect(Collectors.joining(","));
    }

    private void awaitListed(int objects) {
        await(objects + " listed")
                .atMost(LONG)
                .until(() -> status().activity().initialSync().orElseThrow().objects() == objects);
    }

    private List<String> lines() {
        return log.lines(Level.INFO).stream()
                .filter(line -> line.contains("List"))
                .toList();
    }

    @Test
    void listWhenItTakesLongIsLoggedEveryTenSecondsWithWhatIsLeft() {
        server.look(ONE_OF_1001);
        FakeConnection.Body body = server.open();
        cache.start();
        body.send(
                "{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"9999\"},\"items\":[");
        body.send(maps(0));
        awaitListed(STEP);
        time.advance(Duration.ofSeconds(10));
        body.send("," + maps(STEP));
        awaitListed(2 * STEP);
        InitialSync sync = status().activity().initialSync().orElseThrow();
        time.advance(Duration.ofSeconds(9));
        body.send("," + maps(2 * STEP));
        awaitListed(3 * STEP);
        String failure = status().failure();
        time.advance(Duration.ofSeconds(1));
        server.open();
        body.send("," + maps(3 * STEP) + "]}").end();
        await("the last line").atMost(LONG).until(() -> lines().size() >= 3);

        assertThat(lines())
                .containsExactly(
                        "INFO Listing configmaps: 512 of 1001 objects in 10 s (51/s, about 9 s left)",
                        "INFO Listing configmaps: 1024 objects in 20 s (51/s)",
                        "INFO Listed configmaps: 1024 objects in 20 s");
        assertThat(sync.remaining()).hasValue(489);
        assertThat(sync.objectsPerSecond()).isEqualTo(51.2);
        assertThat(failure).isEqualTo("the initial list is not complete (768 objects so far, about 233 left)");
        assertThat(parameter(request(1), "limit")).containsExactly("1");
        assertThat(parameter(request(1), "resourceVersion")).isEmpty();
    }

    @Test
    void listWhenItIsShortIsNotLoggedAndNotCounted() {
        server.whole(list(9999, "", maps(0), maps(STEP)));
        server.open();
        cache.start();
        await("sync").atMost(LONG).until(() -> status().synced());

        assertThat(lines()).isEmpty();
        assertThat(request(1).query()).containsKey("watch");
        assertThat(status().activity().initialSync()).isEmpty();
    }

    @Test
    void listWhenItHasPagesSaysWhatIsLeft() {
        server.refuse(504, "Timeout");
        server.whole(list(9999, "token", maps(0)).replace("\"token\"", "\"token\",\"remainingItemCount\":300"));
        server.open();
        cache.start();
        await("second page").atMost(LONG).until(() -> server.requests.size() == 3);

        assertThat(status().activity().initialSync().orElseThrow().remaining()).hasValue(300);
    }

    @Test
    void listWhenItCannotBeCountedGoesOn() {
        cache.close();
        makeCache(true);
        FakeConnection.Body watch = server.open(); // and no answer to the question for the number
        cache.start();
        IntStream.range(0, STEP).forEach(i -> watch.send(Json.event("ADDED", configMap("a", "x" + i, i, i, "v"))));
        awaitListed(STEP);
        time.advance(Duration.ofSeconds(10));
        IntStream.range(STEP, 2 * STEP)
                .forEach(i -> watch.send(Json.event("ADDED", configMap("a", "x" + i, i, i, "v"))));
        awaitListed(2 * STEP);
        OptionalLong remaining = status().activity().initialSync().orElseThrow().remaining();
        watch.send(Json.bookmark(9999, true));
        await("sync").atMost(LONG).until(() -> status().synced());

        assertThat(remaining).isEmpty();
        assertThat(lines().get(0)).isEqualTo("INFO Listing configmaps: 512 objects in 10 s (51/s)");
    }
}
