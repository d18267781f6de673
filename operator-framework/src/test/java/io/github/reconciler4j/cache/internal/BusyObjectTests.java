package io.github.reconciler4j.cache.internal;

import static io.github.reconciler4j.cache.internal.Json.configMap;
import static io.github.reconciler4j.cache.internal.Json.event;
import static io.github.reconciler4j.cache.internal.Json.list;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.WatchOptions;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.fixtures.UnstartableThread;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.support.BusyKeys;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentMatchers;
import org.mockito.Mockito;

/** One object that changes all the time. */
class BusyObjectTests extends ReflectorFixture {

    private static final ObjectKey HOT = ObjectKey.of("a", "hot");

    private final ManualTimeSource time = new ManualTimeSource();
    private int version = 10;

    @BeforeEach
    @Override
    void makeCache() {
        WatchOptions watch = WatchOptions.defaults().withListMode(WatchOptions.ListMode.WHOLE);
        makeCache(CacheOptions.defaults().withWatch(watch).withTimeSource(time));
    }

    private FakeConnection.Body start() {
        server.whole(list(10, "", configMap("a", "hot", 1, 5, "v"), configMap("a", "calm", 2, 6, "v")));
        FakeConnection.Body watch = server.open();
        cache.start();
        await("sync").atMost(LONG).until(() -> status().synced());
        return watch;
    }

    private void change(FakeConnection.Body watch, int times) {
        for (int i = 0; i < times; i++) {
            watch.send(event("MODIFIED", configMap("a", "hot", 1, ++version, "v")));
        }
    }

    private void awaitVersion() {
        await("version " + version)
                .atMost(LONG)
                .until(() -> cache.get(Kind.of(ConfigMap.class).metadata(), HOT)
                        .orElseThrow()
                        .resourceVersion()
                        .equals("" + version));
    }

    private void storm(FakeConnection.Body watch, int seconds) {
        for (int second = 0; second < seconds; second++) {
            change(watch, 200);
            watch.send(event("MODIFIED", configMap("a", "calm", 2, ++version, "v")));
            change(watch, 1);
            awaitVersion();
            time.advance(Duration.ofSeconds(1));
        }
    }

    @Test
    void statusWhenAnObjectChangesAllTheTimeNamesItAndTheLogDoesOnceAMinute() {
        try (CapturedLog log = CapturedLog.of(BusyObjects.class.getName())) {
            FakeConnection.Body watch = start();
            storm(watch, 9);
            assertThat(status().activity().busyObjects()).isEmpty();
            storm(watch, 50);

            assertThat(status().activity().busyObjects()).singleElement().satisfies(rate -> {
                assertThat(rate.key()).isEqualTo(HOT);
                assertThat(rate.perSecond()).isBetween(180L, 201L);
            });
            await("the line, which a thread of its own writes")
                    .atMost(LONG)
                    .until(() -> !log.lines(Level.INFO).isEmpty());
            assertThat(log.lines(Level.INFO))
                    .singleElement()
                    .asString()
                    .matches(
                            "WARN Objects of configmaps change all"
                                    + " the time: a/hot \\(\\d+ changes per second\\)\\. Their managedFields show who writes them.*");

            storm(watch, 15);
            await("the next line")
                    .atMost(LONG)
                    .until(() -> log.lines(Level.INFO).size() == 2);
            time.advance(Duration.ofSeconds(30));
            assertThat(status().activity().busyObjects()).isEmpty();
        }
    }

    @Test
    void changeWhenNoThreadCanStartIsReportedWithoutWriters() {
        assertReportedWithoutWriters(server, busy -> UnstartableThread.during("busy-", () -> storm(busy)));
    }

    @Test
    void changeWhenTheAnswerIsAnErrorIsReportedWithoutWriters() {
        FakeConnection broken = Mockito.spy(server);
        Mockito.doThrow(new StackOverflowError("nested")).when(broken).stream(ArgumentMatchers.any());
        assertReportedWithoutWriters(broken, this::storm);
    }

    private void storm(BusyObjects busy) {
        BusyKeys<ObjectKey> keys = new BusyKeys<>(time);
        for (int second = 0; second < 30; second++) {
            for (int i = 0; i < 200; i++) {
                List<BusyKeys.Rate<ObjectKey>> found = keys.record(HOT);
                if (!found.isEmpty()) {
                    busy.report(found);
                }
            }
            time.advance(Duration.ofSeconds(1));
        }
    }

    private void assertReportedWithoutWriters(ApiConnection connection, Consumer<BusyObjects> storm) {
        CacheContext context = CacheContext.create(connection, CacheOptions.defaults(), time);
        try (CapturedLog log = CapturedLog.of(BusyObjects.class.getName())) {
            storm.accept(new BusyObjects(Scheme.create().kindOf(ConfigMap.class), context));
            await("the line").atMost(LONG).until(() -> !log.lines(Level.WARN).isEmpty());
            assertThat(log.lines(Level.WARN))
                    .singleElement()
                    .asString()
                    .contains("a/hot", "Their managedFields show who writes them");
        } finally {
            context.close();
        }
    }

    @Test
    void listenerWhenOneObjectChangesAllTheTimeReceivesTheOthersAndItsLastState() {
        Semaphore released = new Semaphore(0);
        List<String> delivered = new CopyOnWriteArrayList<>();
        informer.subscribe("slow", change -> {
            String state = change.snapshot().key().name() + "@"
                    + change.snapshot().header().resourceVersion();
            delivered.add(state);
            if (state.equals("hot@11")) {
                released.acquireUninterruptibly();
            }
        });
        FakeConnection.Body watch = start();
        await("first list").atMost(LONG).until(() -> delivered.size() == 2);
        change(watch, 1);
        await("blocked").atMost(LONG).until(() -> delivered.contains("hot@11"));
        for (int i = 0; i < 1000; i++) {
            watch.send(event("ADDED", configMap("a", "other" + i, 100 + i, ++version, "v")));
            change(watch, 1);
        }
        awaitVersion();
        released.release();
        await("all").atMost(LONG).until(() -> delivered.contains("other999@" + (version - 1)));
        await("last state").atMost(LONG).until(() -> delivered.contains("hot@" + version));

        assertThat(delivered).hasSize(2 + 1 + 1000 + 1);
        assertThat(delivered.stream().filter(state -> state.startsWith("hot@")))
                .containsExactly("hot@5", "hot@11", "hot@" + version);
    }
}
