package io.github.reconciler4j.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.predicate.EventPredicate;
import io.github.reconciler4j.reconcile.CleanupResult;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.LabelMatcher;
import io.github.reconciler4j.scheme.Scheme;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Two controllers with cleaners, drawn selectors of the controllers and of the cache, and drawn changes of labels, deletions and
 * restarts, with changes while no operator runs, and predicates that refuse the event of an object that leaves: every object ends
 * with the finalizers of those who select it, each that is deleted goes, and every finalizer that it had then was cleaned up.
 */
@Timeout(3600) // 20,000 cases take a quarter of an hour and more
class ControllerDeparturesRandomTests extends ControllerTestServerFixture {

    private static final int CASES = Integer.getInteger("departures.cases", 300);
    private static final List<String> SELECTORS =
            List.of("", "on=yes", "on!=no", "on,!off", "on in (yes,maybe),off notin (yes)", "!on");
    private static final List<String> VALUES = List.of("yes", "no", "maybe", "");
    private static final int OBJECTS = 6;

    private final long seed = Long.getLong("departures.seed", new Random().nextLong());
    private final Random random = new Random(seed);
    private final Set<String> cleaned = ConcurrentHashMap.newKeySet();
    private final Map<String, Map<String, String>> labels = new TreeMap<>();
    private final Map<String, String> selectors = new HashMap<>();
    private final List<String> owed = new ArrayList<>();
    private String cacheSelector = "";
    private ApiConnection connection;
    private Client direct;

    @BeforeEach
    void connect() {
        connection = ApiConnection.open(config());
        direct = Client.create(connection, Scheme.create(), ClientOptions.defaults());
    }

    @AfterEach
    void disconnect() {
        connection.close();
    }

    private String draw(List<String> values) {
        return values.get(random.nextInt(values.size()));
    }

    private void restart(int changesMeanwhile) {
        manager.close();
        for (int i = 0; i < changesMeanwhile; i++) {
            change();
        }
        cacheSelector = random.nextBoolean() ? "" : draw(SELECTORS);
        manager = Manager.create(
                config(),
                ManagerOptions.defaults()
                        .withCache(CacheOptions.defaults()
                                .withKind(
                                        Kind.of(WIDGET),
                                        KindCacheOptions.defaults().withLabelSelector(cacheSelector))));
        selectors.clear();
        for (String name : List.of("one", "two")) {
            String selector = draw(SELECTORS);
            String finalizer = name.equals("one") ? PrimaryKindPromises.DEFAULT_FINALIZER : "example.io/two";
            selectors.put(finalizer, selector);
            ControllerBuilder<Widget> builder = ControllerBuilder.of(Widget.class)
                    .named(name)
                    .withLabelSelector(selector)
                    .reconciler((widget, context) -> Result.done())
                    .cleaner((widget, context) -> cleanUp(finalizer, widget));
            (name.equals("one") ? builder : builder.finalizer(finalizer))
                    .when(drawPredicate(selector))
                    .addTo(manager);
        }
        start();
    }

    /** None refuses an event of an object that is selected. */
    private EventPredicate<Widget> drawPredicate(String selector) {
        return switch (random.nextInt(4)) {
            case 0 -> event -> !(event instanceof ObjectEvent.Deleted<?>);
            case 1 ->
                event -> !(event instanceof ObjectEvent.Updated<?>)
                        || LabelMatcher.parse(selector)
                                .matches(event.snapshot().header().labels());
            default -> event -> true;
        };
    }

    private CleanupResult cleanUp(String finalizer, Widget widget) {
        assertThat(widget.getMetadata().getDeletionTimestamp()).isNotNull();
        cleaned.add(finalizer + " " + widget.getMetadata().getUid());
        return CleanupResult.done();
    }

    private Map<String, String> drawLabels() {
        Map<String, String> drawn = new HashMap<>();
        for (String label : List.of("on", "off")) {
            String value = draw(VALUES);
            if (!value.isEmpty()) {
                drawn.put(label, value);
            }
        }
        return drawn;
    }

    /** Changes one object: creates it, or gives it other labels, or deletes it. */
    private void change() {
        String name = "w" + random.nextInt(OBJECTS);
        Map<String, String> drawn = drawLabels();
        Optional<Widget> live = direct.live().get(Widget.class, key(name));
        if (live.isEmpty()) {
            Widget widget = Widget.of(namespace(), name, 1);
            widget.getMetadata().setLabels(drawn);
            direct.create(widget);
            labels.put(name, drawn);
        } else if (live.get().getMetadata().getDeletionTimestamp() == null) {
            if (random.nextInt(4) == 0) {
                delete(name);
                if (random.nextBoolean()) {
                    direct.live().get(Widget.class, key(name)).ifPresent(deleted -> relabel(deleted, drawn));
                }
            } else {
                relabel(live.get(), drawn);
                labels.put(name, drawn);
            }
        } else {
            relabel(live.get(), drawn);
        }
    }

    /** The finalizers of exactly the version that is deleted are those that have to be cleaned up. */
    private void delete(String name) {
        labels.remove(name);
        while (true) {
            Widget widget = direct.live().get(Widget.class, key(name)).orElseThrow();
            try {
                direct.delete(
                        widget,
                        DeletionOptions.defaults()
                                .withResourceVersion(widget.getMetadata().getResourceVersion()));
                widget.getMetadata()
                        .getFinalizers()
                        .forEach(finalizer ->
                                owed.add(finalizer + " " + widget.getMetadata().getUid()));
                return;
            } catch (ConflictException e) {
                assertThat(e.code()).isEqualTo(409);
            }
        }
    }

    private void relabel(Widget widget, Map<String, String> drawn) {
        Map<String, Object> changes = new HashMap<>(drawn);
        for (String label : List.of("on", "off")) {
            changes.putIfAbsent(label, null);
        }
        try {
            direct.patch(widget, ObjectPatch.merge(Map.of("metadata", Map.of("labels", changes))));
        } catch (NotFoundException e) {
            assertThat(widget.getMetadata().getDeletionTimestamp()).isNotNull();
        }
    }

    private Map<String, Set<String>> expected() {
        Map<String, Set<String>> expected = new TreeMap<>();
        labels.forEach((name, its) -> {
            Set<String> finalizers = new HashSet<>();
            selectors.forEach((finalizer, selector) -> {
                if (LabelMatcher.parse(selector).matches(its)
                        && LabelMatcher.parse(cacheSelector).matches(its)) {
                    finalizers.add(finalizer);
                }
            });
            expected.put(name, finalizers);
        });
        return expected;
    }

    private Map<String, Set<String>> actual() {
        Map<String, Set<String>> actual = new TreeMap<>();
        for (Widget widget : direct.live().list(Widget.class)) {
            actual.put(
                    widget.getMetadata().getName(),
                    new HashSet<>(widget.getMetadata().getFinalizers()));
        }
        return actual;
    }

    @Test
    void objectsWhenSelectionsChangeNeitherHangNorLoseACleanup() {
        restart(0);
        for (int i = 0; i < CASES; i++) {
            if (random.nextInt(40) == 0) {
                restart(random.nextInt(10));
            }
            for (int changes = random.nextInt(3); changes >= 0; changes--) {
                change();
            }
            String what =
                    "case " + i + " of seed " + seed + ", selectors " + selectors + ", cache '" + cacheSelector + "'";
            await(what)
                    .pollInterval(Duration.ofMillis(3))
                    .atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(actual()).as(what).isEqualTo(expected()));
            assertThat(cleaned).as(what).containsAll(owed);
            owed.clear();
        }
    }
}
