package io.github.reconciler4j.workqueue;

import io.github.reconciler4j.support.Nanos;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The ready entries: one lane per priority, highest first, and the choice between them. Meant for a few priorities: the
 * cost of an operation grows with the number of distinct priorities that have entries. Not thread-safe.
 */
final class Lanes<T> {

    /** Empty lanes are kept up to this number of lanes. */
    private static final int KEPT = 16;

    private final FairLane.@Nullable Limit limit;
    private final int every;
    private final long overdueAfter;
    private final IntConsumer created;
    private final List<Lane<T>> lanes = new ArrayList<>();
    private int size;
    private int held;
    private long dequeues;
    private long lastAgedDequeue;

    /**
     * Create lanes.
     *
     * @param limit the limit of groups; null without groups
     * @param created called with the priority of each new lane
     */
    Lanes(PriorityAging aging, FairLane.@Nullable Limit limit, IntConsumer created) {
        this.limit = limit;
        this.every = aging.every();
        this.overdueAfter = Nanos.of(aging.after());
        this.created = created;
    }

    /** Return the number of ready entries, including those that are still running. */
    int depth() {
        return size + held;
    }

    void add(Entry<T> entry, long now) {
        lane(entry.priority).add(entry, now);
        size++;
    }

    void remove(Entry<T> entry) {
        Lane<T> lane = lane(entry.priority);
        lane.remove(entry);
        size--;
        drop(lane);
    }

    /** Count a ready entry that is still running. */
    void hold(int priority) {
        lane(priority).held++;
        held++;
    }

    /** Undo {@link #hold}. */
    void release(int priority) {
        Lane<T> lane = lane(priority);
        lane.held--;
        held--;
        drop(lane);
    }

    /** Return whether {@link #poll} would return an entry. */
    boolean hasNext() {
        return size > 0 && (limit == null || top() >= 0);
    }

    /** Remove and return the next entry; null if no entry is within the limit of its group. */
    @Nullable
    Entry<T> poll(long now) {
        int top = size == 0 ? -1 : top();
        if (top < 0) {
            return null;
        }
        dequeues++;
        Lane<T> lane = lanes.get(top);
        Lane<T> overdue = lane.size == size ? null : overdue(top + 1, now);
        if (overdue != null) {
            lane = overdue;
            lastAgedDequeue = dequeues;
        }
        lane.servedAt = dequeues;
        Entry<T> entry = lane.next();
        if (entry != null) {
            remove(entry);
        }
        return entry;
    }

    /** Remove and return any entry, regardless of the limit of its group; null if all lanes are empty. */
    @Nullable
    Entry<T> pollAny() {
        for (Lane<T> lane : lanes) {
            Entry<T> entry = lane.any();
            if (entry != null) {
                remove(entry);
                return entry;
            }
        }
        return null;
    }

    /** Return the number of dequeues so far. */
    long dequeues() {
        return dequeues;
    }

    /** Return all lanes, highest priority first. */
    Stream<Lane<T>> stream() {
        return lanes.stream();
    }

    private int top() {
        for (int i = 0; i < lanes.size(); i++) {
            Lane<T> lane = lanes.get(i);
            if (lane.size > 0 && lane.next() != null) {
                return i;
            }
        }
        return -1;
    }

    /** Return the overdue lane to serve now, from this index; null if no lane is overdue or it is not its turn. */
    private @Nullable Lane<T> overdue(int from, long now) {
        if (every == 0 || dequeues - lastAgedDequeue < every) {
            return null;
        }
        Lane<T> chosen = null;
        for (int i = from; i < lanes.size(); i++) {
            Lane<T> lane = lanes.get(i);
            boolean waits = lane.size > 0 && now - lane.occupiedSince >= overdueAfter && lane.next() != null;
            if (waits && (chosen == null || lane.servedAt < chosen.servedAt)) {
                chosen = lane;
            }
        }
        return chosen;
    }

    private Lane<T> lane(int priority) {
        int low = 0;
        int high = lanes.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            Lane<T> lane = lanes.get(middle);
            if (lane.priority == priority) {
                return lane;
            }
            if (lane.priority > priority) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        Lane<T> lane = limit == null ? new FifoLane<>(priority) : new FairLane<>(priority, limit);
        lanes.add(low, lane);
        created.accept(priority);
        return lane;
    }

    private void drop(Lane<T> lane) {
        if (lanes.size() > KEPT && lane.size == 0 && lane.held == 0) {
            lanes.remove(lane);
        }
    }

    /** The ready entries of one priority. */
    abstract static class Lane<T> {

        final int priority;

        /** Ready entries that are still running; they are added when they are done. */
        private int held;

        /** Since when there has always been an entry; valid only if there is one. */
        private long occupiedSince;

        /** The number of the last dequeue from this lane. */
        private long servedAt;

        private int size;

        Lane(int priority) {
            this.priority = priority;
        }

        /** Return the number of ready entries, including those that are still running. */
        final int depth() {
            return size + held;
        }

        private void add(Entry<T> entry, long now) {
            if (size == 0) {
                occupiedSince = now;
            }
            append(entry);
            size++;
        }

        private void remove(Entry<T> entry) {
            unlink(entry);
            size--;
        }

        /** Return the next entry to dequeue; null if no entry is within the limit of its group. */
        abstract @Nullable Entry<T> next();

        /** Return any entry; null only if the lane is empty. */
        abstract @Nullable Entry<T> any();

        /** Return the entry that has been ready longest of those that are first in their group. */
        abstract @Nullable Entry<T> oldest();

        abstract void append(Entry<T> entry);

        abstract void unlink(Entry<T> entry);
    }

    /** A lane without groups. */
    private static final class FifoLane<T> extends Lane<T> {

        private final Entry.Linked<T> entries = new Entry.Linked<>();

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
}
