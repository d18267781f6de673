package io.github.reconciler4j.spring.autoconfigure;

import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.reconcile.Request;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The controllers made of {@link io.github.reconciler4j.spring.Reconciler} beans, by name. Filled once all singletons
 * exist, just before the manager starts; empty before. Safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class OperatorControllers {

    private volatile Map<String, Controller<Request>> running = Map.of();
    private volatile Set<String> off = Set.of();

    OperatorControllers() {}

    void set(Map<String, Controller<Request>> controllers, Set<String> switchedOff) {
        running = Collections.unmodifiableMap(new TreeMap<>(controllers));
        off = Collections.unmodifiableSet(new TreeSet<>(switchedOff));
    }

    /** Those that were given to the manager, by name, in the order of their names. */
    public Map<String, Controller<Request>> all() {
        return running;
    }

    /** The names of those that properties or their annotation switch off. */
    public Set<String> switchedOff() {
        return off;
    }

    /** The controller of a name, if it is not switched off. */
    public Optional<Controller<Request>> find(String name) {
        return Optional.ofNullable(running.get(name));
    }
}
