package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.cache.internal.watch.Reflector;
import io.github.reconciler4j.cache.internal.watch.Scope;
import io.github.reconciler4j.cache.internal.watch.WatchProgress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The reflectors of one kind, one per scope, and what they have stored. Thread-safe without locks. */
final class ScopeWatches {

    /** By the namespace of the scope, which no two have in common. */
    private final Map<String, Watch> watches = new ConcurrentHashMap<>();

    /** A scope that is watched. */
    record Watch(Scope scope, Reflector reflector, ScopeStore store) {}

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

    /**
     * Watch these scopes instead, in one step for each namespace: whoever asks which watch covers a namespace that was and
     * is covered finds one. New ones are started by {@link #start}.
     *
     * @param create creates the watch of a scope that was not watched
     * @return the reflectors of scopes that are not watched any more, which still have to be ended
     */
    List<Reflector> replace(Collection<Scope> wanted, Function<Scope, Watch> create) {
        Set<Scope> before = scopes();
        List<Reflector> leaving = new ArrayList<>();
        Set<String> namespaces = new HashSet<>();
        for (Scope scope : wanted) {
            namespaces.add(scope.namespace());
            if (!before.contains(scope)) {
                add(leaving, watches.put(scope.namespace(), create.apply(scope)));
            }
        }
        for (Scope scope : before) {
            if (!namespaces.contains(scope.namespace())) {
                add(leaving, watches.remove(scope.namespace()));
            }
        }
        return leaving;
    }

    private static void add(List<Reflector> leaving, @Nullable Watch watch) {
        if (watch != null) {
            leaving.add(watch.reflector());
        }
    }

    /** Start to watch a scope. */
    void start(Scope scope) {
        Watch watch = watches.get(scope.namespace());
        if (watch != null) {
            watch.reflector().start();
        }
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
        List<Reflector> leaving = new ArrayList<>();
        scopes().forEach(scope -> add(leaving, watches.remove(scope.namespace())));
        end(leaving);
    }

    /** End reflectors and wait for their threads. */
    static void end(List<Reflector> leaving) {
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
        return watch == null ? null : watch.store().progress();
    }
}
