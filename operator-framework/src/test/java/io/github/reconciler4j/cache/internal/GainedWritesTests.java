package io.github.reconciler4j.cache.internal;

import static io.github.reconciler4j.cache.internal.Json.configMap;
import static io.github.reconciler4j.cache.internal.Json.list;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.cache.CachedShards;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.cache.ObjectSelector;
import io.github.reconciler4j.cache.ShardKey;
import io.github.reconciler4j.cache.internal.json.JsonReader;
import io.github.reconciler4j.cache.internal.json.StringInterner;
import io.github.reconciler4j.cache.internal.storage.Change;
import io.github.reconciler4j.cache.internal.storage.CompactEncoder;
import io.github.reconciler4j.cache.internal.storage.DeflaterPool;
import io.github.reconciler4j.cache.internal.storage.Entry;
import io.github.reconciler4j.cache.internal.storage.EntryReader;
import io.github.reconciler4j.cache.internal.storage.ObjectStore;
import io.github.reconciler4j.cache.internal.watch.ExpectedKind;
import io.github.reconciler4j.cache.internal.watch.HeldShards;
import io.github.reconciler4j.cache.internal.watch.ListFixture;
import io.github.reconciler4j.cache.internal.watch.ListSnapshot;
import io.github.reconciler4j.cache.internal.watch.ReflectorStore.Missing;
import io.github.reconciler4j.cache.internal.watch.Scope;
import io.github.reconciler4j.cache.internal.watch.ShardFilter;
import io.github.reconciler4j.cache.internal.watch.WatchReader;
import io.github.reconciler4j.cache.internal.writes.LiveLookup;
import io.github.reconciler4j.cache.internal.writes.PendingWrites;
import io.github.reconciler4j.cache.internal.writes.ReadView;
import io.github.reconciler4j.cache.internal.writes.WriteResponseHandler;
import io.github.reconciler4j.cache.internal.writes.WritesFixture;
import io.github.reconciler4j.client.Discovery;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.support.TimeSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What readers see of this program's own writes when shards come and go, and the API server selects. */
class GainedWritesTests {

    private static final KindInfo MAPS = Scheme.create().kindOf(ConfigMap.class);
    private static final CachedShards NONE = CachedShards.of(2, Set.of());
    private static final ObjectKey X = ObjectKey.of("a", "x");
    private static final int KEPT = uidOf(0);
    private static final int MOVED = uidOf(1);
    private static final Runnable NOTHING = () -> {};

    private final ApiConnection server = mock(ApiConnection.class);
    private final ObjectStore store = new ObjectStore();
    private final Scope scope = new Scope(MAPS, "", ObjectSelector.everything(), List.of());
    private Runnable duringDecoding = NOTHING;
    private Runnable duringChange = NOTHING;
    private final EntryReader.Factory readers = new EntryReader.Factory(
            MAPS,
            KindCacheOptions.defaults().withTransform(object -> {
                Runnable action = duringDecoding;
                duringDecoding = NOTHING;
                action.run();
            }),
            new StringInterner(),
            new CompactEncoder(new DeflaterPool()));
    private HeldShards held = HeldShards.initial(NONE);
    private ShardFilter filter = ShardFilter.of(held, ShardKey.uid(), MAPS);
    private final PendingWrites writes = PendingWrites.create(
            store,
            new LiveLookup(
                    server,
                    new ExpectedKind(MAPS, mock(Discovery.class)),
                    readers,
                    namespace -> scope,
                    () -> filter,
                    () -> true));
    private final ScopeStore scoped =
            new ScopeStore(scope, false, null, store, writes, this::change, listed -> {}, NOTHING, TimeSource.system());
    private final ReadView view = new ReadView(store, writes, namespace -> scoped.progress());
    private final WriteResponseHandler responses = new WriteResponseHandler(
            view, writes, namespace -> scoped.progress(), () -> readers.createForShortTime(true));
    private Missing missing = Missing.ALL;

    private static int uidOf(int shard) {
        return new Random(1)
                .ints(1, Integer.MAX_VALUE)
                .filter(uid -> NONE.ofUid(Json.uid(uid)) == shard)
                .findFirst()
                .orElseThrow();
    }

    private void change(List<Change> changes) {
        Runnable action = duringChange;
        duringChange = NOTHING;
        action.run();
        store.prepare(changes);
        store.apply(changes);
    }

    private void change(Integer... shards) {
        held = held.change(NONE.withHeld(Set.of(shards)));
        filter = ShardFilter.of(held, ShardKey.uid(), MAPS);
    }

    private void hold(Integer... shards) {
        change(shards);
        missing = scoped.select(filter);
    }

    private void listed(long version, String... objects) {
        try {
            ListSnapshot list = scoped.newList(missing, true);
            ListFixture.fill(list, readers.create(true), List.of(objects));
            if (missing == Missing.ALL) {
                scoped.replace(list, Long.toString(version));
            } else {
                assertThat(missing).isEqualTo(Missing.GAINED);
                assertThat(scoped.add(list, Long.toString(version))).isTrue();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void written(int uid, long version) {
        responses.written(x(uid, version).getBytes(UTF_8));
    }

    private static String x(int uid, long version) {
        return configMap("a", "x", uid, version, "v" + version);
    }

    /** Answer each request with this; during the first one another thread does something. */
    private void answer(Runnable first, String list) {
        Iterator<Runnable> actions = List.of(first).iterator();
        when(server.send(any())).thenAnswer(request -> {
            if (actions.hasNext()) {
                actions.next().run();
            }
            return new ApiResponse(200, list.getBytes(UTF_8), List.of());
        });
    }

    /** Return the version of what readers see, the same in each way to read. */
    private String seen() {
        Entry entry = view.get(X);
        String version = entry == null ? "nothing" : entry.resourceVersion();
        List<String> all = view.list("").stream().map(Entry::resourceVersion).toList();
        assertThat(all).isEqualTo(entry == null ? List.of() : List.of(version));
        return version;
    }

    @Test
    void addWhenTheObjectWasLookedUpInAShardNotHeldShowsIt() {
        hold(0);
        listed(10);
        responses.refused(X);
        answer(NOTHING, list(20, "", x(MOVED, 15)));
        assertThat(seen()).isEqualTo("nothing");

        hold(0, 1);
        listed(30, x(MOVED, 15));

        assertThat(seen()).isEqualTo("15");
    }

    @Test
    void addWhenAnObjectWrittenInAFormerTermIsNotListedHidesIt() {
        hold(0, 1);
        listed(10);
        written(MOVED, 12);
        assertThat(seen()).isEqualTo("12");
        hold(0);
        assertThat(seen()).isEqualTo("nothing");

        hold(0, 1);
        listed(30);
        assertThat(seen()).isEqualTo("nothing");
    }

    @Test
    void addWhenTheLossWasNotNoticedAndAWrittenObjectIsNotListedHidesIt() {
        hold(0, 1);
        listed(10);
        written(MOVED, 12);

        change(0);
        hold(0, 1);
        listed(30);
        assertThat(seen()).isEqualTo("nothing");
    }

    @Test
    void addWhenAWrittenObjectIsNotListedKeepsAnOlderOneOfItsNameHidden() throws IOException {
        hold(0, 1);
        listed(10, x(KEPT, 5));
        written(MOVED, 12);

        change(0);
        hold(0, 1);
        listed(30);
        assertThat(seen()).isEqualTo("nothing");

        event("DELETED", KEPT, 11);
        event("ADDED", KEPT, 28);
        assertThat(seen()).isEqualTo("28");
    }

    private void event(String type, int uid, long version) throws IOException {
        EntryReader reader = readers.create(true);
        byte[] json = x(uid, version).getBytes(UTF_8);
        reader.read(new JsonReader(json, json.length));
        scoped.event(WatchReader.Type.valueOf(type), reader.header(), reader);
    }

    @Test
    void addWhenAnObjectOfAKeptShardIsHiddenKeepsItHidden() {
        hold(0);
        listed(10, x(KEPT, 5));
        written(MOVED, 12);
        assertThat(seen()).isEqualTo("nothing");

        hold(0, 1);
        listed(30);
        assertThat(seen()).isEqualTo("nothing");
    }

    @Test
    void addWhenAnObjectWasWrittenAfterTheListShowsTheWrite() {
        hold(0);
        listed(10);
        hold(0, 1);
        written(MOVED, 40);

        listed(30, x(MOVED, 15));

        assertThat(seen()).isEqualTo("40");
        assertThat(writes.size()).isEqualTo(1);
    }

    @Test
    void writtenWhenALaterListOfItsShardDoesNotContainTheObjectHidesIt() {
        hold(0);
        listed(10);
        hold(0, 1);
        listed(30);

        written(MOVED, 12);
        assertThat(seen()).isEqualTo("nothing");

        written(MOVED, 31);
        assertThat(seen()).isEqualTo("31");
    }

    @Test
    void writtenWhenTheShardIsLostMeanwhileAsksTheServer() {
        hold(0, 1);
        listed(10);
        duringDecoding = () -> hold(0);
        answer(NOTHING, list(20, "", x(MOVED, 12)));

        written(MOVED, 12);

        assertThat(seen()).isEqualTo("nothing");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void getWhenTheShardIsGainedDuringALookupAsksAgain(boolean answered) {
        hold(0);
        listed(10);
        Consumer<ObjectKey> response = answered ? responses::refused : responses::unanswered;
        response.accept(X);
        answer(
                () -> {
                    hold(0, 1);
                    listed(18, x(MOVED, 15));
                },
                list(20, "", x(MOVED, 15)));
        view.get(X);
        assertThat(seen()).isEqualTo("15");
    }

    @Test
    void getWhenAGainedShardIsListedDuringALookupAsksAgain() {
        hold(0);
        listed(10);
        responses.refused(X);
        hold(0, 1);
        answer(
                () -> {
                    listed(30);
                    answer(NOTHING, list(31, ""));
                },
                list(20, "", x(MOVED, 15)));
        view.get(X);
        assertThat(seen()).isEqualTo("nothing");
    }

    @Test
    void selectWhenAnObjectIsLostKeepsAWriteOfAnotherOneOfItsName() {
        hold(0, 1);
        listed(10, x(MOVED, 5));
        written(KEPT, 12); // it was deleted, and created again in another shard

        hold(0);

        assertThat(seen()).isEqualTo("12");
    }

    @Test
    void selectWhenAnObjectIsLostKeepsThatAWriteOfItsNameGotNoAnswer() {
        hold(0, 1);
        listed(10, x(MOVED, 5));
        responses.unanswered(X);
        answer(NOTHING, list(20, "", x(KEPT, 12)));

        hold(0);

        assertThat(seen()).isEqualTo("12");
    }

    @Test
    void writtenWhenAnOlderAnswerComesAfterTheShardWasLostAndGainedDoesNotShowIt() {
        hold(0, 1);
        listed(10, x(MOVED, 5));
        written(MOVED, 14);
        hold(0);
        hold(0, 1);

        written(MOVED, 12);

        assertThat(seen()).isNotEqualTo("12");
        listed(30, x(MOVED, 14));
        assertThat(seen()).isEqualTo("14");
    }

    @Test
    void selectedNothingForgetsAllWritesAndTakesNoMore() {
        hold(0, 1);
        listed(10);
        written(MOVED, 12);
        responses.unanswered(ObjectKey.of("a", "y"));

        hold();
        scoped.selectedNothing();
        assertThat(WritesFixture.isEmpty(writes)).isTrue();

        written(MOVED, 14);
        responses.refused(X);
        responses.unanswered(X);
        assertThat(WritesFixture.isEmpty(writes)).isTrue();
    }

    @Test
    void unansweredWhenAllShardsAreLostAndStillStoredAsksTheServer() {
        hold(0, 1);
        listed(10, x(MOVED, 5));
        answer(NOTHING, list(20, ""));
        duringChange = () -> {
            responses.unanswered(X);
            assertThat(seen()).isEqualTo("nothing");
        };

        hold();

        assertThat(seen()).isEqualTo("nothing");
    }

    @Test
    void addWhenAnotherShardWasGainedBeforeKeepsWhatWasLookedUpThere() {
        hold(0);
        listed(10);
        hold(0, 1);
        listed(20, x(MOVED, 15));
        responses.refused(X);
        answer(NOTHING, list(20, "", x(MOVED, 15)));
        assertThat(seen()).isEqualTo("15");

        hold(1);
        hold(0, 1);
        listed(21);

        assertThat(seen()).isEqualTo("15");
    }
}
