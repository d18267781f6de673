package io.github.reconciler4j.cache.internal;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.cache.ObjectSelector;
import io.github.reconciler4j.cache.Partition;
import io.github.reconciler4j.cache.PartitionKey;
import io.github.reconciler4j.cache.StorageForm;
import io.github.reconciler4j.cache.WatchOptions;
import io.github.reconciler4j.cache.internal.json.StringInterner;
import io.github.reconciler4j.cache.internal.metrics.KindMetrics;
import io.github.reconciler4j.cache.internal.storage.Change;
import io.github.reconciler4j.cache.internal.storage.CompactEncoder;
import io.github.reconciler4j.cache.internal.storage.CompactEncoder.DeflaterPool;
import io.github.reconciler4j.cache.internal.storage.EntryReader;
import io.github.reconciler4j.cache.internal.storage.ObjectStore;
import io.github.reconciler4j.cache.internal.storage.UndecodableObjects;
import io.github.reconciler4j.cache.internal.watch.ExpectedKind;
import io.github.reconciler4j.cache.internal.watch.HeldParts;
import io.github.reconciler4j.cache.internal.watch.ListChoice;
import io.github.reconciler4j.cache.internal.watch.Reflector;
import io.github.reconciler4j.cache.internal.watch.Scope;
import io.github.reconciler4j.cache.internal.watch.SyncState;
import io.github.reconciler4j.cache.internal.watch.WatchProgress;
import io.github.reconciler4j.cache.internal.writes.LiveLookup;
import io.github.reconciler4j.cache.internal.writes.PendingWrites;
import io.github.reconciler4j.cache.internal.writes.ReadView;
import io.github.reconciler4j.cache.internal.writes.WriteResponseHandler;
import io.github.reconciler4j.cache.internal.writes.WritesFixture;
import io.github.reconciler4j.client.Discovery;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The cache of one replica as {@link KindStore} composes it, whose reflector runs when it is its turn. Before and after each step of
 * the reflector, and within those that write, the test can do something else.
 */
final class DividedCache {

    static final KindInfo MAPS = Scheme.create().kindOf(ConfigMap.class);

    /** What the caches of a history have in common. */
    record Common(
            DividedServer server,
            Random random,
            TimeSource time,
            PartitionKey key,
            Partition none,
            WatchOptions.ListMode lists,
            Runnable meanwhile) {}

    final Turns turns = new Turns();
    final DividedConnection connection;
    final ObjectStore store = new ObjectStore();
    final PendingWrites writes;
    final ReadView view;
    final WriteResponseHandler responses;
    final SyncState state;

    private final Common common;
    private final AtomicReference<HeldParts> held;
    private final KindParts parts;
    private final ScopeStore scoped;
    private final Reflector reflector;
    private final Consumer<List<Change>> changed;
    private final SteppedStore steps;

    /** Whether this program has written. */
    boolean written;

    /**
     * Create it; {@link #start} starts it.
     *
     * @param trace receives what the reflector does
     * @param changed receives what was written into the store
     * @param stored called after each step of the reflector that writes
     */
    DividedCache(Common common, Consumer<String> trace, Consumer<List<Change>> changed, Runnable stored) {
        this.common = common;
        this.changed = changed;
        boolean streamed = common.lists() == WatchOptions.ListMode.STREAMED;
        this.connection = new DividedConnection(common.server(), common.random(), turns, streamed, common.meanwhile());
        KindCacheOptions options =
                KindCacheOptions.defaults().withStorage(StorageForm.ENCODED).withPartitionKey(common.key());
        this.held = new AtomicReference<>(HeldParts.initial(common.none()));
        this.parts = new KindParts(MAPS, options, held);
        StringInterner strings = new StringInterner();
        EntryReader.Factory readers =
                new EntryReader.Factory(MAPS, options, strings, new CompactEncoder(new DeflaterPool()));
        Scope scope = new Scope(MAPS, "", ObjectSelector.everything(), List.of());
        Discovery discovery = Discovery.of(connection);
        LiveLookup lookup = new LiveLookup(
                connection, new ExpectedKind(MAPS, discovery), readers, any -> scope, parts::filter, () -> true);
        this.writes = WritesFixture.create(store, lookup, common.time());
        this.scoped = scopeStore(scope);
        this.steps = new SteppedStore(scoped, turns, parts::filter, trace, stored);
        this.view = new ReadView(store, writes, any -> progress());
        this.responses =
                new WriteResponseHandler(view, writes, any -> progress(), () -> readers.createForShortTime(true));
        this.state = new SyncState(common.time());
        state.started();
        state.planned(List.of(scope));
        WatchOptions watch = WatchOptions.defaults()
                .withBackoff(Duration.ofNanos(1), Duration.ofNanos(1))
                .withPageSize(2)
                .withListMode(common.lists());
        store.register("app", entry -> Set.of(String.valueOf(entry.labels().get("app"))));
        store.complete("app", List.of());
        this.reflector = reflector(scope, watch, new Connected(discovery, strings, readers));
    }

    private ScopeStore scopeStore(Scope scope) {
        return new ScopeStore(
                scope,
                false,
                null,
                store,
                writes,
                this::change,
                listed -> {},
                () -> {},
                new UndecodableObjects(new LogLimiter()),
                common.time());
    }

    /** What the reflector reads with. */
    private record Connected(Discovery discovery, StringInterner strings, EntryReader.Factory readers) {}

    private Reflector reflector(Scope scope, WatchOptions watch, Connected with) {
        return new Reflector(
                scope,
                new Reflector.Context(
                        connection, with.discovery(), watch, with.strings(), common.time(), new LogLimiter()),
                new Reflector.Kind(
                        state,
                        new KindMetrics(OperatorMetrics.NONE, MAPS),
                        new ListChoice(watch.listMode(), with.discovery(), common.time()),
                        with.readers(),
                        parts::filter),
                steps,
                () -> written,
                true);
    }

    /** Return the progress of the watch; much may happen before it is used. */
    private @Nullable WatchProgress progress() {
        common.meanwhile().run();
        return scoped.progress();
    }

    private void change(List<Change> changes, Runnable stored) {
        pause();
        store.prepare(changes);
        store.apply(changes);
        stored.run();
        changed.accept(changes);
        pause();
    }

    private void pause() {
        if (common.random().nextInt(3) == 0) {
            turns.await(Turns.Place.STORING);
        }
    }

    /** Return the parts that are held now. */
    HeldParts held() {
        return held.get();
    }

    /** Return the part of a state. */
    int part(DividedServer.State state) {
        return switch (common.key().type()) {
            case NAMESPACE -> common.none().ofNamespace(state.key().namespace());
            case UID -> common.none().ofUid(Json.uid(state.uid()));
            default -> common.none().ofUid(Json.uid(state.owner() == 0 ? state.uid() : state.owner()));
        };
    }

    /** Return whether an object stays in its part. */
    boolean isFixed() {
        return common.key().type() != PartitionKey.Type.OWNER;
    }

    /** Return the number of the last change of parts that the reflector has noticed. */
    long selectedChange() {
        return steps.selectedChange();
    }

    /** Return whether the objects of the held parts are stored. */
    boolean hasParts() {
        return scoped.hasParts(parts.filter());
    }

    /** Start the reflector. */
    void start() {
        turns.wake(reflector::start);
    }

    boolean isStarted() {
        return turns.place() != Turns.Place.NEW;
    }

    /** Hold other parts. */
    void hold(Set<Integer> numbers) {
        Runnable change = () -> {
            held.set(held.get().change(common.none().withHeld(numbers)));
            reflector.partsChanged();
        };
        if (turns.place() == Turns.Place.ASLEEP) {
            turns.wake(change);
        } else {
            change.run();
        }
    }

    /** Return whether the reflector can do something. */
    boolean canAdvance() {
        return switch (turns.place()) {
            case SELECTING, REQUEST, STORING -> true;
            case READING -> connection.hasMore();
            case NEW, RUNNING, ASLEEP -> false;
        };
    }

    /** Let the reflector run until it waits, if it can do something. */
    void advance() {
        if (canAdvance()) {
            turns.resume();
        }
    }

    void stop() {
        reflector.stop();
        turns.end();
        reflector.join();
    }
}
