package io.github.reconciler4j.workqueue;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a queue and what may happen to them; knows no threads. Every method is called with the lock of the queue
 * held, and calls no foreign code but {@code equals} of keys, and {@code equals} and {@code hashCode} of groups.
 *
 * <p>Invariants: the table holds exactly the entries that wait or run. An entry that is ready and not running is in the
 * lane of its priority; one that is ready and running is counted as held there; one that is delayed is in
 * {@code delays}; one that is running is in {@code running}.
 */
final class QueueState<T> {

    private final EntryTable<T> table = new EntryTable<>();
    private final Groups<T> groups = new Groups<>();
    private final EntryList<T> running = new EntryList<>();
    private final PriorityLabels labels = new PriorityLabels();
    private final Delays<T> delays = new Delays<>();
    private final GroupLimit limit;
    private final Lanes<T> lanes;
    private int becameReady;

    QueueState(PriorityAging aging, @Nullable Fairness<T> fairness) {
        this.limit = new GroupLimit(fairness);
        this.lanes = new Lanes<>(aging, fairness == null ? null : limit, labels::see);
    }

    /** There are so many workers now. */
    void workers(int workers) {
        limit.workers(workers);
    }

    /** The entry of a key, a new one if there is none; a new one must be made ready or delayed at once. */
    Entry<T> entry(T item, int hash, @Nullable Object group) {
        Entry<T> entry = table.get(item, hash);
        if (entry == null) {
            entry = new Entry<>(item, hash, group == null ? null : groups.join(group));
            table.put(entry);
        }
        return entry;
    }

    /** Adds an entry without delay. */
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

    /** Adds an entry that is due later; returns whether it was put in its place among the delayed ones. */
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

    /** Takes back a key that waits for a point in time; returns whether it did. */
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

    /** Makes everything ready that is due, in the order it was due. */
    void promote(long now) {
        Entry<T> entry = delays.first();
        while (entry != null && entry.time - now <= 0) {
            delays.remove(entry);
            becomeReady(entry, entry.time, now);
            entry = delays.first();
        }
    }

    /** Hands out the next entry; null if there is none, or none that may be handed out. */
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
            entry.group.started(lanes.handOuts());
        }
        return entry;
    }

    /** Ends the processing of a key; returns how long it took, or -1 if it was not being processed. */
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

    /** Drops everything that is not running. */
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

    /** Drops everything that waits for a point in time. */
    void dropDelayed() {
        delays.clear(entry -> {
            entry.waiting = Entry.Waiting.NOT;
            if (!entry.running) {
                discard(entry);
            }
        });
    }

    /** Whether an entry may be handed out now. */
    boolean hasNext() {
        return lanes.hasNext();
    }

    Delays<T> delays() {
        return delays;
    }

    Lanes<T> lanes() {
        return lanes;
    }

    EntryList<T> running() {
        return running;
    }

    /** The entries there are, waiting or running. */
    int size() {
        return table.size();
    }

    /** The number of ready entries that go by this label. */
    int depth(String label) {
        return lanes.stream()
                .filter(lane -> labels.labelOf(lane.priority).equals(label))
                .mapToInt(Lane::depth)
                .sum();
    }

    /** The time all running entries have taken so far. */
    long unfinishedNanos(long now) {
        long sum = 0;
        for (Entry<T> entry = running.first(); entry != null; entry = entry.next) {
            sum += Math.max(0, now - entry.startedAt);
        }
        return sum;
    }

    /** The time the entry that was started first has taken so far; 0 if none is running. */
    long longestRunningNanos(long now) {
        Entry<T> entry = running.first();
        return entry == null ? 0 : Math.max(0, now - entry.startedAt);
    }

    /** How many became ready since the last call. */
    int takeBecameReady() {
        int count = becameReady;
        becameReady = 0;
        return count;
    }

    /** The priority labels that are new since the last call; null if there are none. */
    @Nullable
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
}
