package io.github.reconciler4j.workqueue;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Failures by key. Safe for use by many threads. A key that did not fail costs nothing. */
final class RetryCounts<T> {

    private final ConcurrentMap<T, Integer> counts = new ConcurrentHashMap<>();

    /** Counts one more; returns how many there were before. */
    int increment(T item) {
        return counts.merge(item, 1, (count, one) -> count == Integer.MAX_VALUE ? count : count + one) - 1;
    }

    void forget(T item) {
        if (!counts.isEmpty()) { // as it is normally, and then not even the hash of the key is needed
            counts.remove(item);
        }
    }

    int get(T item) {
        return counts.isEmpty() ? 0 : counts.getOrDefault(item, 0);
    }
}
