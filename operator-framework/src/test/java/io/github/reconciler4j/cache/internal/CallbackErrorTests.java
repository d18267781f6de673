package io.github.reconciler4j.cache.internal;

import static io.github.reconciler4j.cache.internal.Json.configMap;
import static io.github.reconciler4j.cache.internal.Json.event;
import static io.github.reconciler4j.cache.internal.Json.list;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.cache.Subscription;
import io.github.reconciler4j.cache.WatchOptions;
import io.github.reconciler4j.cache.internal.subscription.DefaultSubscription;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.scheme.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An Error of a user's code is handled like an exception: the code's own result is missing and nothing else. */
class CallbackErrorTests extends ReflectorFixture {

    private static Stream<Named<Supplier<Iterable<String>>>> oddTerms() {
        AtomicInteger calls = new AtomicInteger();
        return Stream.of(
                Named.of("null", () -> null),
                Named.of("terms that are null", () -> Arrays.asList(null, null)),
                Named.of("an iterator that is null", () -> () -> null),
                Named.of(
                        "no end",
                        () -> () ->
                                Stream.iterate(0, i -> i + 1).map(i -> "x" + i).iterator()),
                Named.of(
                        "no end of one term",
                        () -> () -> Stream.generate(() -> "x").iterator()),
                Named.of(
                        "failure in the middle",
                        () -> () -> Stream.of("x", "y")
                                .peek(term -> {
                                    if (term.equals("y")) {
                                        throw new AssertionError("in the middle");
                                    }
                                })
                                .iterator()),
                Named.of("others each time", () -> List.of("x" + calls.incrementAndGet())));
    }

    /** What an object was indexed by goes with it, and others are found all the same. */
    @ParameterizedTest
    @MethodSource("oddTerms")
    void indexWhenItsFunctionReturnsOddTermsHasTheOthersAndKeepsNothing(Supplier<Iterable<String>> odd)
            throws InterruptedException {
        AtomicBoolean isOdd = new AtomicBoolean(true);
        informer.addIndex(
                "name",
                map -> isOdd.get() && map.key().name().equals("x")
                        ? odd.get()
                        : List.of(map.key().name(), map.key().name()));
        server.whole(list(10, "", configMap("a", "x", 1, 5, "v"), configMap("a", "y", 2, 6, "v")));
        FakeConnection.Body watch = server.open();
        Subscription subscription = informer.subscribe("seen", event -> {});
        cache.start();

        subscription.awaitInitial(LONG);
        assertThat(informer.byIndex("name", "y")).hasSize(1);
        assertThat(informer.byIndex("name", "x")).isEmpty();
        isOdd.set(false);
        watch.send(event("MODIFIED", configMap("a", "x", 1, 11, "v")));
        await("the term").atMost(LONG).until(() -> informer.byIndex("name", "x").size() == 1);
        assertThat(informer.byIndex("name", "x1")).as("the former term").isEmpty();
        isOdd.set(true);
        watch.send(event("DELETED", configMap("a", "x", 1, 12, "v")));
        await("the end").atMost(LONG).until(() -> informer.byIndex("name", "x").isEmpty());
        assertThat(informer.byIndex("name", "y")).hasSize(1);
    }

    private static Stream<Named<Supplier<Throwable>>> errors() {
        return Stream.of(
                Named.of("StackOverflowError", StackOverflowError::new),
                Named.of("OutOfMemoryError", () -> new OutOfMemoryError("not really")),
                Named.of("NoClassDefFoundError", () -> new NoClassDefFoundError("x/Y")),
                Named.of("IllegalStateException", () -> new IllegalStateException("broken")));
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void raise(Throwable failure) throws E {
        throw (E) failure;
    }

    @ParameterizedTest
    @MethodSource("errors")
    void listenerWhenItFailsGetsTheNextEvents(Supplier<Throwable> failure) throws InterruptedException {
        List<String> seen = new CopyOnWriteArrayList<>();
        Subscription failing = informer.subscribe("failing", event -> {
            seen.add(event.snapshot().header().resourceVersion());
            Thread.currentThread().interrupt();
            CallbackErrorTests.<RuntimeException>raise(failure.get());
        });
        server.whole(list(10, "", configMap("a", "x", 1, 5, "v"), configMap("a", "y", 2, 6, "v")));
        FakeConnection.Body watch = server.open();
        cache.start();

        failing.awaitInitial(LONG);
        awaitEvents("initial a/x@5", "initial a/y@6");
        watch.send(event("MODIFIED", configMap("a", "x", 1, 11, "v")));
        await("events").atMost(LONG).untilAsserted(() -> assertThat(seen).containsExactlyInAnyOrder("5", "6", "11"));
        awaitEvents("initial a/x@5", "initial a/y@6", "updated a/x@11");
    }

    @Test
    void listenerWhenItFailsForManyObjectsLogsOneLineWithItsStack() {
        try (CapturedLog log = CapturedLog.of(DefaultSubscription.class.getName())) {
            List<String> seen = new CopyOnWriteArrayList<>();
            informer.subscribe("failing", event -> {
                seen.add(event.snapshot().header().resourceVersion());
                throw new IllegalStateException("broken");
            });
            String[] items = new String[500];
            for (int i = 0; i < items.length; i++) {
                items[i] = configMap("a", "n" + i, i, i + 1, "v");
            }
            server.whole(list(1000, "", items));
            server.open();
            cache.start();

            await("events").atMost(LONG).until(() -> seen.size() == 500);
            assertThat(log.lines(Level.INFO))
                    .singleElement()
                    .asString()
                    .contains("Listener 'failing' failed for ConfigMap a/n")
                    .endsWith("+stack");
        }
    }

    @ParameterizedTest
    @MethodSource("errors")
    void indexWhenItsFunctionFailsOmitsOnlyThatObject(Supplier<Throwable> failure) {
        informer.addIndex("name", map -> {
            if (map.key().name().equals("x")) {
                CallbackErrorTests.<RuntimeException>raise(failure.get());
            }
            return List.of(map.key().name());
        });
        server.whole(list(10, "", configMap("a", "x", 1, 5, "v"), configMap("a", "y", 2, 6, "v")));
        server.open().send(event("ADDED", configMap("a", "z", 3, 11, "v")));
        cache.start();

        awaitEvents("initial a/x@5", "initial a/y@6", "created a/z@11");
        assertThat(informer.byIndex("name", "x")).isEmpty();
        assertThat(informer.byIndex("name", "y")).hasSize(1);
        assertThat(informer.byIndex("name", "z")).hasSize(1);
        assertThat(informer.list("")).hasSize(3);
    }

    @ParameterizedTest
    @MethodSource("errors")
    void transformWhenItFailsKeepsTheObjectAsItWas(Supplier<Throwable> failure) {
        cache.close();
        makeCache(CacheOptions.defaults()
                .withWatch(WatchOptions.defaults().withListMode(WatchOptions.ListMode.WHOLE))
                .withKindDefaults(KindCacheOptions.defaults()
                        .withTransform(object -> CallbackErrorTests.<RuntimeException>raise(failure.get()))));
        server.whole(list(10, "", configMap("a", "x", 1, 5, "v")));
        server.open().send(event("ADDED", configMap("a", "z", 3, 11, "v")));
        cache.start();

        awaitEvents("initial a/x@5", "created a/z@11");
        assertThat(cache.list(Kind.of(ConfigMap.class), Selection.all()))
                .extracting(map -> map.getData().get("key"))
                .containsExactly("v", "v");
    }
}
