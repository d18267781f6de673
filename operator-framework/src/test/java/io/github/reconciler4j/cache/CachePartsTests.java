package io.github.reconciler4j.cache;

import static io.github.reconciler4j.cache.ServedCache.LONG;
import static io.github.reconciler4j.cache.ServedCache.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Namespace;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A cache whose parts change, on a server that does not know parts. */
class CachePartsTests {

    private static final Partition PARTS = Partition.of(4, Set.of());

    private final ServedCache served = new ServedCache();
    private final List<String> namespaces =
            IntStream.range(0, 12).mapToObj(i -> "n" + i).toList();
    private Cache cache;

    @BeforeEach
    void fill() {
        for (String namespace : namespaces) {
            served.namespace(namespace);
            served.configMap(namespace, "x");
        }
    }

    @AfterEach
    void close() {
        served.close();
    }

    private Cache start(KindCacheOptions configMaps, Integer... held) {
        cache = served.open(CacheOptions.defaults()
                .withPartition(PARTS.withHeld(Set.of(held)))
                .withWatch(WatchOptions.defaults().withListMode(WatchOptions.ListMode.WHOLE))
                .withKind(Kind.of(ServedCache.CONFIG_MAP), configMaps));
        cache.informer(ConfigMap.class).subscribe("test", served::deliver);
        cache.start();
        return cache;
    }

    private void hold(Integer... held) throws InterruptedException {
        cache.changePartition(PARTS.withHeld(Set.of(held)));
        assertThat(cache.awaitPartition(LONG)).isTrue();
    }

    private List<String> in(Integer... parts) {
        return new TreeSet<>(namespaces)
                .stream()
                        .filter(namespace -> Set.of(parts).contains(PARTS.ofNamespace(namespace)))
                        .map(namespace -> namespace + "/x")
                        .toList();
    }

    private List<String> cached() {
        return served.names(Selection.all()).stream()
                .filter(name -> name.endsWith("/x"))
                .toList();
    }

    /** Returns events of objects called x, in order of their names. */
    private List<String> events(String type) {
        return served.delivered.stream()
                .filter(event -> event.startsWith(type) && event.endsWith("/x"))
                .sorted()
                .toList();
    }

    private static List<String> prefixed(String type, List<String> names) {
        return names.stream().map(name -> type + " " + name).toList();
    }

    private String namespaceOf(int part) {
        return in(part).get(0).replace("/x", "");
    }

    @Test
    void startWhenNoPartIsHeldHasNothingAndWatchesNothing() throws InterruptedException {
        start(KindCacheOptions.defaults());

        cache.awaitSync(LONG);

        assertThat(cached()).isEmpty();
        assertThat(served.watches()).isZero();
    }

    @Test
    void startWhenPartsAreHeldContainsTheirObjectsOnly() {
        start(KindCacheOptions.defaults(), 1, 3);

        assertThat(cached()).isEqualTo(in(1, 3)).isNotEmpty().hasSizeLessThan(namespaces.size());
        until("one watch", () -> served.watches() == 1);
    }

    @Test
    void changePartitionWhenOneIsGainedListsItAndDeliversNothingOfTheOthers() throws InterruptedException {
        start(KindCacheOptions.defaults(), 1);
        until("initial", () -> events("Created").size() == in(1).size());
        served.delivered.clear();

        hold(1, 2);

        assertThat(cached()).isEqualTo(in(1, 2));
        until("events", () -> served.delivered.size() >= in(2).size());
        assertThat(events("")).isEqualTo(prefixed("Created", in(2)));
        until("one watch", () -> served.watches() == 1);
    }

    @Test
    void changePartitionWhenOneIsLostDropsItsObjectsWithoutADeletionAndWithoutAList() throws InterruptedException {
        start(KindCacheOptions.defaults(), 1, 2);
        until("initial", () -> events("Created").size() == in(1, 2).size());
        served.delivered.clear();
        long lists = lists();

        hold(2);

        assertThat(cached()).isEqualTo(in(2));
        until("events", () -> served.delivered.size() >= in(1).size());
        assertThat(events("")).isEqualTo(prefixed("Departed", in(1)));
        assertThat(lists()).isEqualTo(lists);
        served.configMap(namespaceOf(2), "later");
        until("later", () -> served.names(Selection.all()).contains(namespaceOf(2) + "/later"));
    }

    private long lists() {
        return served.server.requests().all().stream()
                .filter(logged -> logged.toString().startsWith("list configmaps"))
                .count();
    }

    @Test
    void changePartitionWhenOneIsLostAndGainedAtOnceDeliversItsObjectsAgain() throws InterruptedException {
        start(KindCacheOptions.defaults(), 1, 2);
        until("initial", () -> events("Created").size() == in(1, 2).size());
        served.delivered.clear();

        cache.changePartition(PARTS.withHeld(Set.of(2)));
        hold(1, 2);

        until("events", () -> events("Created").size() == in(1).size());
        assertThat(events("Departed")).isEqualTo(prefixed("Departed", in(1)));
        assertThat(events("Created")).isEqualTo(prefixed("Created", in(1)));
        assertThat(cached()).isEqualTo(in(1, 2));
    }

    @Test
    void changePartitionWhenAllAreLostEndsTheWatchAndLaterGainsWork() throws InterruptedException {
        start(KindCacheOptions.defaults(), 0, 1, 2, 3);
        assertThat(cached()).hasSize(namespaces.size());

        hold();

        assertThat(cached()).isEmpty();
        until("no watch", () -> served.watches() == 0);
        served.configMap(namespaceOf(3), "meanwhile");
        hold(3);
        assertThat(served.names(Selection.all())).contains(namespaceOf(3) + "/meanwhile");
        assertThat(cached()).isEqualTo(in(3));
    }

    @Test
    void readWhenTheNamespaceBelongsToAnotherPartSaysSo() throws InterruptedException {
        start(KindCacheOptions.defaults(), 1);

        assertThatThrownBy(() -> cache.get(ConfigMap.class, ObjectKey.of(namespaceOf(2), "x")))
                .isInstanceOf(NotCachedException.class)
                .hasMessageContaining("belongs to a part that this process does not hold");
        assertThat(cache.get(ConfigMap.class, ObjectKey.of(namespaceOf(1), "x")))
                .isPresent();
        cache.changePartition(PARTS.withHeld(Set.of(2)));
        assertThat(cache.get(ConfigMap.class, ObjectKey.of(namespaceOf(2), "x")))
                .isPresent(); // waits for the list
    }

    @Test
    void namespacesWhenEachHasAWatchAreWatchedOnlyIfTheirPartIsHeld() throws InterruptedException {
        start(KindCacheOptions.defaults().withNamespaces(Set.of(namespaceOf(1), namespaceOf(2))), 1);

        cache.awaitSync(LONG);
        assertThat(cached()).containsExactly(namespaceOf(1) + "/x");
        until("one watch", () -> served.watches() == 1);
        hold(1, 2);
        assertThat(cached()).containsExactlyInAnyOrder(namespaceOf(1) + "/x", namespaceOf(2) + "/x");
        hold(2);
        assertThat(cached()).containsExactly(namespaceOf(2) + "/x");
        until("one watch", () -> served.watches() == 1);
    }

    @Test
    void wholeWhenAKindIsNotDividedContainsEverything() {
        start(KindCacheOptions.defaults().withPartitionKey(PartitionKey.whole()), 1);

        assertThat(cached()).hasSize(namespaces.size());
        assertThat(cache.list(Kind.of(Namespace.class), Selection.all()))
                .hasSizeGreaterThanOrEqualTo(namespaces.size());
    }

    private static ConfigMap childOf(ConfigMap root) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("child")
                .addNewOwnerReference()
                .withApiVersion("v1")
                .withKind("ConfigMap")
                .withName("root")
                .withUid(root.getMetadata().getUid())
                .withController(true)
                .endOwnerReference()
                .endMetadata()
                .build();
    }

    @Test
    void ownerWhenAChildIsAdoptedLeavesAndEntersWithItsRoot() throws InterruptedException {
        start(KindCacheOptions.defaults().withPartitionKey(PartitionKey.owner()), 0, 1);
        ConfigMap root = served.configMap("default", "root");
        int part = PARTS.ofUid(root.getMetadata().getUid());
        hold((part + 1) % 4);
        served.client.create(childOf(root));
        ObjectKey key = ObjectKey.of("default", "child");
        hold(part);
        until("the child", () -> served.delivered.contains("Created default/child"));

        String other = IntStream.range(0, 100)
                .mapToObj(i -> new UUID(i, i).toString())
                .filter(uid -> PARTS.ofUid(uid) != part)
                .findFirst()
                .orElseThrow();
        served.client.patch(
                Kind.of(ConfigMap.class),
                key,
                ObjectPatch.merge(Map.of(
                        "metadata",
                        Map.of(
                                "ownerReferences",
                                List.of(Map.of(
                                        "apiVersion", "v1",
                                        "kind", "ConfigMap",
                                        "name", "other",
                                        "uid", other,
                                        "controller", true))))),
                WriteOptions.defaults());

        until("gone", () -> cache.get(Kind.of(ConfigMap.class).metadata(), key).isEmpty());
        until("event", () -> served.delivered.contains("Departed default/child"));
        assertThat(served.delivered).noneMatch(event -> event.startsWith("Deleted"));
    }

    @Test
    void partKeyWhenItsFunctionFailsDividesByUid() {
        start(
                KindCacheOptions.defaults().withPartitionKey(PartitionKey.uidOf(header -> {
                    throw new IllegalStateException("on purpose");
                })),
                0,
                1,
                2,
                3);

        assertThat(cached()).hasSize(namespaces.size());
    }

    @Test
    void changePartitionWhenTheirNumberDiffersFails() {
        start(KindCacheOptions.defaults(), 1);

        assertThatThrownBy(() -> cache.changePartition(Partition.of(5, Set.of(1))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(Cache.create(served.connection, Scheme.create()).kinds()).isEmpty();
    }
}
