package io.github.reconciler4j.client.internal;

import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** What was applied last, by object and field manager, for the objects used last. Safe for use by many threads. */
final class AppliedMemory {

    static final int SIZE = 50_000;

    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by lock; the eldest in order of use goes first. */
    private final Map<Place, Entry> entries = new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Place, Entry> eldest) {
            return size() > SIZE;
        }
    };

    @Nullable
    Entry get(Place place) {
        lock.lock();
        try {
            return entries.get(place);
        } finally {
            lock.unlock();
        }
    }

    void put(Place place, Entry entry) {
        lock.lock();
        try {
            entries.put(place, entry);
        } finally {
            lock.unlock();
        }
    }

    void forget(Place place) {
        lock.lock();
        try {
            entries.remove(place);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Where something was applied.
     *
     * @param kind the kind
     * @param key the object
     * @param fieldManager in whose name
     */
    record Place(GroupVersionKind kind, ObjectKey key, String fieldManager) {}

    /**
     * What was applied and what came of it.
     *
     * @param wanted what was applied
     * @param uid the object
     * @param resourceVersion its version after that
     * @param got those of its fields, after that, that were applied
     */
    record Entry(JsonDigest.Value wanted, String uid, String resourceVersion, JsonDigest.Value got) {}
}
