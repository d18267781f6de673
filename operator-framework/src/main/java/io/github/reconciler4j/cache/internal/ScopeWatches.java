package io.github.reconciler4j.cache.internal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The reflectors of one kind, one per scope, and how far each has come. Safe for use by many threads. */
final class ScopeWatches {

    /** By the namespace of the scope, which no two have in common. */
    private final Map<String, Watch> watches = new ConcurrentHashMap<>();

    private record Watch(Scope scope, Reflector reflector, Progress progress) {}

    /** The scopes watched now. */
    Set<Scope> scopes() {
        Set<Scope> scopes = new HashSet<>();
        watches.values().forEach(watch -> scopes.add(watch.scope()));
        return scopes;
    }

    /**
     * Watches these scopes instead, in one step for each namespace: whoever asks which watch covers a namespace that was
     * and is covered finds one. The new ones are begun by {@link #start}.
     *
     * @param fresh makes the reflectors of scopes that were not watched
     * @return the reflectors of scopes that are not watched any more, yet to be ended
     */
    List<Reflector> replace(Collection<Scope> wanted, Function<Scope, Reflector> fresh) {
        Set<Scope> before = scopes();
        List<Reflector> leaving = new ArrayList<>();
        Set<String> namespaces = new HashSet<>();
        for (Scope scope : wanted) {
            namespaces.add(scope.namespace());
            if (!before.contains(scope)) {
                Watch watch = new Watch(scope, fresh.apply(scope), new Progress(scope.selector()));
                add(leaving, watches.put(scope.namespace(), watch));
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

    /** Begins to watch a scope. */
    void start(Scope scope) {
        Watch watch = watches.get(scope.namespace());
        if (watch != null) {
            watch.reflector().start();
        }
    }

    /** Ends all watches and waits for their threads. */
    void endAll() {
        List<Reflector> leaving = new ArrayList<>();
        scopes().forEach(scope -> add(leaving, watches.remove(scope.namespace())));
        end(leaving);
    }

    /** Ends reflectors and waits for their threads. */
    static void end(List<Reflector> leaving) {
        leaving.forEach(Reflector::stop);
        leaving.forEach(Reflector::join);
    }

    boolean areAlive() {
        return watches.values().stream().allMatch(watch -> watch.reflector().isAlive());
    }

    /** Makes all reflectors end soon. */
    void stop() {
        watches.values().forEach(watch -> watch.reflector().stop());
    }

    private @Nullable Watch covering(String namespace) {
        Watch one = watches.get(namespace);
        Watch others = one != null ? one : watches.get("");
        return others != null && others.scope().covers(namespace) ? others : null;
    }

    /** The scope that covers a namespace, null if none does. */
    @Nullable
    Scope scope(String namespace) {
        Watch watch = covering(namespace);
        return watch == null ? null : watch.scope();
    }

    /** How far the watch of a scope has come, null if it is not watched. */
    @Nullable
    Progress progress(Scope scope) {
        Watch watch = watches.get(scope.namespace());
        return watch == null || !watch.scope().equals(scope) ? null : watch.progress();
    }

    /** How far the watch that covers a namespace has come, null if none does. */
    @Nullable
    Progress progress(String namespace) {
        Watch watch = covering(namespace);
        return watch == null ? null : watch.progress();
    }
}
