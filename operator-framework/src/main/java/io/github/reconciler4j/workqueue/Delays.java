package io.github.reconciler4j.workqueue;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The entries that wait for a point in time, the earliest first; those due at the same time in the order they were
 * added. Entries in backoff have a heap of their own, so that a snapshot finds them without looking at all others. Not
 * thread-safe.
 */
final class Delays<T> {

    private final IndexedHeap<Entry<T>> scheduled = new IndexedHeap<>(Delays::before);
    private final IndexedHeap<Entry<T>> backoff = new IndexedHeap<>(Delays::before);
    private long sequence;

    int size() {
        return scheduled.size() + backoff.size();
    }

    int backoffSize() {
        return backoff.size();
    }

    boolean isEmpty() {
        return scheduled.isEmpty() && backoff.isEmpty();
    }

    /** The entry that is due next. */
    @Nullable
    Entry<T> first() {
        Entry<T> one = scheduled.peek();
        Entry<T> other = backoff.peek();
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return before(one, other) ? one : other;
    }

    void add(Entry<T> entry, long due, boolean inBackoff) {
        entry.time = due;
        entry.sequence = sequence++;
        entry.backoff = inBackoff;
        heapOf(entry).add(entry);
    }

    void remove(Entry<T> entry) {
        heapOf(entry).remove(entry);
        entry.backoff = false;
    }

    /** The entries in backoff that are due next. */
    List<Entry<T>> firstInBackoff(int limit) {
        return backoff.first(limit);
    }

    /** Removes all and hands each over. */
    void clear(Consumer<Entry<T>> removed) {
        for (Entry<T> entry = first(); entry != null; entry = first()) {
            remove(entry);
            removed.accept(entry);
        }
    }

    private IndexedHeap<Entry<T>> heapOf(Entry<T> entry) {
        return entry.backoff ? backoff : scheduled;
    }

    private static <T> boolean before(Entry<T> one, Entry<T> other) {
        long difference = one.time - other.time;
        return difference < 0 || difference == 0 && one.sequence < other.sequence;
    }
}
