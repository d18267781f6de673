package io.github.reconciler4j.workqueue;

import java.time.Duration;
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
}
