package io.github.reconciler4j.cache.internal.writes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.cache.ObjectSelector;
import io.github.reconciler4j.cache.internal.Json;
import io.github.reconciler4j.cache.internal.json.StringInterner;
import io.github.reconciler4j.cache.internal.storage.BodyForm;
import io.github.reconciler4j.cache.internal.storage.Change;
import io.github.reconciler4j.cache.internal.storage.CompactEncoder;
import io.github.reconciler4j.cache.internal.storage.CompactEncoder.DeflaterPool;
import io.github.reconciler4j.cache.internal.storage.Entry;
import io.github.reconciler4j.cache.internal.storage.EntryReader;
import io.github.reconciler4j.cache.internal.storage.ObjectStore;
import io.github.reconciler4j.cache.internal.watch.WatchProgress;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.junit.jupiter.api.Test;

class WriteResponseHandlerTests {

    private static final KindInfo CONFIG_MAPS = new KindInfo(KindName.of("v1", "ConfigMap"), "configmaps", true);
    private static final ObjectKey X = ObjectKey.of("a", "x");
    private static final byte[] AT_20 = Json.configMap("a", "x", 1, 20, "v").getBytes(UTF_8);

    private final ObjectStore store = new ObjectStore();
    private final PendingWrites writes = PendingWrites.create(store, key -> PendingWrite.unknown("", ""));
    private WatchProgress progress = watching(ObjectSelector.everything());

    /** What is watched when the handler asks, one after the other; then {@link #progress}. */
    private final Queue<Optional<WatchProgress>> next = new ArrayDeque<>();

    private final WriteResponseHandler handler = new WriteResponseHandler(
            new ReadView(store, writes, namespace -> progress),
            writes,
            namespace -> progressNow(),
            () -> new EntryReader.Factory(
                            CONFIG_MAPS,
                            KindCacheOptions.defaults(),
                            new StringInterner(),
                            new CompactEncoder(new DeflaterPool()))
                    .create(true));

    private WatchProgress progressNow() {
        return next.isEmpty() ? progress : next.remove().orElse(null);
    }

    private static WatchProgress watching(ObjectSelector selector) {
        WatchProgress watching = new WatchProgress("", selector);
        watching.position("10");
        return watching;
    }

    private void store(String version) {
        Entry entry = new Entry(Json.header("a", "x", 1, version, ""), "{}".getBytes(UTF_8), BodyForm.PLAIN);
        List<Change> changes = List.of(Change.created(entry, false));
        store.prepare(changes);
        store.apply(changes);
    }

    @Test
    void writtenKeepsTheObjectOfTheAnswer() {
        handler.written(AT_20);
        assertThat(writes.peek(X).isWritten()).isTrue();
        assertThat(writes.peek(X).version()).isEqualTo("20");
        assertThat(writes.peek(X).uid()).isEqualTo(Json.uid(1));
        assertThat(writes.peek(X).entry().hasBody()).isTrue();
        handler.written(Json.configMap("a", "y", 2, 21, "v").getBytes(UTF_8));
        assertThat(writes.peek(X).entry().name()).as("the reader is used again").isEqualTo("x");
        assertThat(writes.size()).isEqualTo(2);
    }

    @Test
    void writtenWhenTheAnswerIsNoObjectAddsNothingAndTheNextOneIsRead() {
        for (String answer : List.of("", "[]", "{", "{}", "{\"metadata\":{\"name\":\" \",\"uid\":\"u\"}}")) {
            handler.written(answer.getBytes(UTF_8));
            assertThat(writes.isEmpty()).as(answer).isTrue();
        }
        handler.written(AT_20);
        assertThat(writes.size()).isEqualTo(1);
    }

    @Test
    void writtenWhenTheObjectIsNotSelectedHidesIt() {
        progress = watching(ObjectSelector.everything().withLabels("app=other"));
        handler.written(AT_20);
        assertThat(writes.peek(X).isWritten()).isTrue();
        assertThat(writes.peek(X).entry()).isNull();
    }

    @Test
    void writtenWhenItCannotBeComparedWithTheWatchIsUnknown() {
        progress = watching(ObjectSelector.everything().withFields("status.phase=Running"));
        handler.written(AT_20);
        assertThat(writes.peek(X)).isEqualTo(PendingWrite.unknown("20", Json.uid(1)));
        writes.forget(namespace -> true);

        progress = new WatchProgress("", ObjectSelector.everything());
        handler.written(AT_20);
        assertThat(writes.peek(X)).as("before the first list").isEqualTo(PendingWrite.unknown("20", Json.uid(1)));
        writes.forget(namespace -> true);

        progress = watching(ObjectSelector.everything());
        handler.written(new String(AT_20, UTF_8).replace("\"20\"", "\"v20\"").getBytes(UTF_8));
        assertThat(writes.peek(X)).isEqualTo(PendingWrite.unknown("v20", Json.uid(1)));
    }

    @Test
    void writesWhenTheNamespaceIsNotWatchedAreUnknownIfTheObjectIsStored() {
        progress = null;
        handler.written(AT_20);
        handler.refused(X);
        handler.deleted(X, Json.uid(1), null);
        assertThat(writes.isEmpty()).isTrue();
        store("5");
        for (Runnable write : List.<Runnable>of(
                () -> handler.written(AT_20), () -> handler.refused(X), () -> handler.deleted(X, Json.uid(1), null))) {
            write.run();
            assertThat(writes.peek(X)).isEqualTo(PendingWrite.unknown("", ""));
            writes.forget(namespace -> true);
        }
    }

    @Test
    void writtenWhenItsNamespaceLeavesMeanwhileIsUnknownIfTheObjectIsStored() {
        next.add(Optional.of(progress));
        progress = null;
        handler.written(AT_20);
        assertThat(writes.isEmpty()).as("nothing is stored").isTrue();
        store("5");
        next.add(Optional.of(watching(ObjectSelector.everything())));
        handler.written(AT_20);
        assertThat(writes.peek(X)).isEqualTo(PendingWrite.unknown("", ""));
    }

    @Test
    void refusedWhenItsNamespaceIsNotWatchedForgetsAnEarlierWrite() {
        handler.written(AT_20);
        progress = null;
        handler.refused(X);
        assertThat(writes.isEmpty()).isTrue();
    }

    @Test
    void refusedWhenItsNamespaceIsWatchedAgainMeanwhileIsUnknown() {
        handler.written(AT_20);
        next.add(Optional.empty());
        handler.refused(X);
        assertThat(writes.peek(X)).isEqualTo(PendingWrite.unknown("", ""));
    }

    @Test
    void deletedTakesTheVersionThatIsKnownOrThatOfTheAnswer() {
        store("5");
        handler.deleted(X, Json.uid(1), null);
        assertThat(writes.peek(X)).isEqualTo(PendingWrite.deleted("5", Json.uid(1), true));
        writes.forget(namespace -> true);
        handler.deleted(X, Json.uid(2), AT_20);
        assertThat(writes.peek(X)).isEqualTo(PendingWrite.deleted("20", Json.uid(2), true));
        writes.forget(namespace -> true);
        handler.deleted(X, Json.uid(2), null);
        assertThat(writes.peek(X)).isEqualTo(PendingWrite.unknown("", Json.uid(2)));
    }

    @Test
    void deletedWhenLabelsSelectObjectsCanBeDeliveredEarlierToo() {
        progress = watching(ObjectSelector.everything().withLabels("app=v"));
        handler.deleted(X, Json.uid(1), AT_20);
        assertThat(writes.peek(X)).isEqualTo(PendingWrite.deleted("20", Json.uid(1), false));
    }

    @Test
    void deletedBeforeTheFirstListIsUnknown() {
        progress = new WatchProgress("", ObjectSelector.everything());
        handler.deleted(X, Json.uid(1), AT_20);
        assertThat(writes.peek(X)).isEqualTo(PendingWrite.unknown("", Json.uid(1)));
    }

    @Test
    void refusedIsUnknown() {
        handler.refused(X);
        assertThat(writes.peek(X)).isEqualTo(PendingWrite.unknown("", ""));
    }
}
