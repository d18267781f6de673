package io.github.reconciler4j.workqueue;

import org.jspecify.annotations.Nullable;

/** The ready entries of one priority. Not thread-safe. */
abstract class Lane<T> {

    final int priority;

    /** Ready entries that are still running; they enter when they are done. */
    int held;

    /** Since when there has always been an entry; only if there is one. */
    long occupiedSince;

    /** Number of the last hand-out from here. */
    long servedAt;

    private int size;

    Lane(int priority) {
        this.priority = priority;
    }

    /** A lane that takes turns between groups within their limit, or one without groups if there is no limit. */
    static <T> Lane<T> create(int priority, @Nullable GroupLimit limit) {
        return limit == null ? new FifoLane<>(priority) : new FairLane<>(priority, limit);
    }

    final int size() {
        return size;
    }

    /** Ready entries, those still running included. */
    final int depth() {
        return size + held;
    }

    final void add(Entry<T> entry, long now) {
        if (size == 0) {
            occupiedSince = now;
        }
        append(entry);
        size++;
    }

    final void remove(Entry<T> entry) {
        unlink(entry);
        size--;
    }

    /** The entry to hand out next; null if there is none, or none that may be handed out now. */
    abstract @Nullable Entry<T> next();

    /** Some entry; null only if there is none. */
    abstract @Nullable Entry<T> any();

    /** Of the entries that come first in their group, the one that has been ready longest. */
    abstract @Nullable Entry<T> oldest();

    abstract void append(Entry<T> entry);

    abstract void unlink(Entry<T> entry);
}
