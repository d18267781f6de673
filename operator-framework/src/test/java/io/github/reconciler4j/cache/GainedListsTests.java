package io.github.reconciler4j.cache;

import static io.github.reconciler4j.cache.ServedCache.LONG;
import static io.github.reconciler4j.cache.ServedCache.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.scheme.Kind;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The requests of a cache that gains parts, if the API server can select them. This server sends all objects, and the cache selects. */
class GainedListsTests {

    private static final int OBJECTS = 40;
    private static final String MEANWHILE = "default/meanwhile";
    private static final Partition PARTS = Partition.of(4, Set.of());

    private final ServedCache served = new ServedCache();
    private final Set<String> all = new TreeSet<>();
    private final Map<String, Integer> parts = new TreeMap<>();
    private final TappedConnection connection = new TappedConnection(served.connection);
    private Cache cache;

    @AfterEach
    void close() {
        cache.close();
        served.close();
    }

    private void start(Integer... held) {
        for (int i = 0; i < OBJECTS; i++) {
            create("x" + i);
        }
        cache = Cache.create(
                connection,
                served.scheme,
                CacheOptions.defaults()
                        .withSyncTimeout(LONG)
                        .withPartition(PARTS.withHeld(Set.of(held)))
                        .withWatch(WatchOptions.defaults().withListMode(WatchOptions.ListMode.WHOLE))
                        .withKindDefaults(KindCacheOptions.defaults().withPartitionKey(PartitionKey.uid())));
        cache.informer(ConfigMap.class).subscribe("test", served::deliver);
        cache.start();
        until("one watch", () -> served.watches() == 1);
    }

    private void create(String name) {
        ConfigMap created = served.configMap("default", name);
        all.add("default/" + name);
        parts.put("default/" + name, PARTS.ofUid(created.getMetadata().getUid()));
    }

    private void hold(Integer... held) throws InterruptedException {
        cache.changePartition(PARTS.withHeld(Set.of(held)));
        assertThat(cache.awaitPartition(LONG)).isTrue();
        if (held.length == 0) {
            return; // reads of what no part has fail
        }
        Set<String> listed = in(held);
        listed.remove(MEANWHILE); // the watch that resumes delivers it
        assertThat(present()).as("at once").containsAll(listed);
        until("all", () -> present().equals(in(held)));
    }

    private Set<String> present() {
        return cache.list(Kind.of(ConfigMap.class), Selection.inNamespace("default")).stream()
                .map(map -> "default/" + map.getMetadata().getName())
                .filter(all::contains)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private Set<String> in(Integer... held) {
        Set<String> names = new TreeSet<>(all);
        names.removeIf(name -> !Set.of(held).contains(parts.get(name)));
        return names;
    }

    private List<Map<String, List<String>>> requests(String verb) {
        return connection.requests.stream()
                .filter(request -> request.verb().equals(verb) && request.path().endsWith("/configmaps"))
                .map(ApiRequest::query)
                .toList();
    }

    @Test
    void changePartitionWhenSomeAreGainedListsTheseAloneAndResumesTheWatch() throws InterruptedException {
        start(0, 1);
        assertThat(requests("list")).hasSize(1);
        until("the watch", () -> requests("watch").size() == 1);
        List<String> watched = requests("watch").get(0).get("resourceVersion");
        create("meanwhile");

        hold(0, 1, 2, 3);

        assertThat(requests("list")).hasSize(2);
        assertThat(requests("list").get(1))
                .doesNotContainKey("resourceVersion")
                .containsEntry(
                        "shardSelector",
                        List.of("shardRange(object.metadata.uid, '0x8000000000000000', '0x10000000000000000')"));
        until("the watch", () -> requests("watch").size() == 2);
        assertThat(new BigInteger(
                        requests("watch").get(1).get("resourceVersion").get(0)))
                .isBetween(new BigInteger(watched.get(0)), new BigInteger(watched.get(0)).add(BigInteger.ONE));
        served.delivered.clear();
        create("later");
        until("later", () -> served.delivered.contains("Created default/later"));
        assertThat(served.delivered).noneMatch(event -> event.startsWith("Deleted") || event.startsWith("Departed"));
    }

    @Test
    void changePartitionWhenAllAreLostAndSomeGainedListsThese() throws InterruptedException {
        start(0);
        hold();
        hold(1, 2);
        hold(1);
        hold(1, 3);
        assertThat(requests("list")).hasSize(3);
    }
}
