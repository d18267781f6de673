package io.github.reconciler4j.workqueue;

import io.github.reconciler4j.workqueue.Entry.EntryTable;
import io.github.reconciler4j.workqueue.WorkQueueSnapshot.Position;
import io.github.reconciler4j.workqueue.WorkQueueSnapshot.Wait;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a queue and their transitions; a sequential data structure that knows no threads. Every method is called with
 * the lock of the queue held, and calls no foreign code but {@code equals} of keys, and {@code equals} and {@code hashCode}
 * of groups.
 *
 * <p>Invariants: the table holds exactly the entries that wait or run. An entry that is ready and not running is in the
 * lane of its priority; one that is ready and running is counted as held there; one that is delayed is in
 * {@code delays}; one that is running is in {@code running}.
 */
final class QueueState<T> {

    private final EntryTable<T> table = new EntryTable<>();
    private final FairLane.Groups<T> groups = new FairLane.Groups<>();
    private final Entry.Linked<T> running = new Entry.Linked<>();
    private final PriorityLabels labels = new PriorityLabels();
    private final Delays<T> delays = new Delays<>();
    private final FairLane.@Nullable Limit limit;
    private final Lanes<T> lanes;
    private int becameReady;

    QueueState(PriorityAging aging, @Nullable Fairness<T> fairness) {
        this.limit = fairness == null ? null : new FairLane.Limit(fairness);
        this.lanes = new Lanes<>(aging, limit, labels::see);
    }

    /** Set the number of workers. */
    void workers(int workers) {
        if (limit != null) {
            limit.workers(workers);
        }
    }

    /** Return the entry of a key. A new one must be made ready or delayed at once. */
    Entry<T> entry(T item, int hash, @Nullable Object group) {
        Entry<T> entry = table.get(item, hash);
        if (entry == null) {
            entry = new Entry<>(item, hash, group == null ? null : groups.join(group));
            table.put(entry);
        }
        return entry;
    }

    /** Add an entry without delay. */
    void makeReady(Entry<T> entry, int priority, long now) {
        switch (entry.waiting) {
            case READY -> raise(entry, priority, now);
            case DELAYED -> {
                delays.remove(entry);
                entry.priority = Math.max(entry.priority, priority);
                becomeReady(entry, now, now);
            }
            case NOT -> {
                entry.priority = priority;
                becomeReady(entry, now, now);
            }
        }
    }

    /** Add an entry that is due later; return whether its place among the delayed ones has changed. */
    boolean delay(Entry<T> entry, int priority, long due, boolean backoff, long now) {
        if (entry.waiting == Entry.Waiting.READY) {
            raise(entry, priority, now);
            return false;
        }
        if (entry.waiting == Entry.Waiting.NOT) {
            entry.priority = priority;
            entry.waiting = Entry.Waiting.DELAYED;
        } else {
            entry.priority = Math.max(entry.priority, priority);
            if (due - entry.time >= 0) {
                return false;
            }
            delays.remove(entry);
        }
        delays.add(entry, due, backoff);
        return true;
    }

    /** Cancel a delay; return whether there was one. */
    boolean cancel(T item, int hash) {
        Entry<T> entry = table.get(item, hash);
        if (entry == null || entry.waiting != Entry.Waiting.DELAYED) {
            return false;
        }
        delays.remove(entry);
        entry.waiting = Entry.Waiting.NOT;
        if (!entry.running) {
            discard(entry);
        }
        return true;
    }

    /** Remove an entry, unless it is running; then remove that it waits. Return whether it waited. */
    boolean remove(T item, int hash) {
        Entry<T> entry = table.get(item, hash);
        if (entry == null || entry.waiting != Entry.Waiting.READY) {
            return cancel(item, hash);
        }
        entry.waiting = Entry.Waiting.NOT;
        if (entry.running) {
            lanes.release(entry.priority);
        } else {
            lanes.remove(entry);
            discard(entry);
        }
        return true;
    }

    /** Return the keys that wait. */
    List<T> waiting() {
        List<T> waiting = new ArrayList<>();
        table.forEach(entry -> {
            if (entry.waiting != Entry.Waiting.NOT) {
                waiting.add(entry.item);
            }
        });
        return waiting;
    }

    /** Return where a key is; empty if there is no entry of it. */
    Optional<Position> find(T item, int hash, long now) {
        Entry<T> entry = table.get(item, hash);
        if (entry == null) {
            return Optional.empty();
        }
        return Optional.of(
                switch (entry.waiting) {
                    case NOT -> new Position(entry.running, Wait.NOTHING, Duration.ZERO);
                    case READY -> new Position(entry.running, Wait.WORKER, atLeastZero(now - entry.time));
                    case DELAYED ->
                        new Position(
                                entry.running, entry.backoff ? Wait.BACKOFF : Wait.TIME, atLeastZero(entry.time - now));
                });
    }

    private static Duration atLeastZero(long nanos) {
        return Duration.ofNanos(Math.max(0, nanos));
    }

    /** Make all entries ready that are due, in the order of their times. */
    void promote(long now) {
        Entry<T> entry = delays.first();
        while (entry != null && entry.time - now <= 0) {
            delays.remove(entry);
            becomeReady(entry, entry.time, now);
            entry = delays.first();
        }
    }

    /** Dequeue the next entry; null if no entry is ready and within the limit of its group. */
    @Nullable
    Entry<T> poll(long now) {
        Entry<T> entry = lanes.poll(now);
        if (entry == null) {
            return null;
        }
        entry.waiting = Entry.Waiting.NOT;
        entry.running = true;
        entry.runningPriority = entry.priority;
        entry.waitedNanos = Math.max(0, now - entry.time);
        entry.startedAt = now;
        running.addLast(entry);
        if (entry.group != null) {
            entry.group.started(lanes.dequeues());
        }
        return entry;
    }

    /** End the processing of a key; return how long it took, or -1 if it was not being processed. */
    long done(T item, int hash, long now) {
        Entry<T> entry = table.get(item, hash);
        if (entry == null || !entry.running) {
            return -1;
        }
        running.remove(entry);
        entry.running = false;
        if (entry.group != null) {
            entry.group.finished();
        }
        if (entry.waiting == Entry.Waiting.READY) {
            lanes.release(entry.priority);
            lanes.add(entry, now);
        } else if (entry.waiting == Entry.Waiting.NOT) {
            discard(entry);
        }
        return Math.max(0, now - entry.startedAt);
    }

    /** Drop all entries that are not running. */
    void dropWaiting() {
        dropDelayed();
        for (Entry<T> entry = running.first(); entry != null; entry = entry.next) {
            if (entry.waiting == Entry.Waiting.READY) {
                lanes.release(entry.priority);
                entry.waiting = Entry.Waiting.NOT;
            }
        }
        for (Entry<T> entry = lanes.pollAny(); entry != null; entry = lanes.pollAny()) {
            entry.waiting = Entry.Waiting.NOT;
            discard(entry);
        }
    }

    /** Drop all delays. */
    void dropDelayed() {
        for (Entry<T> entry = delays.first(); entry != null; entry = delays.first()) {
            delays.remove(entry);
            entry.waiting = Entry.Waiting.NOT;
            if (!entry.running) {
                discard(entry);
            }
        }
    }

    /** Return whether {@link #poll} would return an entry. */
    boolean hasNext() {
        return lanes.hasNext();
    }

    Delays<T> delays() {
        return delays;
    }

    Lanes<T> lanes() {
        return lanes;
    }

    Entry.Linked<T> running() {
        return running;
    }

    /** Return the number of entries, waiting or running. */
    int size() {
        return table.size();
    }

    /** Return the number of ready entries with this label. */
    int depth(String label) {
        return lanes.stream()
                .filter(lane -> labels.labelOf(lane.priority).equals(label))
                .mapToInt(Lanes.Lane::depth)
                .sum();
    }

    /** Return how long all running entries have taken so far, in total. */
    long unfinishedNanos(long now) {
        long sum = 0;
        for (Entry<T> entry = running.first(); entry != null; entry = entry.next) {
            sum += Math.max(0, now - entry.startedAt);
        }
        return sum;
    }

    /** Return how long the oldest running entry has taken so far; 0 if none is running. */
    long longestRunningNanos(long now) {
        Entry<T> entry = running.first();
        return entry == null ? 0 : Math.max(0, now - entry.startedAt);
    }

    /** Return how many entries became ready since the last call. */
    int takeBecameReady() {
        int count = becameReady;
        becameReady = 0;
        return count;
    }

    /** Return whether there are priority labels that {@link #takeFreshLabels} has not returned. */
    boolean hasFreshLabels() {
        return !labels.fresh.isEmpty();
    }

    /** Return the priority labels that are new since the last call. */
    List<String> takeFreshLabels() {
        return labels.takeFresh();
    }

    private void becomeReady(Entry<T> entry, long readySince, long now) {
        entry.waiting = Entry.Waiting.READY;
        entry.time = readySince;
        becameReady++;
        if (entry.running) {
            lanes.hold(entry.priority);
        } else {
            lanes.add(entry, now);
        }
    }

    private void raise(Entry<T> entry, int priority, long now) {
        if (priority <= entry.priority) {
            return;
        }
        if (entry.running) {
            lanes.release(entry.priority);
            entry.priority = priority;
            lanes.hold(priority);
        } else {
            lanes.remove(entry);
            entry.priority = priority;
            lanes.add(entry, now);
        }
    }

    private void discard(Entry<T> entry) {
        table.remove(entry);
        if (entry.group != null) {
            groups.leave(entry.group);
        }
    }

    /**
     * The entries that wait for a time, the earliest first; those due at the same time in the order they were added.
     * Entries in backoff have their own heap, so that a snapshot finds them without looking at all others.
     */
    static final class Delays<T> {

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

        /** Return the entry that is due next. */
        @Nullable
        Entry<T> first() {
            Entry<T> one = scheduled.peek();
            Entry<T> other = backoff.peek();
            if (one == null || other == null) {
                return one == null ? other : one;
            }
            return before(one, other) ? one : other;
        }

        private void add(Entry<T> entry, long due, boolean inBackoff) {
            entry.time = due;
            entry.sequence = sequence++;
            entry.backoff = inBackoff;
            heapOf(entry).add(entry);
        }

        private void remove(Entry<T> entry) {
            heapOf(entry).remove(entry);
            entry.backoff = false;
        }

        /** Return the entries in backoff that are due next. */
        List<Entry<T>> firstInBackoff(int limit) {
            return backoff.first(limit);
        }

        private IndexedHeap<Entry<T>> heapOf(Entry<T> entry) {
            return entry.backoff ? backoff : scheduled;
        }

        private static <T> boolean before(Entry<T> one, Entry<T> other) {
            long difference = one.time - other.time;
            return difference < 0 || difference == 0 && one.sequence < other.sequence;
        }
    }

    /** Bounds the number of distinct values of the metrics label {@code priority}. */
    private static final class PriorityLabels {

        private static final int MAX = 25;

        private final Set<Integer> known = new HashSet<>();
        private boolean exceeded;
        private List<String> fresh = List.of();

        /** Register a priority. */
        void see(int priority) {
            if (known.contains(priority)) {
                return;
            }
            if (known.size() < MAX) {
                known.add(priority);
                announce(Integer.toString(priority));
            } else if (!exceeded) {
                exceeded = true;
                announce(WorkQueueMetrics.OTHER_PRIORITIES);
            }
        }

        String labelOf(int priority) {
            return known.contains(priority) ? Integer.toString(priority) : WorkQueueMetrics.OTHER_PRIORITIES;
        }

        private List<String> takeFresh() {
            List<String> taken = fresh;
            fresh = List.of();
            return taken;
        }

        private void announce(String label) {
            List<String> announced = new ArrayList<>(fresh);
            announced.add(label);
            fresh = announced;
        }
    }
}
