package io.github.reconciler4j.controllers.internal.garbagecollector;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The owners that the API server has said not to exist, those used last. Many objects have the same owner, which is thus
 * looked up once. Thread-safe.
 */
final class AbsentOwners {

    private final Map<ObjectId, Boolean> known;

    AbsentOwners(int capacity) {
        known = new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<ObjectId, Boolean> eldest) {
                return size() > capacity;
            }
        };
    }

    synchronized void add(ObjectId owner) {
        known.put(owner, true);
    }

    synchronized boolean contains(ObjectId owner) {
        return known.get(owner) != null; // which also counts as a use
    }

    synchronized void clear() {
        known.clear();
    }
}
