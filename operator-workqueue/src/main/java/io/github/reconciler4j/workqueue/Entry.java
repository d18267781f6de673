package io.github.reconciler4j.workqueue;

import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A key that the queue knows. It is being processed, or waits (ready or for a time), or both; a key that does neither has
 * no entry. An entry is itself the node of the hash table, of the lists and of the heap that it is in, so that a key costs
 * one object.
 *
 * <p>The lock of the queue guards all fields, except that the thread that took the entry reads {@code item},
 * {@code runningPriority} and {@code waitedNanos}, which are not written until that thread has called done.
 */
final class Entry<T> extends IndexedHeap.Node implements WorkItem<T> {

    /** What an entry waits for. */
    enum Waiting {
        /** Nothing: it is being processed and has not been added since. */
        NOT,
        /** A worker; or the end of its own processing. */
        READY,
        /** A time. */
        DELAYED
    }

    final T item;
    final int hash;
    final FairLane.@Nullable Group<T> group;

    /** The next entry in the same bucket of the hash table. */
    @Nullable
    Entry<T> chained;

    /** The neighbors in the list of its lane, or in the list of running entries. */
    private @Nullable Entry<T> previous;

    @Nullable
    Entry<T> next;

    Waiting waiting = Waiting.NOT;

    boolean running;

    /** Whether it waits because of the rate limiter; only if it is delayed. */
    boolean backoff;

    /** The priority of the waiting key, not of the running one. */
    int priority;

    /** When it is due, if it is delayed; since when it is ready, if it is ready. */
    long time;

    /** Orders entries that are due at the same time. */
    long sequence;

    int runningPriority;
    long waitedNanos;
    long startedAt;

    Entry(T item, int hash, FairLane.@Nullable Group<T> group) {
        this.item = item;
        this.hash = hash;
        this.group = group;
    }

    @Override
    public T item() {
        return item;
    }

    @Override
    public int priority() {
        return runningPriority;
    }

    @Override
    public Duration waited() {
        return Duration.ofNanos(waitedNanos);
    }

    @Override
    public String toString() {
        return item + " (priority " + runningPriority + ")";
    }

    /** A list of entries that are linked through themselves, in insertion order. Not thread-safe. */
    static final class Linked<T> {

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

    /**
     * The entries by key: a hash table that links the entries themselves. Not thread-safe.
     *
     * <p>Together with {@link Entry.Linked} it replaces {@code HashMap} and {@code LinkedHashSet}, with which a round of add, take
     * and done allocates 200 bytes instead of 88 and takes 1.5 times the processor time (measured with
     * {@code WorkQueueBenchmark}). It also lets the hash of a key be computed without the lock, and it shrinks.
     */
    static final class EntryTable<T> {

        private static final int MIN_CAPACITY = 16;

        private @Nullable Entry<T>[] buckets = newBuckets(MIN_CAPACITY);
        private int size;

        /** Return the hash of a key; calls its {@code hashCode}. */
        static int hash(Object item) {
            int hash = item.hashCode();
            return hash ^ (hash >>> 16);
        }

        int size() {
            return size;
        }

        @Nullable
        Entry<T> get(T item, int hash) {
            Entry<T> first = buckets[hash & (buckets.length - 1)];
            for (Entry<T> entry = first; entry != null; entry = entry.chained) {
                if (entry.item == item) { // before any equals is called, because that of another key can fail
                    return entry;
                }
            }
            Entry<T> entry = first;
            while (entry != null && !(entry.hash == hash && entry.item.equals(item))) {
                entry = entry.chained;
            }
            return entry;
        }

        /** Call an action with each entry; it must not change the table. */
        void forEach(Consumer<Entry<T>> action) {
            for (Entry<T> head : buckets) {
                for (Entry<T> entry = head; entry != null; entry = entry.chained) {
                    action.accept(entry);
                }
            }
        }

        /** Add an entry whose key is not in the table. */
        void put(Entry<T> entry) {
            if (size >= buckets.length - (buckets.length >> 2)) {
                resize(buckets.length << 1);
            }
            link(buckets, entry);
            size++;
        }

        /** Remove an entry that is in the table. */
        void remove(Entry<T> entry) {
            int index = entry.hash & (buckets.length - 1);
            Entry<T> current = buckets[index];
            if (current == entry) {
                buckets[index] = entry.chained;
            } else {
                while (current != null && current.chained != entry) {
                    current = current.chained;
                }
                if (current == null) {
                    throw new IllegalStateException(
                            "An entry is missing from the table; the hash code of its key has changed");
                }
                current.chained = entry.chained;
            }
            entry.chained = null;
            if (--size < buckets.length >> 3 && buckets.length > MIN_CAPACITY) {
                resize(buckets.length >> 1);
            }
        }

        private void resize(int capacity) {
            @Nullable Entry<T>[] target = newBuckets(capacity);
            for (Entry<T> head : buckets) {
                Entry<T> entry = head;
                while (entry != null) {
                    Entry<T> following = entry.chained;
                    link(target, entry);
                    entry = following;
                }
            }
            buckets = target;
        }

        private static <T> void link(@Nullable Entry<T>[] target, Entry<T> entry) {
            int index = entry.hash & (target.length - 1);
            entry.chained = target[index];
            target[index] = entry;
        }

        @SuppressWarnings({"unchecked", "rawtypes"})
        private static <T> @Nullable Entry<T>[] newBuckets(int capacity) {
            return new Entry[capacity];
        }
    }
}
