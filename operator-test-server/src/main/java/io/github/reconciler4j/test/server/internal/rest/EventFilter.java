package io.github.reconciler4j.test.server.internal.rest;

import io.github.reconciler4j.test.server.internal.storage.Change;
import io.github.reconciler4j.test.server.internal.storage.StoredObject;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Selects the changes of a resource for a watch.
 *
 * @param namespace only objects of this namespace; empty for all
 * @param name only the object of this name; empty for all
 */
record EventFilter(String namespace, String name, Predicate<StoredObject> selection) {
    /**
     * One event.
     *
     * @param type {@code ADDED}, {@code MODIFIED} or {@code DELETED}
     */
    record Event(String type, StoredObject object) {}

    boolean isWanted(StoredObject object) {
        return (namespace.isEmpty() || object.name().namespace().equals(namespace))
                && (name.isEmpty() || object.name().name().equals(name))
                && selection.test(object);
    }

    /** Return the event for a change, or null when the watch must not see it. */
    @Nullable
    Event event(Change change) {
        boolean before = change.before() != null && isWanted(change.before());
        StoredObject after = change.after();
        if (after == null) {
            return before ? new Event("DELETED", change.last()) : null;
        }
        if (isWanted(after)) {
            return new Event(before ? "MODIFIED" : "ADDED", after);
        }
        // It left the selection: watchers see its last state inside, with the version of the write that took it out.
        return before && change.before() != null
                ? new Event("DELETED", change.before().atVersion(change.version()))
                : null;
    }
}
