package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.cache.CacheSyncTimeoutException;
import io.github.reconciler4j.cache.KindStatus;
import io.github.reconciler4j.cache.KindUnavailableException;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One watched kind: its store, its reflectors, its subscriptions, and this program's own writes to it.
 *
 * <p>{@code starting} guards {@code reflectors}; it is held for starting and stopping only, never while waiting.
 */
final class KindCache {

    private final KindInfo info;
    private final CacheContext context;
    private final ObjectStore store = new ObjectStore();
    private final SyncState state = new SyncState();
    private final OwnWrites ownWrites = new OwnWrites(store);
    private final View view = new View(store, ownWrites);
    private final WriteIntake writeIntake;
    /** By the namespace of the scope; filled when watching begins. */
    private final Map<String, Progress> progress = new ConcurrentHashMap<>();

    private final BadObjects badObjects;
    private final DictionaryKeeper dictionaries;
    private final ChangeFeed feed = new ChangeFeed(store);
    private final KindMetrics metrics;
    private final ReentrantLock starting = new ReentrantLock();
    private final List<Reflector> reflectors = new ArrayList<>();

    KindCache(KindInfo info, CacheContext context) {
        this.info = info;
        this.context = context;
        this.metrics = new KindMetrics(context.options().metrics(), info.resource());
        this.metrics.follow(store, state);
        this.badObjects = new BadObjects(metrics);
        this.dictionaries = new DictionaryKeeper(context.zip());
        this.writeIntake = new WriteIntake(
                view,
                ownWrites,
                context.options().of(info.kind()),
                this::progress,
                () -> EntryReaders.createForWrites(info, context));
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

    /** How many own writes the watch has yet to bring. */
    int ownWritesLeft() {
        return ownWrites.all().size();
    }

    /** Takes in own writes. */
    WriteIntake writeIntake() {
        return writeIntake;
    }

    /** The watch that covers a namespace, null if none does. */
    @Nullable
    Progress progress(String namespace) {
        Progress all = progress.get("");
        return all != null ? all : progress.get(namespace);
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

    DictionaryKeeper dictionaries() {
        return dictionaries;
    }

    BadObjects badObjects() {
        return badObjects;
    }

    /** Begins to watch. */
    void start() {
        starting.lock();
        try {
            List<Scope> scopes = scopes();
            state.started(scopes);
            for (Scope scope : scopes) {
                progress.put(scope.namespace(), new Progress());
                Reflector reflector = new Reflector(scope, this, context);
                reflectors.add(reflector);
                reflector.start();
            }
        } finally {
            starting.unlock();
        }
        new Resync(context.options().resync(), context.timer()).follow(this);
    }

    private List<Scope> scopes() {
        Set<String> namespaces = new TreeSet<>(context.options().of(info.kind()).namespaces());
        if (namespaces.isEmpty() || !info.namespaced()) {
            return List.of(new Scope(info, "", context.options().of(info.kind())));
        }
        return namespaces.stream()
                .map(namespace -> new Scope(info, namespace, context.options().of(info.kind())))
                .toList();
    }

    boolean hasSynced() {
        return state.isSynced();
    }

    /** What keeps it from syncing, for messages. */
    String obstacle() {
        if (!state.isStarted()) {
            return "the cache was not started";
        }
        return state.trouble().map(Trouble::message).orElse("the first list has not arrived completely");
    }

    KindStatus status() {
        boolean synced = hasSynced();
        String trouble = synced ? state.trouble().map(Trouble::message).orElse("") : obstacle();
        return new KindStatus(info, synced, state.needsPerson(), trouble, store.size());
    }

    /** Waits until it has synced or is closed; false after the timeout. */
    boolean awaitSync(Duration timeout) throws InterruptedException {
        return state.await(() -> false, timeout.toNanos());
    }

    /** Takes over a new list of a scope, of this version. */
    void replace(Scope scope, Replacement replacement, String version, boolean first) {
        write(replacement.changes(first));
        passed(scope, version);
        if (first && state.synced()) {
            feed.initialWritten();
        }
    }

    /** Notes that everything of a scope up to a version is in the store. */
    void passed(Scope scope, String version) {
        Progress watch = progress.get(scope.namespace());
        if (watch != null && !version.isEmpty()) {
            watch.position(version);
            if (!ownWrites.isEmpty()) {
                ownWrites.passed(scope, version);
            }
        }
    }

    /** Notes that an event about one object is in the store, and so is everything of its scope up to a version. */
    void passed(Scope scope, String version, ObjectKey key) {
        Progress watch = progress.get(scope.namespace());
        if (watch != null && !version.isEmpty()) {
            watch.position(version);
            ownWrites.passed(key, version);
        }
    }

    /** Takes in a new state of an object. */
    void put(@Nullable Entry old, Entry entry) {
        if (old == null) {
            write(List.of(Change.created(entry, false)));
        } else if (old.sameObject(entry)) {
            write(List.of(Change.updated(old, entry)));
        } else {
            write(List.of(Change.deleted(old, old, true), Change.created(entry, false)));
        }
    }

    /** Takes in that an object was deleted, with its last state. */
    void delete(Entry old, Entry last) {
        write(List.of(Change.deleted(old, last, false)));
    }

    private void write(List<Change> changes) {
        feed.write(changes);
        badObjects.forget(changes);
        metrics.changed(changes);
    }

    /**
     * Fails if the kind cannot be read.
     *
     * @param inTime whether waiting ended before the timeout
     */
    void failUnlessReadable(boolean inTime, Duration timeout) {
        if (state.isSynced()) {
            return;
        }
        if (state.isClosed()) {
            throw new IllegalStateException("The cache was closed before " + info.resource() + " synced");
        }
        Optional<Trouble> trouble = state.trouble();
        if (inTime && trouble.isPresent()) {
            throw new KindUnavailableException(
                    trouble.get().message(), trouble.get().code());
        }
        throw new CacheSyncTimeoutException(
                "The cache of " + info.resource() + " has not synced within " + timeout + ": " + obstacle());
    }

    /** Makes reflectors end soon. */
    void stop() {
        starting.lock();
        try {
            state.closed();
            reflectors.forEach(Reflector::stop);
        } finally {
            starting.unlock();
        }
    }

    /** Ends reflectors and subscriptions and waits for their threads. */
    void close() {
        stop();
        List<Reflector> ending;
        starting.lock();
        try {
            ending = List.copyOf(reflectors);
        } finally {
            starting.unlock();
        }
        ending.forEach(Reflector::join);
        feed.close();
        metrics.close();
    }
}
