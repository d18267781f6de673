package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.cache.CachedNamespaces;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.cache.ObjectListener;
import io.github.reconciler4j.cache.StorageForm;
import io.github.reconciler4j.cache.internal.metrics.KindMetrics;
import io.github.reconciler4j.cache.internal.storage.Change;
import io.github.reconciler4j.cache.internal.storage.CompactEncoder;
import io.github.reconciler4j.cache.internal.storage.Entry;
import io.github.reconciler4j.cache.internal.storage.EntryReader;
import io.github.reconciler4j.cache.internal.storage.ObjectStore;
import io.github.reconciler4j.cache.internal.storage.ObjectStore.TermFunction;
import io.github.reconciler4j.cache.internal.storage.UndecodableObjects;
import io.github.reconciler4j.cache.internal.subscription.ChangeFeed;
import io.github.reconciler4j.cache.internal.subscription.DefaultSubscription;
import io.github.reconciler4j.cache.internal.watch.ExpectedKind;
import io.github.reconciler4j.cache.internal.watch.ListChoice;
import io.github.reconciler4j.cache.internal.watch.PartFilter;
import io.github.reconciler4j.cache.internal.watch.Reflector;
import io.github.reconciler4j.cache.internal.watch.Scope;
import io.github.reconciler4j.cache.internal.watch.SyncFailure;
import io.github.reconciler4j.cache.internal.watch.SyncState;
import io.github.reconciler4j.cache.internal.watch.WatchProgress;
import io.github.reconciler4j.cache.internal.writes.LiveLookup;
import io.github.reconciler4j.cache.internal.writes.PendingWrites;
import io.github.reconciler4j.cache.internal.writes.ReadView;
import io.github.reconciler4j.cache.internal.writes.WriteResponseHandler;
import io.github.reconciler4j.client.error.UndecodableObjectException;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.BusyKeys;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One kind for as long as it is watched without interruption: its store, its reflectors, its subscriptions, and the pending
 * writes. Starts when the kind gets its first user and ends when the last one leaves; see {@link WatchedKind}. Thread-safe.
 */
final class KindStore {

    private final KindInfo info;
    private final boolean restarted;
    private final BooleanSupplier newest;
    private final CacheContext context;
    private final KindCacheOptions options;
    private final KindMetrics metrics;
    private final ObjectStore store = new ObjectStore();
    private final SyncState state;
    private final ScopeWatches watches;
    private final ChangeFeed feed;
    private final PendingWrites pendingWrites;
    private final ReadView view;
    private final ReadView watched;
    private final WriteResponseHandler writeResponses;
    private final UndecodableObjects undecodable;
    private final Reflector.Kind reflectors;
    private final BusyKeys<ObjectKey> busy;
    private final BusyObjects busyReports;
    private final KindParts parts;
    private final boolean storesBodies;

    /** Whether whole objects are watched, and not only their metadata. */
    private volatile boolean bodies;

    /** The watch of all namespaces; null if there is another one, or none, or scopes change. */
    private volatile ScopeWatches.@Nullable Watch whole;

    /** A watch of all namespaces that has listed all objects; it may have ended. */
    private volatile ScopeWatches.@Nullable Watch complete;

    /**
     * How a kind is watched again.
     *
     * @param restarted whether it was watched before and then had no users
     * @param bodies whether whole objects are needed, or metadata only
     * @param newest returns whether the first list must be the newest
     */
    record Start(boolean restarted, boolean bodies, BooleanSupplier newest) {}

    KindStore(KindInfo info, CacheContext context, KindMetrics metrics, Start start) {
        this.info = info;
        this.restarted = start.restarted();
        this.newest = start.newest();
        this.context = context;
        this.metrics = metrics;
        this.options = context.options().of(Kind.of(info.kind()));
        this.storesBodies = options.storage() != StorageForm.METADATA;
        this.bodies = start.bodies() && storesBodies;
        this.parts = new KindParts(info, options, context.parts());
        this.state = new SyncState(context.time());
        this.busy = new BusyKeys<>(context.time());
        this.busyReports = new BusyObjects(info, context);
        this.watches = new ScopeWatches(state, new Host());
        this.feed = new ChangeFeed(store, context.options().resync(), context.timer());
        this.undecodable = new UndecodableObjects(context.log());
        EntryReader.Factory readers = new EntryReader.Factory(
                info, options, context.reflectors().strings(), new CompactEncoder(context.deflaters()));
        this.reflectors = new Reflector.Kind(
                state,
                metrics,
                new ListChoice(
                        context.options().watch().listMode(),
                        context.reflectors().discovery(),
                        context.time()),
                readers,
                parts::filter);
        this.pendingWrites = PendingWrites.create(store, lookup(readers));
        this.view = new ReadView(store, pendingWrites, this::progress);
        this.watched = new ReadView(store, PendingWrites.none(store), this::progress);
        this.writeResponses =
                new WriteResponseHandler(view, pendingWrites, this::progress, () -> readers.createForShortTime(true));
    }

    private LiveLookup lookup(EntryReader.Factory readers) {
        ExpectedKind expected = new ExpectedKind(info, context.reflectors().discovery());
        return new LiveLookup(
                context.reflectors().connection(), expected, readers, watches::scope, parts::filter, () -> bodies);
    }

    KindInfo info() {
        return info;
    }

    /** Return what readers see, with pending writes or without. */
    ReadView view(boolean withPendingWrites) {
        return withPendingWrites ? view : watched;
    }

    /** Return the handler of answers to this program's writes. */
    WriteResponseHandler writeResponses() {
        return writeResponses;
    }

    /** Return how far the watch that covers a namespace has come, null if none does. */
    private @Nullable WatchProgress progress(String namespace) {
        ScopeWatches.Watch all = whole;
        return all == null ? watches.progress(namespace) : all.progress();
    }

    /** Return how far the watching has come. */
    SyncState state() {
        return state;
    }

    /** Return what is watched. */
    ScopeWatches watches() {
        return watches;
    }

    /** Start; {@link #watch} says what to watch. */
    void start() {
        state.started();
        feed.startResync();
    }

    /** Return whether one watch covers all namespaces and has listed all objects, with bodies if they are stored. */
    boolean isReady() {
        ScopeWatches.Watch now = whole;
        return now != null && (now == complete || isComplete(now));
    }

    /** What is not divided and has been listed stays so until it is not watched any more. */
    private boolean isComplete(ScopeWatches.Watch watch) {
        if (parts.isDivided() || !watch.store().hasAll(storesBodies)) {
            return false;
        }
        complete = watch;
        return true;
    }

    /** Watch whole objects from now on. Returns at once; see {@link #hasBodies}. */
    void fetchBodies() {
        if (!bodies && storesBodies()) {
            bodies = true;
            pendingWrites.fetchBodies();
            watches.fetchBodies();
        }
    }

    /** Notice that other parts are held. The watches of a kind that is not divided continue. */
    void partsChanged() {
        if (parts.isDivided()) {
            watches.all().forEach(watch -> watch.reflector().partsChanged());
        }
    }

    /** Return to which parts objects belong. */
    KindParts parts() {
        return parts;
    }

    /** Return the part of an object; empty if the kind is not divided, or it depends on metadata that is not here. */
    OptionalInt partOf(ObjectKey key) {
        return parts.of(key, view::peek);
    }

    /** Return whether the objects of the held parts are stored, and no others. */
    boolean hasParts() {
        PartFilter filter = parts.filter();
        return state.isSynced()
                && watches.all().stream().allMatch(watch -> watch.store().hasParts(filter));
    }

    /** Watch the given namespaces from now on; see {@link ScopeWatches#watch}. */
    void watch(CachedNamespaces namespaces, Supplier<Set<String>> matching) {
        watches.watch(() -> Scope.of(info, options.selector(), namespaces, matching.get()));
    }

    /** What the watches of scopes need of the kind. */
    private final class Host implements ScopeWatches.Host {

        @Override
        public ScopeWatches.Watch create(Scope scope) {
            boolean replacesHeaders =
                    store.list("").stream().anyMatch(entry -> !entry.hasBody() && scope.covers(entry.namespace()));
            ScopeStore scopeStore = new ScopeStore(
                    scope,
                    replacesHeaders,
                    partsBefore(),
                    store,
                    pendingWrites,
                    KindStore.this::write,
                    this::listed,
                    () -> metrics.filtered(1),
                    undecodable,
                    context.time());
            Reflector reflector = new Reflector(scope, context.reflectors(), reflectors, scopeStore, newest, bodies);
            return new ScopeWatches.Watch(scope, reflector, scopeStore, scopeStore.progress());
        }

        /** Return what the watches select until now; the earliest if they differ. */
        private @Nullable PartFilter partsBefore() {
            PartFilter earliest = null;
            for (ScopeWatches.Watch watch : watches.all()) {
                PartFilter filter = watch.store().parts();
                boolean earlier = filter != null && (earliest == null || filter.change() < earliest.change());
                earliest = earlier ? filter : earliest;
            }
            return earliest;
        }

        private void listed(Scope scope) {
            state.synced(scope);
            planned();
        }

        /** Report the end of the initial state once every scope that watching started with was listed. */
        @Override
        public void planned() {
            undecodable.retain(
                    watches.all().stream().map(ScopeWatches.Watch::store).toList());
            if (state.isSynced()) {
                feed.initialWritten(hasBodies());
            }
        }

        @Override
        public void uncovered(Predicate<String> namespaces) {
            write(
                    store.list("").stream()
                            .filter(entry -> namespaces.test(entry.namespace()))
                            .map(entry -> Change.deleted(entry, entry, true))
                            .toList(),
                    () -> {});
            pendingWrites.forget(namespaces);
        }

        @Override
        public boolean needsBodies() {
            return bodies;
        }

        @Override
        public void covering(ScopeWatches.@Nullable Watch all) {
            whole = all;
        }
    }

    /** Make reflectors end soon. */
    void stop() {
        state.closed();
        feed.stop();
        watches.stop();
    }

    /** End reflectors and subscriptions and wait for their threads. */
    void close() {
        stop();
        watches.endAll();
        feed.close();
    }

    /** Return the objects that changed very often of late. */
    List<BusyKeys.Rate<ObjectKey>> busy() {
        return busy.now();
    }

    private void reportBusy(List<BusyKeys.Rate<ObjectKey>> found) {
        if (!found.isEmpty()) {
            busyReports.report(found);
        }
    }

    private void write(List<Change> changes, Runnable stored) {
        if (changes.size() <= 2) { // an event, and not a list
            changes.forEach(change -> reportBusy(busy.record(change.entry().key())));
        }
        feed.write(changes, stored);
        undecodable.remove(changes);
        metrics.changed(changes);
    }

    /** Return whether the kind was watched before and then had no users. */
    boolean isRestarted() {
        return restarted;
    }

    /** Return whether every reflector works, or was stopped. */
    boolean isWatched() {
        return watches.all().stream().allMatch(watch -> watch.reflector().isAlive());
    }

    /** Return whether bodies are stored at all. */
    boolean storesBodies() {
        return storesBodies;
    }

    /** Return whether objects are stored in another form than the API server sent them. */
    boolean isTransformed() {
        return options.transform().isPresent();
    }

    /** Return whether the objects of all scopes are stored with their bodies, as far as bodies are stored at all. */
    boolean hasBodies() {
        return !storesBodies() || bodies && !watches.lacksBodies();
    }

    /** Return whether all scopes that watching started with have synced, and bodies are there if they are needed. */
    boolean hasSynced(boolean withBodies) {
        return state.isSynced() && (!withBodies || hasBodies());
    }

    /** Wait until it has synced or is closed; false after the timeout. */
    boolean awaitSync(boolean withBodies, Duration timeout) throws InterruptedException {
        return state.await(() -> hasSynced(withBodies), timeout);
    }

    /** Return why it has not synced. */
    String notReadyReason() {
        int listing = state.listing();
        OptionalLong left = state.remaining();
        String rest = left.isEmpty() ? "" : ", about " + left.getAsLong() + " left";
        String progress = listing == 0 ? "" : " (" + listing + " objects so far" + rest + ")";
        String otherwise =
                state.isStarted() ? "the initial list is not complete" + progress : "the cache was not started";
        return state.failure().map(SyncFailure::message).orElse(otherwise);
    }

    /** Start a subscription. */
    <T> DefaultSubscription<T> subscribe(
            DefaultSubscription.View<T> seen, String name, ObjectListener<T> listener, Runnable onClose) {
        DefaultSubscription.View<T> effective =
                new DefaultSubscription.View<>(seen.decoder(), seen.bodies() && storesBodies());
        DefaultSubscription.Origin origin = new DefaultSubscription.Origin(
                info,
                feed,
                () -> hasSynced(effective.bodies()) ? "" : notReadyReason(),
                context.time(),
                context.log(),
                metrics::processed);
        return DefaultSubscription.start(
                origin, effective, name, listener, (depth, lag) -> metrics.subscription(name, depth, lag), onClose);
    }

    /** Add an index; false if there is one of that name. Runs code of the user under no lock. */
    boolean addIndexIfAbsent(String name, TermFunction function) {
        return feed.addIndexIfAbsent(name, function);
    }

    List<String> indexNames() {
        return store.indexNames();
    }

    /** Return whether there is an index of that name. */
    boolean hasIndex(String name) {
        return store.hasIndex(name);
    }

    /** Record that an entry could not be decoded. */
    void undecodable(Entry entry, UndecodableObjectException exception) {
        metrics.decodeFailed();
        undecodable.add(entry, exception);
    }

    TimeSource time() {
        return context.time();
    }

    /** Return what is stored, for reports. */
    ObjectStore store() {
        return store;
    }

    /** Return the objects that could not be decoded, for reports. */
    UndecodableObjects undecodable() {
        return undecodable;
    }

    /** Return how many writes are pending, for reports. */
    int pendingWrites() {
        return pendingWrites.size();
    }

    /** Return how long the oldest change has been waiting in a subscription, in seconds, for reports. */
    double lagSeconds() {
        return feed.lagSeconds();
    }

    /** Return how many objects have changes that a subscription has not delivered yet, of all subscriptions. */
    int undelivered() {
        return feed.undelivered();
    }

    /** Return whether only metadata is watched, for reports. */
    boolean isMetadataOnly() {
        return !bodies;
    }
}
