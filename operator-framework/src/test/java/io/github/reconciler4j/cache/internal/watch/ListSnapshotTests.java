package io.github.reconciler4j.cache.internal.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.cache.ObjectSelector;
import io.github.reconciler4j.cache.Partition;
import io.github.reconciler4j.cache.PartitionKey;
import io.github.reconciler4j.cache.internal.Json;
import io.github.reconciler4j.cache.internal.json.StringInterner;
import io.github.reconciler4j.cache.internal.storage.Change;
import io.github.reconciler4j.cache.internal.storage.CompactEncoder;
import io.github.reconciler4j.cache.internal.storage.CompactEncoder.DeflaterPool;
import io.github.reconciler4j.cache.internal.storage.EntryReader;
import io.github.reconciler4j.cache.internal.storage.ObjectStore;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ListSnapshotTests {

    private static final KindInfo CONFIG_MAPS = new KindInfo(KindName.of("v1", "ConfigMap"), "configmaps", true);

    private final ObjectStore store = new ObjectStore();
    private final EntryReader.Factory readers = new EntryReader.Factory(
            CONFIG_MAPS, KindCacheOptions.defaults(), new StringInterner(), new CompactEncoder(new DeflaterPool()));

    private static Scope scope(String namespace, String... excluded) {
        return new Scope(CONFIG_MAPS, namespace, ObjectSelector.everything(), List.of(excluded));
    }

    private ListSnapshot list(Scope scope, boolean bodies, String... objects) throws IOException {
        ListSnapshot list = new ListSnapshot(store, scope, PartFilter.ALL, bodies, true);
        return ListFixture.fill(list, readers.create(bodies), List.of(objects));
    }

    private List<Change> replace(ListSnapshot list) {
        List<Change> changes = list.changes(false);
        store.prepare(changes);
        store.apply(changes);
        return changes;
    }

    private static List<String> shown(List<Change> changes) {
        return changes.stream()
                .map(change -> change.type() + " " + change.entry())
                .toList();
    }

    @Test
    void changesAreTheDifferenceToWhatIsStored() throws IOException {
        ListSnapshot first = list(
                scope(""),
                true,
                Json.configMap("a", "same", 1, 5, "v"),
                Json.configMap("a", "changed", 2, 5, "v"),
                Json.configMap("a", "gone", 3, 5, "v"),
                Json.configMap("a", "replaced", 4, 5, "v"));
        assertThat(first.changes(true)).hasSize(4).allMatch(Change::isInitial);
        assertThat(replace(first)).noneMatch(Change::isInitial);

        List<Change> changes = replace(list(
                scope(""),
                true,
                Json.configMap("a", "same", 1, 5, "v"),
                Json.configMap("a", "changed", 2, 7, "w"),
                Json.configMap("a", "replaced", 9, 8, "v")));
        assertThat(shown(changes))
                .containsExactlyInAnyOrder(
                        "DELETED a/gone@5", "DELETED a/replaced@5", "UPDATED a/changed@7", "CREATED a/replaced@8");
        assertThat(changes).filteredOn(Change::isRemoval).allMatch(Change::isFinalStateUnknown);
        assertThat(store.size()).isEqualTo(3);
    }

    @Test
    void changesLeaveOtherNamespacesAlone() throws IOException {
        replace(list(scope(""), true, Json.configMap("a", "x", 1, 5, "v"), Json.configMap("b", "x", 2, 5, "v")));
        assertThat(shown(list(scope("", "a"), true).changes(false))).containsExactly("DELETED b/x@5");
        assertThat(shown(list(scope("a"), true).changes(false))).containsExactly("DELETED a/x@5");
    }

    @Test
    void changesWhenBodiesArriveAreBodiesUnlessTheHeaderDiffers() throws IOException {
        String[] objects = {Json.configMap("a", "x", 1, 5, "v"), Json.configMap("a", "y", 2, 5, "v")};
        replace(list(scope(""), false, objects));
        assertThat(store.bodyBytes()).isZero();
        assertThat(list(scope(""), false).hasBodies()).isFalse();
        assertThat(list(scope(""), false, objects).changes(false)).isEmpty();
        objects[1] = Json.configMap("a", "y", 2, 6, "v");
        ListSnapshot bodies = list(scope(""), true, objects);
        assertThat(bodies.hasBodies()).isTrue();
        assertThat(shown(replace(bodies))).containsExactly("BODY a/x@5", "UPDATED a/y@6");
        assertThat(store.list("")).allMatch(entry -> entry.hasBody());
        assertThat(list(scope(""), false, objects).changes(false))
                .as("what is stored has more")
                .isEmpty();
    }

    @Test
    void removeAndClearForgetWhatWasRead() throws IOException {
        ListSnapshot list =
                list(scope(""), true, Json.configMap("a", "x", 1, 5, "v"), Json.configMap("a", "y", 2, 5, "v"));
        assertThat(list.size()).isEqualTo(2);
        list.remove(Json.header("a", "x", 1, "6", ""));
        assertThat(shown(list.changes(false))).containsExactly("CREATED a/y@5");
        list.clear();
        assertThat(list.size()).isZero();
        assertThat(list.changes(false)).isEmpty();
    }

    @Test
    void addWhenObjectsBelongToAnotherPartCountsThemAndLetsThemDepart() throws IOException {
        String object = Json.configMap("a", "x", 1, 5, "v");
        String again = Json.configMap("a", "y", 2, 5, "v");
        replace(list(scope(""), true, object, again));
        PartFilter none = PartFilter.of(HeldParts.initial(Partition.of(2, Set.of())), PartitionKey.uid(), CONFIG_MAPS);
        ListSnapshot list = new ListSnapshot(store, scope(""), none, true, true);
        ListFixture.fill(list, readers.create(true), List.of(object, Json.configMap("a", "y", 9, 8, "v")));
        assertThat(list.filtered()).isEqualTo(2);
        assertThat(list.form().bodies()).isTrue();
        assertThat(shown(list.changes(false)))
                .as("another object has taken the name of the second")
                .containsExactlyInAnyOrder("DEPARTED a/x@5", "DELETED a/y@5");
        list.clear();
        assertThat(list.filtered()).isZero();
        assertThat(shown(list.changes(false))).containsExactlyInAnyOrder("DELETED a/x@5", "DELETED a/y@5");
    }
}
