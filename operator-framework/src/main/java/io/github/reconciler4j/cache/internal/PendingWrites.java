package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This program's own writes of a kind that its watch has not brought back yet. They are laid over the store by
 * {@link View}; events are not touched by them. Safe for use by many threads; takes no locks: a write that comes in after
 * the watch has passed it is found out by comparing it with the position of the watch once more after it was added.
 */
final class PendingWrites {

    private static final Logger LOG = LoggerFactory.getLogger(PendingWrites.class);
    private static final int MANY = 1000;

    private final ObjectStore store;
    private final Function<ObjectKey, PendingWrite> look;
    private final Map<ObjectKey, PendingWrite> writes = new ConcurrentHashMap<>();

    /**
     * Creates it.
     *
     * @param look asks the server for what there is of an object
     */
    PendingWrites(ObjectStore store, Function<ObjectKey, PendingWrite> look) {
        this.store = store;
        this.look = look;
    }

    boolean isEmpty() {
        return writes.isEmpty();
    }

    /** How many there are. */
    int size() {
        return writes.size();
    }

    /** The writes by name, a copy; the server is asked about those of which it is not known what came of them. */
    Map<ObjectKey, PendingWrite> all() {
        Map<ObjectKey, PendingWrite> all = new HashMap<>(writes);
        all.replaceAll((key, write) -> write.isUnknown() ? find(key, write) : write);
        return all;
    }

    /** The write of one name, null if there is none; the server is asked if it is not known what came of it. */
    @Nullable
    PendingWrite get(ObjectKey key) {
        PendingWrite write = writes.get(key);
        return write != null && write.isUnknown() ? find(key, write) : write;
    }

    /** The write of one name as it was added. */
    @Nullable
    PendingWrite peek(ObjectKey key) {
        return writes.get(key);
    }

    /** Names that nobody reads must not pile up; what has a version goes when the watch passes it. */
    private void findOut(ObjectKey key) {
        try {
            get(key);
        } catch (ApiException e) {
            LOG.debug("It is not known yet what came of {}: {}", key, e.getMessage());
        }
    }

    private PendingWrite find(ObjectKey key, PendingWrite unknown) {
        PendingWrite found = look.apply(key);
        if (!found.isUnknown()) {
            exchange(key, unknown, found);
        } else if (found.isPassed("", store.get(key.namespace(), key.name()))) {
            exchange(key, unknown, null);
        }
        return found;
    }

    /** Only if nothing was written since: what the server answered need not contain that. */
    private void exchange(ObjectKey key, PendingWrite unknown, @Nullable PendingWrite found) {
        writes.computeIfPresent(key, (same, now) -> now == unknown ? found : now);
    }

    /** Adds a write, unless the watch has passed it. */
    void add(ObjectKey key, PendingWrite write, Progress progress) {
        writes.merge(key, write, PendingWrite::newer);
        if (write.isUnknown() && writes.size() > MANY) {
            findOut(key);
        }
        passed(key, progress.position());
    }

    /**
     * Adds that something was written under a name whose namespace is not watched any more. What is left of it in the
     * store is on its way out, and must not be seen as it was before the write; {@link #forget} comes after that.
     */
    void addUnwatched(ObjectKey key) {
        if (isStored(key)) {
            PendingWrite added = writes.merge(key, PendingWrite.unknown("", ""), PendingWrite::newer);
            if (!isStored(key)) {
                exchange(key, added, null); // the namespace may be watched again, and somebody may have written since
            }
        }
    }

    private boolean isStored(ObjectKey key) {
        return store.get(key.namespace(), key.name()) != null;
    }

    /** Forgets the write of one name if the watch has passed it. */
    void passed(ObjectKey key, String position) {
        PendingWrite write = writes.get(key);
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

    /** Forgets all writes in namespaces that are not watched any more, or whose server was set back to before them. */
    void forget(Predicate<String> watched) {
        writes.keySet().removeIf(key -> !watched.test(key.namespace()));
    }
}
