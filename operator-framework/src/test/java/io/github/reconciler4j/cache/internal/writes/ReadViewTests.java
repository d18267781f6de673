package io.github.reconciler4j.cache.internal.writes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.cache.ObjectSelector;
import io.github.reconciler4j.cache.internal.Json;
import io.github.reconciler4j.cache.internal.storage.BodyForm;
import io.github.reconciler4j.cache.internal.storage.Change;
import io.github.reconciler4j.cache.internal.storage.Entry;
import io.github.reconciler4j.cache.internal.storage.FieldTerms.IndexTerm;
import io.github.reconciler4j.cache.internal.storage.HeaderIndexes;
import io.github.reconciler4j.cache.internal.storage.ObjectStore;
import io.github.reconciler4j.cache.internal.watch.WatchProgress;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReadViewTests {

    private static final ObjectKey X = ObjectKey.of("a", "x");
    private static final IndexTerm V = new IndexTerm("app", "v");

    private final ObjectStore store = new ObjectStore();
    private final WatchProgress progress = new WatchProgress("", ObjectSelector.everything());
    private final PendingWrites writes = PendingWrites.create(store, key -> PendingWrite.unknown("", ""));
    private Runnable whenAsked = () -> {};
    private final ReadView view = new ReadView(store, writes, this::progressOf);

    private WatchProgress progressOf(String namespace) {
        whenAsked.run();
        return progress;
    }

    private static Entry entry(String namespace, String name, int uid, String version, String app) {
        return new Entry(Json.header(namespace, name, uid, version, app), "{}".getBytes(UTF_8), BodyForm.PLAIN);
    }

    private Entry store(Entry entry) {
        Entry old = store.get(entry.namespace(), entry.name());
        Change change = old == null ? Change.created(entry, false) : Change.updated(old, entry);
        store.prepare(List.of(change));
        store.apply(List.of(change));
        return entry;
    }

    private Entry write(Entry entry) {
        writes.add(entry.key(), PendingWrite.written(entry.resourceVersion(), entry.uid(), entry), progress);
        return entry;
    }

    @Test
    void getShowsTheNewerOfWriteAndStore() {
        progress.position("10");
        Entry stored = store(entry("a", "x", 1, "5", ""));
        assertThat(view.get(X)).isSameAs(stored);
        assertThat(view.peek(X)).isSameAs(stored);
        Entry written = write(entry("a", "x", 1, "20", ""));
        assertThat(view.get(X)).isSameAs(written);
        assertThat(view.peek(X)).isSameAs(written);
        Entry newer = store(entry("a", "x", 1, "21", ""));
        assertThat(view.get(X)).isSameAs(newer);
        assertThat(view.peek(X)).isSameAs(newer);
        assertThat(view.get(ObjectKey.of("a", "y"))).isNull();
    }

    @Test
    void getWhenTheWatchHasPassedTheWriteShowsTheStore() {
        progress.position("10");
        write(entry("a", "x", 1, "20", ""));
        progress.position("21"); // and the deletion at 21
        assertThat(view.get(X)).isNull();
        assertThat(view.list("a")).isEmpty();
    }

    @Test
    void getWhenTheWatchPassesTheWriteMeanwhileReadsTheStoreAgain() {
        progress.position("10");
        write(entry("a", "x", 1, "20", ""));
        Entry later = entry("a", "x", 1, "25", "");
        int[] asked = {0};
        whenAsked = () -> {
            if (++asked[0] == 2) { // after the store was read
                store(later);
                progress.position("25");
            }
        };
        assertThat(view.get(X)).isSameAs(later);
    }

    @Test
    void listWhenTheWatchPassesAWriteMeanwhileReadsTheStoreAgain() {
        progress.position("10");
        write(entry("a", "x", 1, "20", ""));
        int[] asked = {0};
        whenAsked = () -> {
            if (++asked[0] == 2) {
                progress.position("25"); // the object was deleted since
            }
        };
        assertThat(view.list("a")).isEmpty();
    }

    @Test
    void peekWhenTheOutcomeIsUnknownShowsTheStore() {
        Entry stored = store(entry("a", "x", 1, "5", ""));
        writes.add(X, PendingWrite.unknown("", ""), progress);
        assertThat(view.peek(X)).isSameAs(stored);
    }

    @Test
    void listShowsWhatIsStoredBesideWrites() {
        progress.position("10");
        Entry stored = store(entry("a", "kept", 1, "5", ""));
        assertThat(view.list("a")).as("without writes").containsExactly(stored);
        Entry written = write(entry("a", "x", 2, "20", ""));
        assertThat(view.list("a")).containsExactlyInAnyOrder(stored, written);
        assertThat(view.list("")).containsExactlyInAnyOrder(stored, written);
    }

    @Test
    void listShowsWritesOfItsNamespaceOnly() {
        progress.position("10");
        Entry x = store(entry("a", "x", 1, "5", ""));
        Entry changed = write(entry("a", "x", 1, "20", ""));
        Entry other = write(entry("b", "x", 2, "21", ""));
        assertThat(view.list("a")).containsExactly(changed);
        assertThat(view.list("")).containsExactlyInAnyOrder(changed, other);
        writes.add(X, PendingWrite.deleted("20", x.uid(), true), progress);
        assertThat(view.list("a")).isEmpty();
        assertThat(view.list("c")).isEmpty();
    }

    @Test
    void findShowsWritesThatHaveTheTermAndHidesThoseThatLostIt() {
        progress.position("10");
        Entry kept = store(entry("a", "kept", 1, "5", "v"));
        store(entry("a", "lost", 2, "5", "v"));
        assertThat(view.find(List.of(V))).as("without an index").isNull();
        store.register("app", HeaderIndexes.labelTerms("app"));
        store.complete("app", store.list(""));
        assertThat(view.find(List.of(V))).hasSize(2);
        write(entry("a", "lost", 2, "20", "w"));
        Entry won = write(entry("a", "won", 3, "21", "v"));
        write(entry("a", "never", 4, "22", "w"));
        assertThat(view.find(List.of(V))).containsExactlyInAnyOrder(kept, won);
        assertThat(view.find(List.of(new IndexTerm("none", "v")))).isNull();
    }

    @Test
    void findWhenThereAreSeveralTermsShowsWritesThatHaveAll() {
        progress.position("10");
        store.register("app", HeaderIndexes.labelTerms("app"));
        store.complete("app", List.of());
        store.register("name", entry -> List.of(entry.name()));
        store.complete("name", List.of());
        write(entry("a", "y", 1, "20", "v"));
        Entry both = write(entry("a", "x", 2, "21", "v"));
        assertThat(view.find(List.of(V, new IndexTerm("name", "x")))).containsExactly(both);
        assertThat(view.find(List.of(new IndexTerm("name", "x"), V))).containsExactly(both);
    }

    @Test
    void addWhenTheWatchHasPassedTheWriteKeepsNothing() {
        progress.position("25");
        write(entry("a", "x", 1, "20", ""));
        assertThat(writes.isEmpty()).isTrue();
    }

    @Test
    void forgetLeavesOtherNamespaces() {
        write(entry("a", "x", 1, "20", ""));
        write(entry("a", "y", 2, "21", ""));
        write(entry("b", "x", 3, "22", ""));
        writes.forget("a"::equals);
        assertThat(writes.size()).isEqualTo(1);
        assertThat(writes.peek(ObjectKey.of("b", "x"))).isNotNull();
    }

    @Test
    void fetchBodiesMakesWhatWasReadWithoutThemUnknown() {
        Entry whole = write(entry("a", "x", 1, "20", ""));
        Entry bare = write(new Entry(Json.header("a", "y", 2, "21", ""), BodyForm.NONE, BodyForm.NONE));
        writes.add(ObjectKey.of("a", "z"), PendingWrite.deleted("22", Json.uid(3), true), progress);
        writes.fetchBodies();
        assertThat(writes.peek(X).entry()).isSameAs(whole);
        assertThat(writes.peek(bare.key())).isEqualTo(PendingWrite.unknown("21", bare.uid()));
        assertThat(writes.peek(ObjectKey.of("a", "z")).isUnknown()).isFalse();
    }
}
