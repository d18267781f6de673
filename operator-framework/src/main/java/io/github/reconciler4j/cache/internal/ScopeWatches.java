package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.cache.CachedNamespaces;
import io.github.reconciler4j.cache.internal.WatchedKind.Subscribed;
import io.github.reconciler4j.cache.internal.storage.Entry;
import io.github.reconciler4j.cache.internal.storage.EntryDecoder;
import io.github.reconciler4j.cache.internal.subscription.DefaultSubscription;
import io.github.reconciler4j.cache.internal.watch.Reflector;
import io.github.reconciler4j.cache.internal.watch.Scope;
import io.github.reconciler4j.cache.internal.watch.SyncState;
import io.github.reconciler4j.cache.internal.watch.WatchProgress;
import io.github.reconciler4j.scheme.LabelMatcher;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The reflectors of one kind, one per scope, and what they have stored. Thread-safe.
 *
 * <p>{@code planning} is held while scopes are started and ended, so that this is done one after the other. It is taken
 * before all other locks of a kind, and while it is held a reflector may be waited for that runs a user's transform. Reads
 * take no lock.
 */
final class ScopeWatches {

    private final SyncState state;
    private final Host host;
    private final ReentrantLock planning = new ReentrantLock();

    /** By the namespace of the scope, which no two have in common. */
    private final Map<String, Watch> watches = new ConcurrentHashMap<>();

    /** Whether the store can have entries without bodies whose watch is not among the watches any more. */
    private volatile boolean leavesHeaders;

    /** A scope that is watched. */
    record Watch(Scope scope, Reflector reflector, ScopeStore store, WatchProgress progress) {}

    /** What the watches need of their kind. Called by the thread that changes the scopes. */
    interface Host {

        /** Create the watch of a scope. */
        Watch create(Scope scope);

        /** Handle that the scopes are known. */
        void planned();

        /** Handle that some namespaces are not watched any more. */
        void uncovered(Predicate<String> namespaces);

        /** Return whether whole objects are watched. */
        boolean needsBodies();

        /** Note the watch of all namespaces; null if there is another one, or none, or scopes change. */
        void covering(@Nullable Watch whole);
    }

    ScopeWatches(SyncState state, Host host) {
        this.state = state;
        this.host = host;
    }

    /**
     * Watch the given scopes from now on, and nothing else. Watches that are wanted before and after are not interrupted.
     * Objects that no watch covers any more are removed, and subscriptions receive a deletion whose final state is unknown.
     *
     * @param scopes returns the scopes; called under the lock, so that the last call decides
     */
    void watch(Supplier<List<Scope>> scopes) {
        planning.lock();
        try {
            if (state.isClosed()) {
                return;
            }
            List<Scope> wanted = scopes.get();
            Set<Scope> before = scopes();
            List<Scope> fresh = new ArrayList<>(wanted);
            fresh.removeAll(before);
            host.covering(null);
            state.planned(fresh); // before others end, or the kind could seem synced in between
            host.planned();
            end(leaving(wanted)); // before they are replaced: what a write is compared with does not change after that
            before.removeAll(wanted);
            leavesHeaders = !before.isEmpty() && lacksBodies(); // before the watches that say so go
            replace(wanted);
            if (!before.isEmpty()) {
                host.uncovered(namespace -> wanted.stream().noneMatch(scope -> scope.covers(namespace)));
                leavesHeaders = false; // what stays is covered by a watch that replaces headers
                before.forEach(state::removed);
                host.planned();
            }
            start(fresh);
            host.covering(only());
        } finally {
            planning.unlock();
        }
    }

    /** Return whether entries are stored without bodies, be they of a watch or of one that is leaving. */
    boolean lacksBodies() {
        return watches.values().stream().anyMatch(watch -> watch.store().lacksBodies())
                || leavesHeaders; // in this order: it is set before a watch goes
    }

    private void start(List<Scope> fresh) {
        for (Scope scope : fresh) {
            Watch watch = watches.get(scope.namespace());
            if (watch != null) {
                watch.reflector().start();
            }
        }
        if (host.needsBodies()) {
            fetchBodies(); // in case they were needed since the watches were created
        }
        if (state.isClosed()) {
            stop();
        }
    }

    private @Nullable Watch only() {
        Watch all = watches.get("");
        return all != null && watches.size() == 1 && all.scope().excluded().isEmpty() ? all : null;
    }

    /** Return the scopes that are watched now. */
    Set<Scope> scopes() {
        Set<Scope> scopes = new HashSet<>();
        watches.values().forEach(watch -> scopes.add(watch.scope()));
        return scopes;
    }

    /** Return what is watched now. */
    Collection<Watch> all() {
        return watches.values();
    }

    /** Return the reflectors of scopes that are not wanted. */
    private List<Reflector> leaving(Collection<Scope> wanted) {
        return watches.values().stream()
                .filter(watch -> !wanted.contains(watch.scope()))
                .map(Watch::reflector)
                .toList();
    }

    /**
     * Watch these scopes instead, in one step for each namespace: a namespace that was and is covered always has a watch.
     *
     * @param wanted the scopes, the one of all other namespaces last: it excludes the others, which must be there by then
     */
    private void replace(Collection<Scope> wanted) {
        Set<Scope> before = scopes();
        Set<String> namespaces = new HashSet<>();
        for (Scope scope : wanted) {
            namespaces.add(scope.namespace());
            if (!before.contains(scope)) {
                watches.put(scope.namespace(), host.create(scope));
            }
        }
        watches.keySet().retainAll(namespaces);
    }

    /** List again with bodies. */
    void fetchBodies() {
        watches.values().forEach(watch -> watch.reflector().fetchBodies());
    }

    /** Make all reflectors end soon. */
    void stop() {
        watches.values().forEach(watch -> watch.reflector().stop());
    }

    /** End all watches and wait for their threads. */
    void endAll() {
        planning.lock();
        try {
            List<Reflector> leaving = leaving(List.of());
            host.covering(null);
            leavesHeaders = lacksBodies();
            watches.clear();
            end(leaving);
        } finally {
            planning.unlock();
        }
    }

    /** End reflectors and wait for their threads. */
    private static void end(List<Reflector> leaving) {
        leaving.forEach(Reflector::stop);
        leaving.forEach(Reflector::join);
    }

    /** Return the watch that covers a namespace, null if none does. */
    @Nullable
    Watch covering(String namespace) {
        Watch one = watches.get(namespace);
        Watch covering = one != null ? one : watches.get("");
        return covering != null && covering.scope().covers(namespace) ? covering : null;
    }

    /** Return the scope that covers a namespace, null if none does. */
    @Nullable
    Scope scope(String namespace) {
        Watch watch = covering(namespace);
        return watch == null ? null : watch.scope();
    }

    /** Return how far the watch that covers a namespace has come, null if none does. */
    @Nullable
    WatchProgress progress(String namespace) {
        Watch watch = covering(namespace);
        return watch == null ? null : watch.progress();
    }

    /**
     * Watches a kind in the namespaces whose labels match, as they are created, deleted and relabeled. Uses the cached
     * namespaces itself, as metadata. Thread-safe; the store that it changes orders concurrent updates.
     */
    static final class NamespaceFollower {

        private final KindStore kind;
        private final CachedNamespaces wanted;
        private final LabelMatcher labels;
        private final Runnable update = this::update;
        /** Null until the subscription started; it can deliver before that. */
        private volatile @Nullable Subscribed<?> namespaces;

        /** Start to follow; the kind waits for the namespaces until they are known. */
        NamespaceFollower(KindStore kind, CachedNamespaces wanted, WatchedKind namespaceKind) {
            this.kind = kind;
            this.wanted = wanted;
            this.labels = LabelMatcher.parse(wanted.labelSelector());
            Subscribed<?> subscribed = namespaceKind.subscribe(
                    new DefaultSubscription.View<>(EntryDecoder.HEADER, false),
                    "namespaces of " + kind.info().resource(),
                    event -> update());
            this.namespaces = subscribed;
            kind.state().waitsFor(subscribed.kind().state());
            subscribed.kind().state().followers().add(update);
            update();
        }

        private void update() {
            Subscribed<?> subscribed = namespaces;
            if (subscribed != null && subscribed.kind().hasSynced(false)) {
                kind.watch(wanted, () -> matching(subscribed.kind()));
            }
        }

        private Set<String> matching(KindStore namespaceStore) {
            Set<String> matching = new TreeSet<>();
            for (Entry entry : namespaceStore.store().list("")) {
                if (labels.matches(entry.labels())) {
                    matching.add(entry.name()); // also one being deleted: its objects may have to be finalized
                }
            }
            return matching;
        }

        void close() {
            Subscribed<?> subscribed = namespaces;
            if (subscribed != null) {
                subscribed.kind().state().followers().remove(update);
                subscribed.subscription().close();
            }
        }
    }
}
