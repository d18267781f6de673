package io.github.reconciler4j.workqueue;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A key the queue knows. It is being processed, or waits (ready or for a point in time), or both; there is no entry for
 * a key that does neither. It is itself the node of the hash table, of the lists and of the heap it is in, so that a
 * key costs one object.
 *
 * <p>All fields are guarded by the lock of the queue, except that the thread that took the entry reads {@code item},
 * {@code runningPriority} and {@code waitedNanos}, which nobody writes until that thread has called done.
 */
final class Entry<T> extends IndexedHeap.Node implements WorkItem<T> {

    /** What an entry waits for. */
    enum Waiting {
        /** Nothing: it is being processed and was not added since. */
        NOT,
        /** A worker; or the end of its own processing, if it is running. */
        READY,
        /** A point in time. */
        DELAYED
    }

    final T item;
    final int hash;
    final @Nullable Group<T> group;

    /** Next in the same bucket of the hash table. */
    @Nullable
    Entry<T> chained;

    /** Neighbours in the list of its lane, or in that of the running entries if it is running. */
    @Nullable
    Entry<T> previous;

    @Nullable
    Entry<T> next;

    Waiting waiting = Waiting.NOT;

    boolean running;

    /** Whether it waits because of the rate limiter; only if delayed. */
    boolean backoff;

    /** Of the waiting, not of the running. */
    int priority;

    /** When it is due if it is delayed; since when it is ready if it is ready. */
    long time;

    /** Orders entries due at the same time. */
    long sequence;

    int runningPriority;
    long waitedNanos;
    long startedAt;

    Entry(T item, int hash, @Nullable Group<T> group) {
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

    /** The key and its priority; for people. */
    @Override
    public String toString() {
        return item + " (priority " + runningPriority + ")";
    }
}
