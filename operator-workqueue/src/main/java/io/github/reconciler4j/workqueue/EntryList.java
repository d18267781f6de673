package io.github.reconciler4j.workqueue;

import org.jspecify.annotations.Nullable;

/** A list of entries that are linked through themselves, in insertion order. Not thread-safe. */
final class EntryList<T> {

    private @Nullable Entry<T> first;
    private @Nullable Entry<T> last;
    private int size;

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    @Nullable
    Entry<T> first() {
        return first;
    }

    void addLast(Entry<T> entry) {
        Entry<T> previous = last;
        entry.previous = previous;
        last = entry;
        if (previous == null) {
            first = entry;
        } else {
            previous.next = entry;
        }
        size++;
    }

    void remove(Entry<T> entry) {
        Entry<T> previous = entry.previous;
        Entry<T> next = entry.next;
        if (previous == null) {
            first = next;
        } else {
            previous.next = next;
        }
        if (next == null) {
            last = previous;
        } else {
            next.previous = previous;
        }
        entry.previous = null;
        entry.next = null;
        size--;
    }
}
