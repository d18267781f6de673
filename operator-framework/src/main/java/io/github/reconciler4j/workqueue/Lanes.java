package io.github.reconciler4j.workqueue;

import io.github.reconciler4j.support.Nanos;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The lanes, highest priority first, and the choice between them. Meant for a handful of priorities: the cost of an
 * operation grows with the number of distinct ones that are waiting. Not thread-safe.
 */
final class Lanes<T> {

    /** Empty lanes are kept for the next use up to this number of lanes. */
    private static final int KEPT = 16;

    private final @Nullable GroupLimit limit;
    private final int oneOf;
    private final long overdueAfter;
    private final IntConsumer created;
    private final List<Lane<T>> lanes = new ArrayList<>();
    private int size;
    private int held;
    private long handOuts;
    private long lastAgedHandOut;

    Lanes(PriorityAging aging, @Nullable GroupLimit limit, IntConsumer created) {
        this.limit = limit;
        this.oneOf = aging.oneOf();
        this.overdueAfter = Nanos.of(aging.after());
        this.created = created;
    }

    /** Ready entries, those still running included. */
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

    /** Counts a ready entry that is still running. */
    void hold(int priority) {
        lane(priority).held++;
        held++;
    }

    /** Ends {@link #hold}. */
    void release(int priority) {
        Lane<T> lane = lane(priority);
        lane.held--;
        held--;
        drop(lane);
    }

    /** Whether {@link #poll} would find something. */
    boolean hasNext() {
        return size > 0 && (limit == null || top() >= 0);
    }

    /** Removes the entry to hand out now; null if there is none, or none that may be handed out. */
    @Nullable
    Entry<T> poll(long now) {
        int top = size == 0 ? -1 : top();
        if (top < 0) {
            return null;
        }
        handOuts++;
        Lane<T> lane = lanes.get(top);
        Lane<T> overdue = lane.size() == size ? null : overdue(top + 1, now);
        if (overdue != null) {
            lane = overdue;
            lastAgedHandOut = handOuts;
        }
        lane.servedAt = handOuts;
        Entry<T> entry = lane.next();
        if (entry != null) {
            remove(entry);
        }
        return entry;
    }

    /** Removes some entry, whether it may be handed out or not; null only if there is none. */
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

    /** The number of hand-outs so far. */
    long handOuts() {
        return handOuts;
    }

    /** All lanes, highest priority first. */
    Stream<Lane<T>> stream() {
        return lanes.stream();
    }

    private int top() {
        for (int i = 0; i < lanes.size(); i++) {
            Lane<T> lane = lanes.get(i);
            if (lane.size() > 0 && lane.next() != null) {
                return i;
            }
        }
        return -1;
    }

    /** The overdue lane to serve now, from this index on; null if there is none or it is not its turn. */
    private @Nullable Lane<T> overdue(int from, long now) {
        if (oneOf == 0 || handOuts - lastAgedHandOut < oneOf) {
            return null;
        }
        Lane<T> chosen = null;
        for (int i = from; i < lanes.size(); i++) {
            Lane<T> lane = lanes.get(i);
            boolean waits = lane.size() > 0 && now - lane.occupiedSince >= overdueAfter && lane.next() != null;
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
        Lane<T> lane = Lane.create(priority, limit);
        lanes.add(low, lane);
        created.accept(priority);
        return lane;
    }

    private void drop(Lane<T> lane) {
        if (lanes.size() > KEPT && lane.size() == 0 && lane.held == 0) {
            lanes.remove(lane);
        }
    }
}
