package io.github.reconciler4j.cache.internal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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

    void start(Scope scope, Reflector reflector) {
        watches.put(scope.namespace(), new Watch(scope, reflector, new Progress(scope.selector())));
        reflector.start();
    }

    /** Ends the watches of some scopes and waits for their threads. */
    void end(Collection<Scope> ending) {
        List<Reflector> reflectors = new ArrayList<>();
        for (Scope scope : ending) {
            Watch watch = watches.remove(scope.namespace());
            if (watch != null) {
                reflectors.add(watch.reflector());
            }
        }
        reflectors.forEach(Reflector::stop);
        reflectors.forEach(Reflector::join);
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
        return watch == null ? null : watch.progress();
    }

    /** How far the watch that covers a namespace has come, null if none does. */
    @Nullable
    Progress progress(String namespace) {
        Watch watch = covering(namespace);
        return watch == null ? null : watch.progress();
    }
}
