package io.github.reconciler4j.cache.internal;

import static io.github.reconciler4j.cache.internal.Json.configMap;
import static io.github.reconciler4j.cache.internal.Json.event;
import static io.github.reconciler4j.cache.internal.Json.list;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.Informer;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.cache.Partition;
import io.github.reconciler4j.cache.PartitionKey;
import io.github.reconciler4j.cache.WatchOptions;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.internal.spi.WriteListener;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PendingWritesTests {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final FakeConnection server = new FakeConnection();
    private final Scheme scheme = Scheme.create();
    private final KindInfo kind = scheme.kindOf(ConfigMap.class);
    private final List<String> events = new CopyOnWriteArrayList<>();
    private DefaultCache cache;
    private Informer<ConfigMap> informer;
    private WriteListener writes;
    private FakeConnection.Body watch;

    private void start(KindCacheOptions options, String... present) {
        start(CacheOptions.defaults(), options, present);
    }

    private void start(CacheOptions all, KindCacheOptions options, String... present) {
        server.whole(list(10, "", present));
        watch = server.open();
        cache = new DefaultCache(
                server,
                scheme,
                all.withKindDefaults(options)
                        .withWatch(WatchOptions.defaults().withListMode(WatchOptions.ListMode.WHOLE)));
        writes = cache.writeListener();
        informer = cache.informer(ConfigMap.class);
        informer.addIndex("value", map -> List.of(map.object().getData().get("key")));
        informer.subscribe("test", this::record);
        cache.start();
        await("first list")
                .atMost(LONG)
                .until(() ->
                        cache.list(Kind.of(ConfigMap.class), Selection.all()).size() == present.length);
        await("its events").atMost(LONG).until(() -> events.size() == present.length);
    }

    private void record(ObjectEvent<ConfigMap> event) {
        events.add(event.getClass().getSimpleName() + " "
                + event.snapshot().header().resourceVersion());
    }

    @AfterEach
    void close() {
        cache.close();
    }

    private void written(String json) {
        writes.written(kind, json.getBytes(UTF_8));
    }

    private void deleted(String name, int uid) {
        writes.deleted(kind, ObjectKey.of("a", name), Json.uid(uid), null);
    }

    private void deleted(String json, String name, int uid) {
        writes.deleted(kind, ObjectKey.of("a", name), Json.uid(uid), json.getBytes(UTF_8));
    }

    private String seen() {
        return String.join(
                " ",
                cache.list(Kind.of(ConfigMap.class), Selection.inNamespace("a")).stream()
                        .map(map -> map.getMetadata().getName() + "="
                                + map.getData().get("key"))
                        .toList());
    }

    private int pendingWrites() {
        return cache.kinds().get(0).content().pendingWrites();
    }

    private void awaitPassed(long version) {
        watch.send(Json.bookmark(version, false));
        await("no pending write").atMost(LONG).until(() -> pendingWrites() == 0);
    }

    @Test
    void readWhenWatchHasNotDeliveredAWriteIncludesItInEveryForm() {
        start(KindCacheOptions.defaults(), configMap("a", "x", 1, 5, "old"), configMap("a", "y", 2, 6, "old"));

        written(configMap("a", "x", 1, 11, "new"));
        written(configMap("a", "z", 3, 12, "new"));
        deleted("y", 2);

        assertThat(seen()).isEqualTo("x=new z=new");
        assertThat(informer.byIndex("value", "new"))
                .extracting(found -> found.key().name())
                .containsExactlyInAnyOrder("x", "z");
        assertThat(informer.byIndex("value", "old")).isEmpty();
        assertThat(informer.get(ObjectKey.of("a", "y"))).isEmpty();
        assertThat(cache.list(Kind.of(kind.kind()).metadata(), Selection.inNamespace("b")))
                .isEmpty();
        assertThat(cache.list(Kind.of(ConfigMap.class), Selection.all().withLabelSelector("app=new")))
                .hasSize(2);
    }

    @Test
    void listWhenTwoIndexesAreSelectedIncludesOnlyPendingWritesThatHaveBothTerms() {
        start(KindCacheOptions.defaults(), configMap("a", "x", 1, 5, "old"));
        informer.addIndex("name", map -> List.of(map.key().name()));
        written(configMap("a", "y", 2, 11, "new"));
        written(configMap("a", "z", 3, 12, "new"));
        written(configMap("a", "x", 1, 13, "newer"));

        Selection both = Selection.all().withFieldSelector("value=new,name=z");
        assertThat(cache.list(Kind.of(ConfigMap.class), both))
                .extracting(map -> map.getMetadata().getName())
                .containsExactly("z");
        Selection none = Selection.all().withFieldSelector("value=new,name=x");
        assertThat(cache.list(Kind.of(ConfigMap.class), none)).isEmpty();
    }

    @Test
    void watchWhenItDeliversOwnWritesDeliversEveryEventAndRemovesPendingWrites() {
        start(KindCacheOptions.defaults(), configMap("a", "x", 1, 5, "old"));
        written(configMap("a", "x", 1, 12, "new"));
        watch.send(event("MODIFIED", configMap("a", "x", 1, 11, "between")));
        await("event between").atMost(LONG).until(() -> events.contains("Updated 11"));
        assertThat(seen()).isEqualTo("x=new");

        watch.send(event("MODIFIED", configMap("a", "x", 1, 12, "new")));
        watch.send(event("MODIFIED", configMap("a", "x", 1, 13, "newer")));

        await("newer").atMost(LONG).until(() -> seen().equals("x=newer"));
        assertThat(pendingWrites()).isZero();
        await("last event")
                .atMost(LONG)
                .until(() -> events.get(events.size() - 1).equals("Updated 13"));
    }

    @Test
    void writtenWhenWatchHasPassedItIsLeftOut() {
        start(KindCacheOptions.defaults(), configMap("a", "x", 1, 5, "old"));
        watch.send(event("MODIFIED", configMap("a", "x", 1, 20, "mine")));
        watch.send(event("DELETED", configMap("a", "x", 1, 21, "mine")));
        await("deletion").atMost(LONG).until(() -> seen().isEmpty());

        written(configMap("a", "x", 1, 20, "mine"));

        assertThat(seen()).isEmpty();
        assertThat(pendingWrites()).isZero();
    }

    @Test
    void deletedWhenOthersCreateTheObjectAgainShowsTheNewObject() {
        start(KindCacheOptions.defaults(), configMap("a", "x", 1, 5, "old"));
        deleted("x", 1);
        assertThat(seen()).isEmpty();
        watch.send(event("MODIFIED", configMap("a", "x", 1, 11, "late")));
        await("late event").atMost(LONG).until(() -> events.contains("Updated 11"));
        assertThat(seen()).isEmpty();

        watch.send(event("DELETED", configMap("a", "x", 1, 12, "late")));
        watch.send(event("ADDED", configMap("a", "x", 7, 13, "again")));

        await("again").atMost(LONG).until(() -> seen().equals("x=again"));
        assertThat(pendingWrites()).isZero();
    }

    @Test
    void deletedWhenCreationWasNotSeenYetStaysDeleted() {
        start(KindCacheOptions.defaults());
        written(configMap("a", "x", 1, 11, "mine"));
        deleted("x", 1);
        watch.send(event("ADDED", configMap("a", "x", 1, 11, "mine")));
        await("creation").atMost(LONG).until(() -> events.contains("Created 11"));
        assertThat(seen()).isEmpty();

        watch.send(event("DELETED", configMap("a", "x", 1, 12, "mine")));

        await("deletion").atMost(LONG).until(() -> events.size() == 2);
        assertThat(seen()).isEmpty();
        awaitPassed(13);
    }

    @Test
    void writtenWhenAnswersOvertakeEachOtherKeepsTheNewest() {
        start(KindCacheOptions.defaults(), configMap("a", "x", 1, 5, "old"));

        written(configMap("a", "x", 1, 30, "second"));
        written(configMap("a", "x", 1, 29, "first"));
        assertThat(seen()).isEqualTo("x=second");
        deleted("x", 1);
        written(configMap("a", "x", 1, 31, "answer that came late"));
        assertThat(seen()).isEmpty();
    }

    @Test
    void writtenWhenObjectIsOutsideTheSelectionIsNotShown() {
        KindCacheOptions options =
                KindCacheOptions.defaults().withNamespaces(Set.of("a")).withLabelSelector("app=v");
        start(options, configMap("a", "x", 1, 5, "v"));

        written(configMap("a", "x", 1, 11, "w"));
        written(configMap("a", "y", 2, 12, "w"));
        written(configMap("b", "z", 3, 13, "v"));

        assertThat(cache.list(Kind.of(ConfigMap.class), Selection.all())).isEmpty();
        watch.send(event("DELETED", configMap("a", "x", 1, 11, "w")));
        awaitPassed(20);
        assertThat(cache.list(Kind.of(ConfigMap.class), Selection.all())).isEmpty();
    }

    @Test
    void relistWhenItIsOlderThanAWriteKeepsTheWrite() {
        start(KindCacheOptions.defaults(), configMap("a", "x", 1, 5, "old"));
        FakeConnection.Body relist = server.open();
        FakeConnection.Body second = server.open();
        written(configMap("a", "x", 1, 30, "mine"));
        watch.send(Json.error(410, "Expired"));
        relist.send(list(25, "", configMap("a", "x", 1, 20, "theirs"))).end();
        await("relist").atMost(LONG).until(() -> events.contains("Updated 20"));

        assertThat(seen()).isEqualTo("x=mine");
        second.send(event("MODIFIED", configMap("a", "x", 1, 40, "last")));
        await("last").atMost(LONG).until(() -> seen().equals("x=last"));
    }

    /** The names of which the server was asked, in order. */
    private List<String> looks() {
        return server.requests.stream()
                .map(request -> String.join("", request.query().getOrDefault("fieldSelector", List.of())))
                .filter(selector -> selector.startsWith("metadata.name="))
                .toList();
    }

    @Test
    void deletedWhenWatchHasNotDeliveredAnEarlierDeletionHidesTheEarlierObject() {
        start(KindCacheOptions.defaults(), configMap("a", "x", 1, 5, "first"));
        deleted("x", 1);
        written(configMap("a", "x", 2, 12, "second"));
        assertThat(seen()).isEqualTo("x=second");

        deleted("x", 2);

        assertThat(seen()).isEmpty();
        assertThat(looks()).isEmpty();
    }

    @Test
    void deletedWhenObjectWasUnknownStaysDeletedWhenLateEventsArrive() {
        start(KindCacheOptions.defaults());
        server.look(list(20, ""));
        deleted("x", 1);
        assertThat(seen()).isEmpty();
        assertThat(looks()).containsExactly("metadata.name=x");

        watch.send(event("ADDED", configMap("a", "x", 1, 11, "lost")));
        await("late creation").atMost(LONG).until(() -> events.contains("Created 11"));
        assertThat(seen()).isEmpty();
        watch.send(event("DELETED", configMap("a", "x", 1, 12, "lost")));
        watch.send(event("ADDED", configMap("a", "x", 2, 21, "theirs")));

        await("theirs").atMost(LONG).until(() -> seen().equals("x=theirs"));
        await("no pending write").atMost(LONG).until(() -> pendingWrites() == 0);
        assertThat(looks()).hasSize(1);
    }

    @Test
    void deletedWhenTheWatchWasFasterAndTheAnswerHasTheObjectNeedsNoRequest() {
        start(KindCacheOptions.defaults(), configMap("a", "x", 1, 5, "old"), configMap("a", "y", 2, 6, "old"));
        watch.send(event("DELETED", configMap("a", "x", 1, 11, "old")));
        watch.send(event("MODIFIED", configMap("a", "y", 2, 12, "new")));
        await("deletion and what follows").atMost(LONG).until(() -> seen().equals("y=new"));

        deleted(configMap("a", "x", 1, 11, "old"), "x", 1);

        assertThat(pendingWrites()).isZero();
        assertThat(seen()).isEqualTo("y=new");
        assertThat(looks()).isEmpty();
    }

    @Test
    void deletedWhenTheObjectWasUnknownAndTheAnswerHasItStaysDeletedWithoutARequest() {
        start(KindCacheOptions.defaults());

        deleted(configMap("a", "x", 1, 11, "others"), "x", 1);
        watch.send(event("ADDED", configMap("a", "x", 1, 11, "others")));
        await("creation").atMost(LONG).until(() -> events.contains("Created 11"));
        assertThat(seen()).isEmpty();
        watch.send(event("DELETED", configMap("a", "x", 1, 12, "others")));

        await("no pending write").atMost(LONG).until(() -> pendingWrites() == 0);
        assertThat(seen()).isEmpty();
        assertThat(looks()).isEmpty();
    }

    @Test
    void readWhenVersionsAreNoNumbersLooksUpUntilTheWatchHasCaughtUp() {
        start(KindCacheOptions.defaults(), configMap("a", "x", 1, 5, "old"));
        String mine = configMap("a", "x", 1, 11, "mine").replace("\"11\"", "\"v11\"");
        String list = list(12, "", mine).replace("\"12\"", "\"v12\"");
        written(mine);

        server.look(list).look(list).look(list);
        assertThat(seen()).isEqualTo("x=mine");
        assertThat(informer.get(ObjectKey.of("a", "x"))).isPresent();
        watch.send(event("MODIFIED", mine));
        await("own write").atMost(LONG).until(() -> events.contains("Updated v11"));

        assertThat(seen()).isEqualTo("x=mine");
        assertThat(pendingWrites()).isZero();
        assertThat(seen()).isEqualTo("x=mine");
        assertThat(looks()).hasSize(3);
    }

    @Test
    void readWhenTheSelectorCannotBeEvaluatedLooksUpOnce() {
        start(KindCacheOptions.defaults().withFieldSelector("status.phase=Running"));
        written(configMap("a", "x", 1, 11, "mine"));
        server.look(list(13, "", configMap("a", "x", 1, 12, "changed")));

        assertThat(seen()).isEqualTo("x=changed");
        assertThat(informer.byIndex("value", "changed")).hasSize(1);
        assertThat(looks()).containsExactly("metadata.name=x,status.phase=Running");
        awaitPassed(13);
        assertThat(seen()).isEmpty();
    }

    @Test
    void readWhenAWriteWasRefusedSeesWhatRefusedIt() {
        start(KindCacheOptions.defaults(), configMap("a", "x", 1, 5, "stale"));
        server.look(list(31, "", configMap("a", "x", 1, 30, "theirs")));

        writes.refused(kind, ObjectKey.of("a", "x"));

        assertThat(seen()).isEqualTo("x=theirs");
        watch.send(event("MODIFIED", configMap("a", "x", 1, 30, "theirs")));
        awaitPassed(31);
        await("update").atMost(LONG).until(() -> events.contains("Updated 30"));
        assertThat(looks()).hasSize(1);
    }

    @Test
    void deletedWhenUnknownObjectsAreNeverReadDoesNotAccumulate() {
        start(KindCacheOptions.defaults());
        for (int i = 0; i < 1500; i++) {
            server.look(list(100, ""));
            deleted("x" + i, i);
        }

        assertThat(looks()).hasSize(500);
    }

    @Test
    void refusedWhenServerReturnsAnObjectOfAnotherPartDoesNotShowIt() {
        Partition parts = Partition.of(2, Set.of(0));
        start(
                CacheOptions.defaults().withPartition(parts),
                KindCacheOptions.defaults().withPartitionKey(PartitionKey.uid()));
        int other = IntStream.range(1, 100)
                .filter(number -> !parts.isHeld(parts.ofUid(Json.uid(number))))
                .findFirst()
                .orElseThrow();
        server.look(list(11, "", configMap("a", "x", other, 7, "v")));

        writes.refused(kind, ObjectKey.of("a", "x"));

        assertThat(informer.get(ObjectKey.of("a", "x"))).isEmpty();
    }
}
