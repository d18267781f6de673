package io.github.reconciler4j.test.server.internal.storage;

import org.jspecify.annotations.Nullable;

/**
 * The latest changes of one resource, as a linked list: readers keep their place by keeping an entry. Appending and
 * dropping need the store's write lock; reading needs none.
 */
final class ChangeLog {
    /** One place in the log. */
    static final class Entry {
        final @Nullable Change change;
        private volatile @Nullable Entry next;

        private Entry(@Nullable Change change) {
            this.change = change;
        }

        @Nullable
        Entry next() {
            return next;
        }
    }

    private final int capacity;
    /** Written under the store's write lock: the entry before the first that can still be read. */
    private volatile Entry start = new Entry(null);
    /** Written under the store's write lock: changes up to this version are gone. */
    private volatile long forgotten;
    /** Guarded by the store's write lock. */
    private Entry end = start;
    /** Guarded by the store's write lock. */
    private int size;

    ChangeLog(int capacity, long forgotten) {
        this.capacity = capacity;
        this.forgotten = forgotten;
    }

    void append(Change change) {
        Entry entry = new Entry(change);
        end.next = entry;
        end = entry;
        if (++size > capacity) {
            dropFirst();
        }
    }

    private void dropFirst() {
        Entry first = start.next;
        if (first != null && first.change != null) {
            forgotten = first.change.version();
            start = first;
            size--;
        }
    }

    void forgetThrough(long version) {
        while (start.next != null && start.next.change != null && start.next.change.version() <= version) {
            dropFirst();
        }
        forgotten = Math.max(forgotten, version);
    }

    /** Return whether every change after the version can still be read. */
    boolean reaches(long version) {
        return version >= forgotten;
    }

    long forgotten() {
        return forgotten;
    }

    /** Return the entry before the changes that are newer than the version, or null if some of them are no longer kept. */
    @Nullable
    Entry after(long version) {
        Entry entry = start;
        if (!reaches(version)) {
            return null;
        }
        for (Entry next = entry.next; next != null && isUpTo(next, version); next = next.next) {
            entry = next;
        }
        return reaches(version) ? entry : null;
    }

    private static boolean isUpTo(Entry entry, long version) {
        return entry.change != null && entry.change.version() <= version;
    }
}
