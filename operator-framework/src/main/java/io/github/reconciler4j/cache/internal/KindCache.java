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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One watched kind: its store, its reflectors and its subscriptions.
 *
 * <p>{@code changing} makes a change of the store and its way into the queues of all subscriptions one step, so that a
 * subscription that begins in between neither misses nor repeats anything; it guards {@code subscriptions} and
 * {@code reflectors} against changes. Inside it the locks of {@link ObjectStore} and {@link SubscriptionQueue} are taken.
 * Reading takes it never, and no code of a user runs under it.
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
    private final ReentrantLock changing = new ReentrantLock();
    private final List<DefaultSubscription<?>> subscriptions = new CopyOnWriteArrayList<>();
    private final List<Reflector> reflectors = new ArrayList<>();

    KindCache(KindInfo info, CacheContext context) {
        this.info = info;
        this.context = context;
        this.badObjects = new BadObjects(info);
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

    DictionaryKeeper dictionaries() {
        return dictionaries;
    }

    BadObjects badObjects() {
        return badObjects;
    }

    /** Begins to watch. */
    void start() {
        changing.lock();
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
            changing.unlock();
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
        return new KindStatus(info, synced, state.needsPerson(), trouble);
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
            changing.lock();
            try {
                subscriptions.forEach(subscription -> subscription.queue().initialOffered());
            } finally {
                changing.unlock();
            }
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
        boolean written = changes.isEmpty();
        while (!written) {
            store.prepare(changes);
            changing.lock();
            try {
                written = store.isPrepared(changes); // else an index came in between
                if (written) {
                    store.apply(changes);
                    offer(changes);
                }
            } finally {
                changing.unlock();
            }
        }
        badObjects.forget(changes);
    }

    private void offer(List<Change> changes) {
        for (DefaultSubscription<?> subscription : subscriptions) {
            for (Change change : changes) {
                subscription.queue().offer(change);
            }
        }
    }

    /** Tells every subscription of every object again. */
    void resync() {
        changing.lock();
        try {
            for (Entry entry : store.list("")) {
                Change change = Change.resync(entry);
                subscriptions.forEach(subscription -> subscription.queue().offer(change));
            }
        } finally {
            changing.unlock();
        }
    }

    /** Begins a subscription with the present state. */
    void add(DefaultSubscription<?> subscription) {
        changing.lock();
        try {
            if (state.isClosed()) {
                throw new IllegalStateException("The cache is closed");
            }
            for (Entry entry : store.list("")) {
                subscription.queue().offer(Change.created(entry, true));
            }
            if (state.isSynced()) {
                subscription.queue().initialOffered();
            }
            subscriptions.add(subscription);
            subscription.start();
        } finally {
            changing.unlock();
        }
    }

    void remove(DefaultSubscription<?> subscription) {
        changing.lock();
        try {
            subscriptions.remove(subscription);
        } finally {
            changing.unlock();
        }
    }

    /**
     * Adds an index over what is there and what comes; it can be used once this returns. Runs code of the user.
     *
     * @return false if there is an index of that name already
     */
    boolean addIndexIfAbsent(TermIndex index) {
        List<Entry> present;
        changing.lock();
        try {
            if (store.index(index.name()) != null) {
                return false;
            }
            store.register(index);
            present = store.list("");
        } finally {
            changing.unlock();
        }
        List<String[]> terms = present.stream().map(index::terms).toList();
        store.complete(index, present, terms);
        return true;
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
        changing.lock();
        try {
            state.closed();
            reflectors.forEach(Reflector::stop);
        } finally {
            changing.unlock();
        }
    }

    /** Ends reflectors and subscriptions and waits for their threads. */
    void close() {
        stop();
        List.copyOf(reflectors).forEach(Reflector::join);
        subscriptions.forEach(DefaultSubscription::close);
    }
}
