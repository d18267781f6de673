package io.github.reconciler4j.cache.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.cache.CachedNamespaces;
import io.github.reconciler4j.cache.ObjectListener;
import io.github.reconciler4j.cache.internal.ScopeWatches.NamespaceFollower;
import io.github.reconciler4j.cache.internal.metrics.KindMetrics;
import io.github.reconciler4j.cache.internal.storage.EntryDecoder;
import io.github.reconciler4j.cache.internal.storage.ObjectDecoder;
import io.github.reconciler4j.cache.internal.storage.ObjectStore.TermFunction;
import io.github.reconciler4j.cache.internal.subscription.DefaultSubscription;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.support.LogLimiter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A kind of a cache, for as long as the cache exists. It is watched while it has users: subscriptions, and the program from
 * its first read until it releases the kind. When the last of them leaves, the watch ends and the store is dropped; the next
 * one starts both again. Indexes outlive that. Thread-safe.
 *
 * <p>The lock is never held while waiting, and no code of a user runs under it; {@code changing} is, because a change of
 * namespaces waits for reflectors that end. Lock order: {@code changing}, {@code lock}, then the locks of {@link KindStore}.
 */
final class WatchedKind {

    private final KindInfo info;
    private final CacheContext context;
    private final Supplier<WatchedKind> namespaceKind;
    private final KindMetrics metrics;
    private final ReentrantLock lock = new ReentrantLock();
    /** Held while namespaces are changed, so that this is done one after the other. */
    private final ReentrantLock changing = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<String, Index> indexes = new LinkedHashMap<>();

    @GuardedBy("lock")
    private int subscriptions;

    /** How many of the subscriptions do not end when an optional kind is not served. */
    @GuardedBy("lock")
    private int required;

    @GuardedBy("lock")
    private boolean started;

    @GuardedBy("lock")
    private CachedNamespaces namespaces;

    @GuardedBy("lock")
    private @Nullable NamespaceFollower follower;

    /** Whether users need bodies, and not only metadata; written under the lock. */
    private volatile boolean bodies;

    private volatile boolean read;
    /** Whether this program has written the kind, so that the first list of a watch must not be an old one. */
    private volatile boolean written;

    private volatile boolean dormant;
    /** Null unless the kind is optional. */
    private volatile @Nullable KindPresence presence;

    private volatile boolean closed;
    private volatile boolean fixedNamespaces;
    private volatile KindStore current;

    /** An index that outlives the store. */
    private record Index(TermFunction function, boolean bodies) {}

    /**
     * Create a kind that is not watched yet.
     *
     * @param bodies whether its first user needs bodies
     * @param namespaceKind returns the kind Namespace; called if namespaces are selected by their labels
     */
    WatchedKind(KindInfo info, boolean bodies, CacheContext context, Supplier<WatchedKind> namespaceKind) {
        this.info = info;
        this.bodies = bodies;
        this.context = context;
        this.namespaceKind = namespaceKind;
        this.namespaces = context.options().of(Kind.of(info.kind())).namespaces();
        this.fixedNamespaces = !namespaces.isFollowed();
        this.metrics = new KindMetrics(context.options().metrics(), info);
        this.current = new KindStore(info, context, metrics, new KindStore.Start(false, bodies, () -> written));
        notice(current);
        new KindReport(() -> current).register(metrics);
    }

    /** Let the presence notice what the watches of a store find. */
    private void notice(KindStore store) {
        store.state().followers().add(() -> {
            KindPresence known = presence;
            if (known != null) {
                known.changed(store);
            }
        });
    }

    KindInfo info() {
        return info;
    }

    String cluster() {
        return context.options().cluster();
    }

    LogLimiter log() {
        return context.log();
    }

    /** Return what is watched now; empty and without a watch if the kind has no users. */
    KindStore current() {
        return current;
    }

    /** Return whether the kind has users, or can have some soon. */
    boolean isUsed() {
        return !dormant;
    }

    /** Return whether a store is no longer the one of this kind although the cache is open. */
    boolean isDropped(KindStore store) {
        return current != store && !closed;
    }

    /** Return whether reading a namespace that is not watched is a mistake, and not just too late. */
    boolean hasFixedNamespaces() {
        return fixedNamespaces;
    }

    /** Start to watch. Does nothing the second time. */
    void start() {
        lock.lock();
        try {
            if (!started && !closed) {
                started = true;
                watchIfUsed();
            }
        } finally {
            lock.unlock();
        }
        KindPresence optional = presence;
        if (optional != null) {
            optional.start();
        }
    }

    /** Let the kind be one that may not be served, and return its presence. */
    KindPresence makeOptional() {
        KindPresence optional;
        boolean running;
        lock.lock();
        try {
            optional = presence != null ? presence : new KindPresence(this, context);
            presence = optional;
            running = started && !closed;
        } finally {
            lock.unlock();
        }
        dropIfUnused();
        if (running) {
            optional.start();
        }
        return optional;
    }

    /** Return the presence of an optional kind, null for others. */
    @Nullable
    KindPresence presence() {
        return presence;
    }

    /** Return whether the kind is optional and not served, so that it is not watched and reads return nothing. */
    boolean isAbsent() {
        KindPresence optional = presence;
        return optional != null && optional.isAbsent();
    }

    @GuardedBy("lock")
    private void watchIfUsed() {
        if (started && !dormant) {
            current.start();
            follower = watch(current, namespaces);
        }
    }

    @GuardedBy("lock")
    private void wake() {
        if (closed) {
            throw new IllegalStateException("The cache is closed");
        }
        if (dormant) {
            dormant = false;
            watchIfUsed();
        }
    }

    /** Return whether bodies are stored at all. */
    boolean storesBodies() {
        return current.storesBodies();
    }

    /** Return whether users need bodies. */
    boolean needsBodies() {
        return bodies;
    }

    /** Let the kind be watched with bodies from now on, because a user needs them. */
    void requireBodies() {
        if (bodies) {
            return;
        }
        lock.lock();
        try {
            bodies = true;
            current.fetchBodies();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Return what to read from if each namespace of a kind that the program uses can be read now; null if only a closer look
     * shows whether one can, see {@link KindReadiness}.
     */
    @Nullable
    KindStore ready() {
        KindStore known = current; // before the flags, as in reading
        return read && bodies && !dormant && known.isReady() ? known : null;
    }

    /** Return what to read from; from now on the program uses the kind. Null if it is absent, so that there is nothing to read. */
    @Nullable
    KindStore reading(boolean withBodies) {
        KindStore known = current; // before the flags, so that what is dropped meanwhile is still read as it was
        if (isAbsent()) {
            return null;
        }
        if (read && !dormant && (bodies || !withBodies)) {
            return known;
        }
        lock.lock();
        try {
            read = true;
            if (withBodies) {
                requireBodies();
            }
            wake();
            return current;
        } finally {
            lock.unlock();
        }
    }

    /** Start a subscription; it is a user until it is closed. */
    <T> Subscribed<T> subscribe(DefaultSubscription.View<T> view, String name, ObjectListener<T> listener) {
        return subscribe(view, name, listener, true);
    }

    /**
     * Start a subscription, as above.
     *
     * @param stays whether it does not end when an optional kind is not served
     */
    <T> Subscribed<T> subscribe(
            DefaultSubscription.View<T> view, String name, ObjectListener<T> listener, boolean stays) {
        lock.lock();
        try {
            if (view.bodies()) {
                requireBodies();
            }
            wake();
            KindStore kind = current;
            DefaultSubscription<T> subscription = kind.subscribe(view, name, listener, () -> unsubscribed(stays));
            subscriptions++;
            required += stays ? 1 : 0;
            return new Subscribed<>(kind, subscription);
        } finally {
            lock.unlock();
        }
    }

    /** A subscription and what it listens to. */
    record Subscribed<T>(KindStore kind, DefaultSubscription<T> subscription) {}

    private void unsubscribed(boolean stays) {
        lock.lock();
        try {
            subscriptions--;
            required -= stays ? 1 : 0;
        } finally {
            lock.unlock();
        }
        dropIfUnused();
    }

    /**
     * Record that the program does not use the kind any more.
     *
     * @return whether it has no other users, so that its watch has ended
     */
    boolean release() {
        read = false;
        return dropIfUnused();
    }

    private boolean dropIfUnused() {
        KindStore ended;
        NamespaceFollower following;
        lock.lock();
        try {
            if (subscriptions > 0 || read || closed || dormant) {
                return dormant;
            }
            following = takeFollower();
            ended = replace();
        } finally {
            lock.unlock();
        }
        ended.stop();
        if (following != null) {
            following.close();
        }
        ended.close();
        return true;
    }

    /** Continue without a watch, and return what was watched. */
    @GuardedBy("lock")
    private KindStore replace() {
        KindStore ended = current;
        dormant = true;
        boolean comesBack = bodies && presence != null; // and its informers stay
        bodies = comesBack || indexes.values().stream().anyMatch(Index::bodies);
        current = new KindStore(info, context, metrics, new KindStore.Start(true, bodies, () -> written));
        notice(current);
        indexes.forEach((name, index) -> current.addIndexIfAbsent(name, index.function()));
        return ended;
    }

    /**
     * Continue without a watch although there are subscriptions, whose store the caller ends.
     *
     * @return what was watched; null if a subscription stays, and with it the watch
     */
    @Nullable
    KindStore detach() {
        KindStore ended;
        NamespaceFollower following;
        lock.lock();
        try {
            if (required > 0 || closed || dormant) {
                return null;
            }
            read = false;
            following = takeFollower();
            ended = replace();
        } finally {
            lock.unlock();
        }
        if (following != null) {
            following.close();
        }
        return ended;
    }

    /** Return a decoder of this kind into a class. */
    <T extends HasMetadata> EntryDecoder<T> decoder(Class<T> type) {
        return new ObjectDecoder<>(info, type, (entry, exception) -> current.undecodable(entry, exception));
    }

    /**
     * Add an index that stays, even while the kind has no users.
     *
     * @param withBodies whether its function reads bodies
     * @return false if there is one of that name
     */
    boolean addIndexIfAbsent(String name, TermFunction function, boolean withBodies) {
        KindStore now;
        lock.lock();
        try {
            if (indexes.putIfAbsent(name, new Index(function, withBodies)) != null) {
                return false;
            }
            if (withBodies) {
                requireBodies();
            }
            now = current;
        } finally {
            lock.unlock();
        }
        now.addIndexIfAbsent(name, function); // outside the lock: it runs code of the user
        return true;
    }

    /** Record that this program writes the kind. To be called before the answer is handled. */
    void written() {
        written = true;
    }

    /** Watch other namespaces from now on. */
    void change(CachedNamespaces wanted) {
        changing.lock();
        try {
            NamespaceFollower before;
            KindStore active;
            lock.lock();
            try {
                before = takeFollower();
                namespaces = wanted;
                fixedNamespaces = false;
                active = started && !dormant && !closed ? current : null;
            } finally {
                lock.unlock();
            }
            if (before != null) {
                before.close(); // waits for a thread
            }
            if (active != null) {
                follow(active, watch(active, wanted)); // under no lock: waits for reflectors
            }
        } finally {
            changing.unlock();
        }
    }

    private void follow(KindStore active, @Nullable NamespaceFollower following) {
        boolean taken;
        lock.lock();
        try {
            taken = current == active && !closed;
            if (taken) {
                follower = following;
            }
        } finally {
            lock.unlock();
        }
        if (!taken && following != null) {
            following.close();
        }
    }

    /** Let a store watch namespaces; returns what follows their labels if that is needed. */
    private @Nullable NamespaceFollower watch(KindStore store, CachedNamespaces wanted) {
        if (wanted.isFollowed() && info.namespaced()) {
            return new NamespaceFollower(store, wanted, namespaceKind.get());
        }
        store.watch(wanted, Set::of);
        return null;
    }

    /** Return what follows namespaces, to be closed under no lock, because that waits. */
    @GuardedBy("lock")
    private @Nullable NamespaceFollower takeFollower() {
        NamespaceFollower taken = follower;
        follower = null;
        return taken;
    }

    /** Make watches end soon. */
    void stop() {
        KindPresence optional = presence;
        if (optional != null) {
            optional.close(); // before the kind refuses its subscriptions
        }
        lock.lock();
        try {
            closed = true;
            current.stop();
        } finally {
            lock.unlock();
        }
    }

    /** End everything and wait for the threads. */
    void close() {
        stop();
        NamespaceFollower following;
        lock.lock();
        try {
            following = takeFollower();
        } finally {
            lock.unlock();
        }
        if (following != null) {
            following.close();
        }
        current.close();
        metrics.close();
    }
}
