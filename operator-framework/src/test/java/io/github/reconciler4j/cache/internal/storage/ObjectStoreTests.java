package io.github.reconciler4j.cache.internal.storage;

import static io.github.reconciler4j.cache.internal.storage.EntryFixture.entry;
import static io.github.reconciler4j.cache.internal.storage.EntryFixture.metadata;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.cache.internal.storage.FieldTerms.IndexTerm;
import io.github.reconciler4j.cache.internal.storage.ObjectStore.TermFunction;
import java.util.List;
import org.junit.jupiter.api.Test;

class ObjectStoreTests {

    private static final IndexTerm V = new IndexTerm("app", "v");

    private final ObjectStore store = new ObjectStore();

    private void apply(Change... changes) {
        List<Change> all = List.of(changes);
        store.prepare(all);
        assertThat(store.isPrepared(all)).isTrue();
        store.apply(all);
    }

    private Entry create(String namespace, String name, int uid, String app) {
        Entry entry = entry(namespace, name, uid, "5", app);
        apply(Change.created(entry, false));
        return entry;
    }

    private void index(String name, TermFunction terms) {
        assertThat(store.register(name, terms)).isTrue();
        store.complete(name, store.list(""));
    }

    @Test
    void getAndListReturnWhatWasCreatedUntilItIsDeleted() {
        Entry x = create("a", "x", 1, "");
        Entry y = create("a", "y", 2, "");
        Entry other = create("b", "x", 3, "");
        assertThat(store.get("a", "x")).isSameAs(x);
        assertThat(store.get("a", "z")).isNull();
        assertThat(store.get("c", "x")).isNull();
        assertThat(store.list("a")).containsExactlyInAnyOrder(x, y);
        assertThat(store.list("")).containsExactlyInAnyOrder(x, y, other);
        assertThat(store.list("c")).isEmpty();

        apply(Change.deleted(x, x, false), Change.departed(other));
        assertThat(store.list("")).containsExactly(y);
        assertThat(store.list("b")).isEmpty();
        apply(Change.deleted(other, other, false));
        assertThat(store.size()).isEqualTo(1);
    }

    @Test
    void totalsWhenObjectsChangeAreThoseOfWhatIsStored() {
        Entry x = create("a", "x", 1, "");
        Entry y = create("a", "y", 2, "");
        assertThat(store.size()).isEqualTo(2);
        assertThat(store.bodyBytes()).isEqualTo(4);
        assertThat(store.headerBytes()).isEqualTo(x.headerBytes() + y.headerBytes());

        Entry bare = metadata("a", "x", 1, "6", "label");
        apply(Change.updated(x, bare));
        assertThat(store.size()).isEqualTo(2);
        assertThat(store.bodyBytes()).isEqualTo(2);
        assertThat(store.headerBytes()).isEqualTo(bare.headerBytes() + y.headerBytes());

        apply(Change.deleted(bare, bare, false), Change.deleted(y, y, false));
        assertThat(store.size()).isZero();
        assertThat(store.bodyBytes()).isZero();
        assertThat(store.headerBytes()).isZero();
    }

    @Test
    void findWhenObjectsChangeReturnsThoseThatHaveTheTerm() {
        Entry x = create("a", "x", 1, "v");
        index("app", HeaderIndexes.labelTerms("app"));
        Entry y = create("a", "y", 2, "v");
        Entry z = create("a", "z", 3, "w");
        assertThat(store.find(List.of(V))).containsExactlyInAnyOrder(x, y);

        Entry moved = entry("a", "z", 3, "6", "v");
        apply(Change.updated(z, moved));
        assertThat(store.find(List.of(V))).containsExactlyInAnyOrder(x, y, moved);
        assertThat(store.find(List.of(new IndexTerm("app", "w")))).isEmpty();

        apply(Change.deleted(x, x, false), Change.departed(y));
        assertThat(store.find(List.of(V))).containsExactly(moved);
        apply(Change.deleted(moved, moved, false));
        assertThat(store.find(List.of(V))).isEmpty();
    }

    @Test
    void findWhenThereAreSeveralTermsReturnsThoseThatHaveAll() {
        index("app", HeaderIndexes.labelTerms("app"));
        index("name", entry -> List.of(entry.name(), entry.name()));
        Entry x = create("a", "x", 1, "v");
        create("a", "y", 2, "v");
        create("a", "z", 3, "");
        assertThat(store.find(List.of(V, new IndexTerm("name", "x")))).containsExactly(x);
        assertThat(store.find(List.of(new IndexTerm("name", "x"), V))).containsExactly(x);
        assertThat(store.find(List.of(new IndexTerm("name", "z"), V))).isEmpty();
        assertThat(store.find(List.of(V, new IndexTerm("none", "x")))).isNull();
    }

    @Test
    void findWhenTheIndexIsNotCompleteReturnsNull() {
        Entry before = create("a", "x", 1, "v");
        assertThat(store.find(List.of(V))).isNull();
        assertThat(store.hasIndex("app")).isFalse();
        store.register("app", HeaderIndexes.labelTerms("app"));
        assertThat(store.hasIndex("app")).isTrue();
        assertThat(store.find(List.of(V))).isNull();
        store.complete("other", List.of());
        assertThat(store.find(List.of(V))).isNull();
        store.complete("app", List.of(before));
        assertThat(store.find(List.of(V))).containsExactly(before);
    }

    @Test
    void completeWhenObjectsChangedSinceLeavesThemAsTheyAre() {
        Entry x = create("a", "x", 1, "v");
        Entry y = create("a", "y", 2, "v");
        List<Entry> stored = List.of(x, y);
        store.register("app", HeaderIndexes.labelTerms("app"));
        Entry changed = entry("a", "x", 1, "6", "v");
        apply(Change.updated(x, changed), Change.deleted(y, y, false));
        store.complete("app", stored);
        assertThat(store.find(List.of(V))).containsExactly(changed);
        store.complete("app", List.of(changed));
        assertThat(store.find(List.of(V))).containsExactly(changed);
    }

    @Test
    void registerWhenTheNameIsTakenKeepsTheFirst() {
        index("app", HeaderIndexes.labelTerms("app"));
        assertThat(store.register("app", entry -> List.of("v"))).isFalse();
        create("a", "x", 1, "w");
        assertThat(store.find(List.of(V))).isEmpty();
    }

    @Test
    void isPreparedWhenAnIndexWasAddedMeanwhileIsFalse() {
        List<Change> changes = List.of(Change.created(entry("a", "x", 1, "5", "v"), false));
        store.prepare(changes);
        store.register("app", HeaderIndexes.labelTerms("app"));
        assertThat(store.isPrepared(changes)).isFalse();
        store.prepare(changes);
        assertThat(store.isPrepared(changes)).isTrue();
        store.apply(changes);
        store.complete("app", List.of());
        assertThat(store.find(List.of(V))).hasSize(1);
    }

    @Test
    void prepareWhenDoneAlreadyDoesNotCallTheFunctionAgain() {
        int[] calls = {0};
        store.register("count", entry -> List.of("call " + ++calls[0]));
        List<Change> changes = List.of(Change.created(entry("a", "x", 1, "5", ""), false));
        store.prepare(changes);
        store.prepare(changes);
        assertThat(calls[0]).isEqualTo(1);
        Entry gone = entry("a", "y", 2, "5", "");
        store.prepare(List.of(Change.deleted(gone, gone, false)));
        assertThat(calls[0]).as("a deletion has no terms").isEqualTo(1);
    }

    @Test
    void hasTermDependsOnTheEntryWhetherItIsStoredOrNot() {
        Entry entry = entry("a", "x", 1, "5", "v");
        assertThat(store.hasTerm(entry, V)).isFalse();
        index("app", HeaderIndexes.labelTerms("app"));
        assertThat(store.hasTerm(entry, V)).isTrue();
        assertThat(store.hasTerm(entry, new IndexTerm("app", "w"))).isFalse();
        assertThat(store.hasTerm(entry("a", "x", 1, "5", ""), V)).isFalse();
    }

    @Test
    void ownersIndexHasTheUidsOfAllOwners() {
        Entry owned = EntryFixture.of("{'name':'x','uid':'u','ownerReferences':["
                + "{'apiVersion':'v1','kind':'Pod','name':'o','uid':'one'},"
                + "{'apiVersion':'v1','kind':'Pod','name':'p','uid':'two'}]}");
        assertThat(HeaderIndexes.owners(owned)).containsExactly("one", "two");
        assertThat(HeaderIndexes.label("app")).isNotEqualTo(HeaderIndexes.label("app2"));
        assertThat(HeaderIndexes.label("app")).startsWith("\0").contains("app");
    }

    @Test
    void writesWhenDoneLeaveTheStoreToOtherThreads() throws Exception {
        Entry x = entry("a", "x", 1, "5", "v");
        store.register("app", HeaderIndexes.labelTerms("app"));
        for (Runnable write :
                List.<Runnable>of(() -> apply(Change.created(x, false)), () -> store.complete("app", List.of(x)))) {
            write.run();
            Thread reader = new Thread(() -> store.list(""));
            reader.start();
            reader.join(30_000);
            assertThat(reader.isAlive()).isFalse();
        }
    }
}
