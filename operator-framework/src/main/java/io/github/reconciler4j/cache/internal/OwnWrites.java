package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.scheme.ObjectKey;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * This program's own writes of a kind that its watch has not brought back yet. They are laid over the store by
 * {@link View}; events are not touched by them. Safe for use by many threads; takes no locks: a write that comes in after
 * the watch has passed it is found out by comparing it with the position of the watch once more after it was added.
 */
final class OwnWrites {

    private final ObjectStore store;
    private final Map<ObjectKey, OwnWrite> writes = new ConcurrentHashMap<>();

    OwnWrites(ObjectStore store) {
        this.store = store;
    }

    boolean isEmpty() {
        return writes.isEmpty();
    }

    /** The writes by name; changes under the reader's hands. */
    Map<ObjectKey, OwnWrite> all() {
        return writes;
    }

    @Nullable
    OwnWrite get(ObjectKey key) {
        return writes.get(key);
    }

    /** Adds a write, unless the watch has passed it. */
    void add(ObjectKey key, OwnWrite write, Progress progress) {
        writes.merge(key, write, OwnWrite::newer);
        passed(key, progress.position());
    }

    /** Forgets the write of one name if the watch has passed it. */
    void passed(ObjectKey key, String position) {
        OwnWrite write = writes.get(key);
        if (write != null && write.isPassed(position, store.get(key.namespace(), key.name()))) {
            writes.remove(key, write);
        }
    }

    /** Forgets all writes of a scope that its watch has passed. */
    void passed(Scope scope, String position) {
        for (ObjectKey key : writes.keySet()) {
            if (scope.covers(key.namespace())) {
                passed(key, position);
            }
        }
    }

    /** Forgets all writes in namespaces that are not watched any more. */
    void forget(Predicate<String> watched) {
        writes.keySet().removeIf(key -> !watched.test(key.namespace()));
    }
}
