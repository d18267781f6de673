package io.github.reconciler4j.workqueue;

import org.jspecify.annotations.Nullable;

/** A lane without groups: first in, first out. */
final class FifoLane<T> extends Lane<T> {

    private final EntryList<T> entries = new EntryList<>();

    FifoLane(int priority) {
        super(priority);
    }

    @Override
    @Nullable
    Entry<T> next() {
        return entries.first();
    }

    @Override
    @Nullable
    Entry<T> any() {
        return entries.first();
    }

    @Override
    @Nullable
    Entry<T> oldest() {
        return entries.first();
    }

    @Override
    void append(Entry<T> entry) {
        entries.addLast(entry);
    }

    @Override
    void unlink(Entry<T> entry) {
        entries.remove(entry);
    }
}
