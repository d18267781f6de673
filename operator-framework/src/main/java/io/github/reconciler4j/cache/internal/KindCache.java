package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.cache.CachedNamespaces;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One kind for as long as it is watched without a break: its store, its reflectors, its subscriptions, and this
 * program's own writes to it. Begins when it is first used and ends when nobody uses it any more; see {@link KindSlot}.
 *
 * <p>{@code planning} is held while scopes are begun and ended, so that this is done one after the other. It is taken
 * before all locks of a kind.
 */
final class KindCache {

    private final KindInfo info;
    private final boolean restarted;
    private final CacheContext context;
    private final KindCacheOptions options;
    private final KindMetrics metrics;
    private final ObjectStore store = new ObjectStore();
    private final SyncState state = new SyncState();
    private final PendingWrites ownWrites;
    private final View view;
    private final View watched;
    private final WriteIntake writeIntake;
    private final UndecodableObjects undecodableObjects;
    private final DictionaryKeeper dictionaries;
    private final ChangeFeed feed = new ChangeFeed(store);
    private final ScopeWatches watches = new ScopeWatches();
    private final ListStreaming listStreaming;
    private final ReentrantLock planning = new ReentrantLock();
    private final Resync resync;
    private boolean planned;

    KindCache(KindInfo info, CacheContext context, KindMetrics metrics, boolean restarted) {
        this.info = info;
        this.restarted = restarted;
        this.context = context;
        this.options = context.options().of(info.kind());
        this.metrics = metrics;
        this.listStreaming = new ListStreaming(context.options().watch().watchList(), System::nanoTime);
        this.undecodableObjects = new UndecodableObjects(metrics, context.log());
        this.resync = new Resync(context.options().resync(), context.timer(), feed::resync);
        this.dictionaries = new DictionaryKeeper(context.zip());
        this.ownWrites = new PendingWrites(store, new LiveLook(info, context, watches::scope)::look);
        this.view = new View(store, ownWrites, watches::progress);
        PendingWrites none = new PendingWrites(store, key -> PendingWrite.unknown("", ""));
        this.watched = new View(store, none, watches::progress);
        this.writeIntake =
                new WriteIntake(view, ownWrites, watches::progress, () -> EntryReaders.createForWrites(info, context));
    }

    KindInfo info() {
        return info;
    }

    ObjectStore store() {
        return store;
    }

    /** What readers see. */
    View view() {
        return view;
    }

    /** What the watches have brought. */
    View watched() {
        return watched;
    }

    /** How many own writes the watch has yet to bring. */
    int ownWritesLeft() {
        return ownWrites.size();
    }

    /** Takes in own writes. */
    WriteIntake writeIntake() {
        return writeIntake;
    }

    SyncState state() {
        return state;
    }

    /** Tells subscriptions. */
    ChangeFeed feed() {
        return feed;
    }

    KindMetrics metrics() {
        return metrics;
    }

    /** Whether watches bring what there is to begin with. */
    ListStreaming listStreaming() {
        return listStreaming;
    }

    DictionaryKeeper dictionaries() {
        return dictionaries;
    }

    UndecodableObjects undecodableObjects() {
        return undecodableObjects;
    }

    /** What is watched. */
    ScopeWatches watches() {
        return watches;
    }

    /** Begins; what is watched is told by {@link #watch}. */
    void start() {
        state.started();
        resync.start();
    }

    /**
     * Watches what these namespaces say from now on, and nothing else. Watches that are wanted before and after go on
     * undisturbed. Objects that no watch covers any more leave the cache, and subscriptions are told of a deletion whose
     * final state is unknown.
     *
     * @param followed the namespaces whose labels match
     */
    void watch(CachedNamespaces namespaces, Set<String> followed) {
        planning.lock();
        try {
            List<Scope> wanted = Scope.of(info, options, namespaces, followed);
            if (state.isClosed()) {
                return;
            }
            Set<Scope> before = watches.scopes();
            List<Scope> fresh = new ArrayList<>(wanted);
            fresh.removeAll(before);
            note(fresh); // before others end, or the kind could seem synced in between
            List<Reflector> leaving = watches.replace(wanted, scope -> new Reflector(scope, this, context));
            ScopeWatches.end(leaving);
            before.removeAll(wanted);
            ended(before, wanted);
            begin(fresh);
        } finally {
            planning.unlock();
        }
    }

    private void ended(Set<Scope> unwanted, List<Scope> wanted) {
        if (unwanted.isEmpty()) {
            return;
        }
        List<Change> gone = new ArrayList<>();
        for (Entry entry : store.list("")) {
            if (wanted.stream().noneMatch(scope -> scope.covers(entry.namespace()))) {
                gone.add(Change.deleted(entry, entry, true));
            }
        }
        write(gone);
        ownWrites.forget(namespace -> wanted.stream().anyMatch(scope -> scope.covers(namespace)));
        for (Scope scope : unwanted) {
            if (state.removed(scope)) {
                feed.initialWritten();
            }
        }
    }

    private void note(List<Scope> fresh) {
        if (planned) {
            fresh.forEach(state::added);
        } else if (state.planned(fresh)) {
            feed.initialWritten();
        }
        planned = true;
    }

    private void begin(List<Scope> fresh) {
        fresh.forEach(watches::start);
        if (state.isClosed()) {
            watches.stop();
        }
    }

    /** Whether the kind was watched before, and then nobody used it. */
    boolean isRestarted() {
        return restarted;
    }

    /** Whether all threads that follow it live, or were told to end. */
    boolean isWatched() {
        return watches.areAlive();
    }

    boolean hasSynced() {
        return state.isSynced();
    }

    /** What keeps it from syncing, for messages. */
    String notReadyReason() {
        if (!state.isStarted()) {
            return "the cache was not started";
        }
        return state.failure().map(SyncFailure::message).orElse("the first list has not arrived completely");
    }

    /** Waits until it has synced or is closed; false after the timeout. */
    boolean awaitSync(Duration timeout) throws InterruptedException {
        return state.await(state::isSynced, timeout.toNanos());
    }

    /** Takes over a new list of a scope, of this version. */
    void replace(Scope scope, Replacement replacement, String version, boolean first) {
        write(replacement.changes(first));
        passed(scope, version);
        if (first && state.synced(scope)) {
            feed.initialWritten();
        }
    }

    /** Notes that everything of a scope up to a version is in the store. */
    void passed(Scope scope, String version) {
        Progress watch = watches.progress(scope);
        if (watch != null && !version.isEmpty()) {
            boolean setBack = Versions.isBefore(version, watch.position());
            watch.position(version);
            if (setBack) {
                ownWrites.forget(namespace -> !scope.covers(namespace));
            } else if (!ownWrites.isEmpty()) {
                ownWrites.passed(scope, version);
            }
        }
    }

    /** Notes that an event about one object is in the store, and so is everything of its scope up to a version. */
    void passed(Scope scope, String version, ObjectKey key) {
        Progress watch = watches.progress(scope);
        if (watch != null && !version.isEmpty()) {
            watch.position(version);
            ownWrites.passed(key, version);
        }
    }

    /** Brings changes into the store and to the subscriptions, all at once. */
    void write(List<Change> changes) {
        feed.write(changes);
        undecodableObjects.forget(changes);
        metrics.changed(changes);
    }

    /** Makes reflectors end soon. */
    void stop() {
        state.closed();
        resync.stop();
        watches.stop();
    }

    /** Ends reflectors and subscriptions and waits for their threads. */
    void close() {
        stop();
        planning.lock();
        try {
            watches.endAll();
        } finally {
            planning.unlock();
        }
        feed.close();
    }
}
