package io.github.reconciler4j.cache;

import static io.github.reconciler4j.cache.ServedCache.LONG;
import static io.github.reconciler4j.cache.ServedCache.until;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.test.request.RequestMatch;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A kind whose users need metadata only is watched as metadata, until a user needs bodies. */
class MetadataWatchTests {

    private static final String PASSWORD = "correct horse battery staple";

    private static final String ENCODED_PASSWORD = Base64.getEncoder().encodeToString(PASSWORD.getBytes(UTF_8));

    private final ServedCache served = new ServedCache();
    private final TappedConnection connection = new TappedConnection(served.connection);
    private final List<String> metadataEvents = new CopyOnWriteArrayList<>();
    private final List<String> bodyEvents = new CopyOnWriteArrayList<>();
    private Cache cache;

    @AfterEach
    void close() {
        if (cache != null) {
            cache.close();
        }
        served.close();
    }

    private void open(boolean watchList) {
        WatchOptions watch = WatchOptions.defaults()
                .withListMode(watchList ? WatchOptions.ListMode.STREAMED : WatchOptions.ListMode.WHOLE);
        cache = Cache.create(
                connection,
                served.scheme,
                CacheOptions.defaults().withSyncTimeout(LONG).withWatch(watch));
    }

    private Secret create(String name) {
        return served.client.create(new SecretBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .addToStringData("password", PASSWORD)
                .build());
    }

    private void touch(String name, String value) {
        ObjectPatch patch = ObjectPatch.merge(Map.of("metadata", Map.of("labels", Map.of("touched", value))));
        served.client.patch(Kind.of(Secret.class), ObjectKey.of("default", name), patch, WriteOptions.defaults());
    }

    private void delete(String name) {
        served.client.delete(Kind.of(Secret.class), ObjectKey.of("default", name), DeletionOptions.defaults());
    }

    private static String describe(ObjectEvent<?> event) {
        return event.getClass().getSimpleName() + " " + event.snapshot().key().name();
    }

    private static boolean isOfMetadata(ApiRequest request) {
        return request.accept().contains("PartialObjectMetadata");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void watchWhenUsersNeedMetadataOnlyNeverReceivesBodies(boolean watchList) throws InterruptedException {
        create("a");
        open(watchList);
        Informer<ObjectHeader> secrets = cache.informer(Kind.of(Secret.class).metadata());
        secrets.subscribe("metadata", event -> metadataEvents.add(describe(event)));
        cache.start();
        cache.awaitSync(LONG);
        create("b");
        until("creations", () -> metadataEvents.containsAll(List.of("Created a", "Created b")));
        touch("a", "yes");
        delete("b");

        until("events", () -> metadataEvents.contains("Deleted b") && metadataEvents.contains("Updated a"));
        assertThat(metadataEvents).contains("Created a", "Created b");
        assertThat(secrets.list("default")).singleElement().satisfies(secret -> {
            assertThat(secret.object().labels()).containsEntry("touched", "yes");
            assertThat(secret.header().key()).isEqualTo(ObjectKey.of("default", "a"));
        });
        assertThat(cache.get(Kind.of(Secret.class).metadata(), ObjectKey.of("default", "a")))
                .isPresent();
        assertThat(cache.list(Kind.of(Secret.class).metadata(), Selection.inNamespace("default")))
                .hasSize(1);
        assertThat(connection.received())
                .contains("PartialObjectMetadata")
                .doesNotContain("\"data\"", "\"stringData\"", PASSWORD, ENCODED_PASSWORD);
        assertThat(connection.watchesOf("secrets")).isNotEmpty().allMatch(MetadataWatchTests::isOfMetadata);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void subscribeWhenFirstUserNeedsBodiesDeliversEachObjectOnceToAll(boolean watchList) throws InterruptedException {
        create("a");
        create("b");
        open(watchList);
        cache.informer(Kind.of(Secret.class).metadata())
                .subscribe("metadata", event -> metadataEvents.add(describe(event)));
        cache.start();
        cache.awaitSync(LONG);
        until("metadata", () -> metadataEvents.size() == 2);

        Subscription bodies = cache.informer(Secret.class)
                .subscribe(
                        "bodies",
                        event -> bodyEvents.add(describe(event)
                                + (event.snapshot().object().getData().size())));
        bodies.awaitInitial(LONG);

        assertThat(bodyEvents).containsExactlyInAnyOrder("Created a1", "Created b1");
        create("c");
        until("creation", () -> bodyEvents.contains("Created c1") && metadataEvents.contains("Created c"));
        assertThat(metadataEvents).containsExactlyInAnyOrder("Created a", "Created b", "Created c");
        assertThat(cache.get(Secret.class, ObjectKey.of("default", "a")))
                .hasValueSatisfying(secret -> assertThat(secret.getData()).containsKey("password"));
        assertThat(served.server.watches(RequestMatch.watches().kind("secrets")))
                .isOne();
    }

    @Test
    void readWhenOnlyMetadataIsWatchedWaitsForTheBody() throws InterruptedException {
        create("a");
        open(false);
        cache.informer(Kind.of(Secret.class).metadata()).subscribe("metadata", event -> {});
        cache.start();
        cache.awaitSync(LONG);

        assertThat(cache.get(Secret.class, ObjectKey.of("default", "a")))
                .hasValueSatisfying(secret -> assertThat(secret.getData()).containsKey("password"));
        assertThat(cache.list(Kind.of(Secret.class), Selection.inNamespace("default")))
                .allSatisfy(secret -> assertThat(secret.getData()).containsKey("password"));
    }

    @Test
    void releaseWhenUsersOfBodiesHaveLeftWatchesMetadataAgain() throws InterruptedException {
        create("a");
        open(false);
        cache.start();
        assertThat(cache.get(Secret.class, ObjectKey.of("default", "a"))).isPresent();
        assertThat(cache.release(Kind.of(Secret.class))).isTrue();
        int before = connection.watchesOf("secrets").size();

        cache.informer(Kind.of(Secret.class).metadata())
                .subscribe("metadata", event -> metadataEvents.add(describe(event)));

        until("creation", () -> metadataEvents.contains("Created a"));
        until("watch", () -> connection.watchesOf("secrets").size() > before);
        assertThat(connection.watchesOf("secrets").subList(before, before + 1))
                .allMatch(MetadataWatchTests::isOfMetadata);
    }

    /** Writes continue while the kind changes from metadata to bodies: no event is lost, invented or delivered twice. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void subscribeWhenObjectsChangeMeanwhileLosesAndRepeatsNothing(long seed) throws InterruptedException {
        Random random = new Random(seed);
        for (int i = 0; i < 20; i++) {
            create("s" + i);
        }
        open(seed % 2 == 0);
        States metadata = new States();
        States bodies = new States();
        cache.informer(Kind.of(Secret.class).metadata()).subscribe("metadata", metadata::record);
        cache.start();
        cache.awaitSync(LONG);
        for (int step = 0; step < 60; step++) {
            String name = "s" + random.nextInt(25);
            if (isAbsent(name)) {
                create(name);
            } else if (random.nextBoolean()) {
                delete(name);
            } else {
                touch(name, "v" + step);
            }
            if (step == 20) {
                cache.informer(Secret.class).subscribe("bodies", bodies::record);
            }
        }

        Map<String, String> present = new TreeMap<>();
        served.client
                .live()
                .list(Kind.of(Secret.class), Selection.inNamespace("default"))
                .forEach(secret -> present.put(
                        secret.getMetadata().getName(), secret.getMetadata().getResourceVersion()));
        until("bodies", () -> new TreeMap<>(bodies.known).equals(present));
        until("metadata", () -> new TreeMap<>(metadata.known).equals(present));
        assertThat(metadata.wrong).isEmpty();
        assertThat(bodies.wrong).isEmpty();
    }

    private boolean isAbsent(String name) {
        return served.client
                .live()
                .get(Secret.class, ObjectKey.of("default", name))
                .isEmpty();
    }

    /** What a subscriber knows, and what was wrong with an event. */
    private static final class States {

        final Map<String, String> known = new ConcurrentHashMap<>();
        final List<String> wrong = new CopyOnWriteArrayList<>();

        void record(ObjectEvent<?> event) {
            String name = event.snapshot().key().name();
            String version = event.snapshot().header().resourceVersion();
            String before = event instanceof ObjectEvent.Deleted ? known.remove(name) : known.put(name, version);
            if (event instanceof ObjectEvent.Created ? before != null : before == null) {
                wrong.add(describe(event) + " after " + before);
            }
            if (event instanceof ObjectEvent.Updated<?> updated
                    && !updated.previous().header().resourceVersion().equals(before)) {
                wrong.add(describe(event) + " of another state than " + before);
            }
        }
    }
}
