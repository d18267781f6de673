package io.github.reconciler4j.cache.internal;

import static io.github.reconciler4j.cache.internal.Json.configMap;
import static io.github.reconciler4j.cache.internal.Json.list;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.cache.ObjectSelector;
import io.github.reconciler4j.cache.Partition;
import io.github.reconciler4j.cache.PartitionKey;
import io.github.reconciler4j.cache.internal.json.JsonReader;
import io.github.reconciler4j.cache.internal.json.StringInterner;
import io.github.reconciler4j.cache.internal.storage.Change;
import io.github.reconciler4j.cache.internal.storage.CompactEncoder;
import io.github.reconciler4j.cache.internal.storage.CompactEncoder.DeflaterPool;
import io.github.reconciler4j.cache.internal.storage.Entry;
import io.github.reconciler4j.cache.internal.storage.EntryReader;
import io.github.reconciler4j.cache.internal.storage.ObjectStore;
import io.github.reconciler4j.cache.internal.storage.UndecodableObjects;
import io.github.reconciler4j.cache.internal.watch.ExpectedKind;
import io.github.reconciler4j.cache.internal.watch.HeldParts;
import io.github.reconciler4j.cache.internal.watch.ListFixture;
import io.github.reconciler4j.cache.internal.watch.ListSnapshot;
import io.github.reconciler4j.cache.internal.watch.PartFilter;
import io.github.reconciler4j.cache.internal.watch.ReflectorStore.Missing;
import io.github.reconciler4j.cache.internal.watch.Scope;
import io.github.reconciler4j.cache.internal.watch.WatchReader;
import io.github.reconciler4j.cache.internal.writes.LiveLookup;
import io.github.reconciler4j.cache.internal.writes.PendingWrites;
import io.github.reconciler4j.cache.internal.writes.ReadView;
import io.github.reconciler4j.cache.internal.writes.WriteResponseHandler;
import io.github.reconciler4j.client.Discovery;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.TimeSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** A cache of which a test says what is held, listed, delivered and answered. */
abstract class GainedWritesFixture {

    static final KindInfo MAPS = Scheme.create().kindOf(ConfigMap.class);
    static final Partition NONE = Partition.of(2, Set.of());
    static final ObjectKey X = ObjectKey.of("a", "x");
    static final int KEPT = uidOf(0);
    static final int MOVED = uidOf(1);
    static final Runnable NOTHING = () -> {};

    final ApiConnection server = mock(ApiConnection.class);
    final ObjectStore store = new ObjectStore();
    final Scope scope = new Scope(MAPS, "", ObjectSelector.everything(), List.of());
    Runnable duringDecoding = NOTHING;
    Runnable duringChange = NOTHING;
    Runnable whenDelivered = NOTHING;
    final EntryReader.Factory readers = new EntryReader.Factory(
            MAPS,
            KindCacheOptions.defaults().withTransform(object -> {
                Runnable action = duringDecoding;
                duringDecoding = NOTHING;
                action.run();
            }),
            new StringInterner(),
            new CompactEncoder(new DeflaterPool()));
    HeldParts held = HeldParts.initial(NONE);
    PartFilter filter = PartFilter.of(held, PartitionKey.uid(), MAPS);
    final PendingWrites writes = PendingWrites.create(
            store,
            new LiveLookup(
                    server,
                    new ExpectedKind(MAPS, mock(Discovery.class)),
                    readers,
                    namespace -> scope,
                    () -> filter,
                    () -> true));
    final ScopeStore scoped = new ScopeStore(
            scope,
            false,
            null,
            store,
            writes,
            this::change,
            listed -> {},
            NOTHING,
            new UndecodableObjects(new LogLimiter()),
            TimeSource.system());
    final ReadView view = new ReadView(store, writes, namespace -> scoped.progress());
    final WriteResponseHandler responses = new WriteResponseHandler(
            view, writes, namespace -> scoped.progress(), () -> readers.createForShortTime(true));
    Missing missing = Missing.ALL;

    static int uidOf(int part) {
        return new Random(1)
                .ints(1, Integer.MAX_VALUE)
                .filter(uid -> NONE.ofUid(Json.uid(uid)) == part)
                .findFirst()
                .orElseThrow();
    }

    void change(List<Change> changes, Runnable stored) {
        Runnable action = duringChange;
        duringChange = NOTHING;
        action.run();
        store.prepare(changes);
        store.apply(changes);
        stored.run();
        whenDelivered.run();
    }

    void change(Integer... parts) {
        held = held.change(NONE.withHeld(Set.of(parts)));
        filter = PartFilter.of(held, PartitionKey.uid(), MAPS);
    }

    void hold(Integer... parts) {
        change(parts);
        missing = scoped.select(filter);
    }

    void listed(long version, String... objects) {
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

    void written(int uid, long version) {
        responses.written(x(uid, version).getBytes(UTF_8));
    }

    static String x(int uid, long version) {
        return configMap("a", "x", uid, version, "v" + version);
    }

    /** Answer each request with this; during the first one another thread does something. */
    void answer(Runnable first, String list) {
        Iterator<Runnable> actions = List.of(first).iterator();
        when(server.send(any())).thenAnswer(request -> {
            if (actions.hasNext()) {
                actions.next().run();
            }
            return new ApiResponse(200, list.getBytes(UTF_8), List.of());
        });
    }

    /** Return the version of what readers see, the same in each way to read. */
    String seen() {
        Entry entry = view.get(X);
        String version = entry == null ? "nothing" : entry.resourceVersion();
        List<String> all = view.list("").stream().map(Entry::resourceVersion).toList();
        assertThat(all).isEqualTo(entry == null ? List.of() : List.of(version));
        return version;
    }

    void event(String type, int uid, long version) throws IOException {
        EntryReader reader = readers.create(true);
        byte[] json = x(uid, version).getBytes(UTF_8);
        reader.read(new JsonReader(json, json.length));
        scoped.event(WatchReader.Type.valueOf(type), reader.header(), reader);
    }
}
