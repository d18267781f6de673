package io.github.reconciler4j.cache.internal;

import static io.github.reconciler4j.cache.internal.Json.bookmark;
import static io.github.reconciler4j.cache.internal.Json.configMap;
import static io.github.reconciler4j.cache.internal.Json.event;
import static io.github.reconciler4j.cache.internal.Json.list;
import static io.github.reconciler4j.cache.internal.ReflectorFixture.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.KindStatus;
import io.github.reconciler4j.cache.StorageForm;
import io.github.reconciler4j.cache.WatchOptions;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.Scheme;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Objects that cannot be what was asked for, in lists and events: each is counted, and none keeps the others from the cache. */
class HostileItemsTests {

    private static final int RUNS = Integer.getInteger("hostile.items.runs", 300);
    private static final int FIRST = Integer.getInteger("hostile.items.seed", 0);

    /** Values that are no ConfigMap; what is between the bars is replaced by a name of their own. */
    private static final List<String> NO_OBJECTS = List.of(
            "null",
            "7",
            "true",
            "\"text\"",
            "[]",
            "[null]",
            "{}",
            "{\"metadata\":null}",
            "{\"metadata\":{\"namespace\":\"a\"}}",
            "{\"kind\":\"Secret\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"|\",\"namespace\":\"a\"}}",
            "{\"kind\":null,\"metadata\":{\"name\":\"|\"}}",
            "{\"kind\":7,\"metadata\":{\"name\":\"|\"}}",
            "{\"metadata\":{\"name\":\"|\\q\"}}",
            "{\"metadata\":{\"name\":\"|\",\"labels\":{\"\\u12\":\"\"}}}");

    /** Values of a field that cannot be decoded. */
    private static final List<String> NO_VALUES = List.of(
            "NaN",
            "-Infinity",
            "01",
            "tru",
            "\"\\q\"",
            "\"\u00ff\"",
            "\"\u00c3(\"",
            "\"\u00ed\u00a0\u0080\"",
            "\"\u00f8\"",
            "{}",
            "[[]]");

    private final Logger cacheLog = (Logger) LoggerFactory.getLogger("io.github.reconciler4j.cache");
    private int number;

    @BeforeEach
    void quiet() {
        cacheLog.setLevel(Level.ERROR);
    }

    @AfterEach
    void loud() {
        cacheLog.setLevel(null);
    }

    @Test
    void cacheWhenItemsAndEventsAreHostileHasAllOthersAndCountsEach() {
        for (int seed = FIRST; seed < FIRST + RUNS; seed++) {
            run(seed);
        }
    }

    private void run(int seed) {
        Random random = new Random(seed);
        String story = "-Dhostile.items.seed=" + seed + " -Dhostile.items.runs=1";
        Set<String> good = new TreeSet<>();
        List<String> bad = new ArrayList<>();
        FakeConnection server = new FakeConnection();
        boolean streamed = random.nextBoolean();
        List<String> items = draw(random, good, bad, random.nextInt(12));
        FakeConnection.Body first = server.open();
        sendAll(first, items, streamed);
        FakeConnection.Body watch = streamed ? first : server.open();
        try (DefaultCache cache = new DefaultCache(server, Scheme.create(), options(random, streamed))) {
            cache.informer(ConfigMap.class);
            cache.start();
            await(story)
                    .atMost(LONG)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(2))
                    .until(() -> cache.kinds().get(0).synced());
            for (String object : draw(random, good, bad, random.nextInt(6))) {
                send(watch, event(random.nextBoolean() ? "ADDED" : "MODIFIED", object));
            }
            String last = "last";
            good.add(last);
            send(watch, event("ADDED", configMap("a", last, 99, 9000, "v")));
            await(story)
                    .atMost(LONG)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(2))
                    .untilAsserted(() -> assertThat(names(cache)).as(story).containsExactlyInAnyOrderElementsOf(good));
            KindStatus status = cache.kinds().get(0);
            assertThat(status.content().undecodableObjects())
                    .as(() -> story + bad)
                    .isEqualTo(bad.size());
            assertThat(status.failure()).as(story).isEmpty();
            assertThat(server.requests).as(story).hasSize(streamed ? 1 : 2);
        }
    }

    private static void sendAll(FakeConnection.Body first, List<String> items, boolean streamed) {
        if (streamed) {
            items.forEach(item -> send(first, event("ADDED", item)));
            send(first, bookmark(50, true));
        } else {
            send(first, list(50, "", items.toArray(String[]::new)));
            first.end();
        }
    }

    private static CacheOptions options(Random random, boolean streamed) {
        return CacheOptions.defaults()
                .withSyncTimeout(LONG)
                .withKindDefaults(CacheOptions.defaults().kindDefaults().withStorage(form(random)))
                .withWatch(WatchOptions.defaults()
                        .withListMode(streamed ? WatchOptions.ListMode.STREAMED : WatchOptions.ListMode.WHOLE));
    }

    private static StorageForm form(Random random) {
        return List.of(StorageForm.COMPACT, StorageForm.ENCODED, StorageForm.DECODED)
                .get(random.nextInt(3));
    }

    private static List<String> names(DefaultCache cache) {
        return cache.list(Kind.of(ConfigMap.class), Selection.all()).stream()
                .map(map -> map.getMetadata().getName())
                .toList();
    }

    private List<String> draw(Random random, Set<String> good, List<String> bad, int count) {
        List<String> objects = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            number++;
            if (random.nextBoolean()) {
                good.add("x" + number);
                objects.add(configMap("a", "x" + number, number, 5 + i, "v"));
                continue;
            }
            String object = random.nextBoolean()
                    ? NO_OBJECTS.get(random.nextInt(NO_OBJECTS.size())).replace("|", "b" + number)
                    : configMap("a", "b" + number, number, 5 + i, "v")
                            .replace(
                                    "\"key\":",
                                    "\"bad\":" + NO_VALUES.get(random.nextInt(NO_VALUES.size())) + ",\"key\":");
            bad.add(object);
            objects.add(object);
        }
        Collections.shuffle(objects, random);
        return objects;
    }

    /** Each character is a byte. */
    private static void send(FakeConnection.Body body, String text) {
        body.raw(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    @Test
    void logWhenAnItemIsOfAnotherKindNamesItOnceAndNeverItsContent() {
        FakeConnection server = new FakeConnection();
        String secret =
                "{\"kind\":\"Secret\",\"metadata\":{\"name\":\"s\",\"namespace\":\"a\"},\"data\":{\"p\":\"content\"}}";
        server.whole(list(50, "", secret, configMap("a", "x", 1, 5, "v"))).open();
        WatchOptions whole = WatchOptions.defaults().withListMode(WatchOptions.ListMode.WHOLE);
        cacheLog.setLevel(null);
        try (CapturedLog log = CapturedLog.of("io.github.reconciler4j.cache");
                DefaultCache cache = new DefaultCache(
                        server, Scheme.create(), CacheOptions.defaults().withWatch(whole))) {
            cache.informer(ConfigMap.class);
            cache.start();
            await("sync").atMost(LONG).until(() -> cache.kinds().get(0).synced());
            assertThat(log.lines(Level.WARN))
                    .singleElement()
                    .asString()
                    .contains("configmaps", "an object that is not a ConfigMap: a/s")
                    .doesNotContain("content");
            assertThat(cache.kinds().get(0).content().undecodableObjectMessages())
                    .singleElement()
                    .asString()
                    .contains("a/s");
        }
    }

    /** A confused gateway answers with something else altogether, which must not look as if everything was deleted. */
    @Test
    void listWhenNoItemIsOfTheKindKeepsWhatIsThereAndFails() {
        FakeConnection server = new FakeConnection();
        server.whole(list(50, "", configMap("a", "x", 1, 5, "v"))).whole(Json.error(410, "Expired"));
        server.whole(list(60, "", "null", "{\"kind\":\"Secret\",\"metadata\":{\"name\":\"s\"}}"));
        server.open();
        WatchOptions whole = WatchOptions.defaults().withListMode(WatchOptions.ListMode.WHOLE);
        try (DefaultCache cache = new DefaultCache(
                server, Scheme.create(), CacheOptions.defaults().withWatch(whole))) {
            cache.informer(ConfigMap.class);
            cache.start();
            await("failure")
                    .atMost(LONG)
                    .until(() -> cache.kinds().get(0).failure().contains("nothing but"));
            assertThat(names(cache)).containsExactly("x");
        }
    }
}
