package io.github.reconciler4j.workqueue;

import io.github.reconciler4j.workqueue.WorkQueueSnapshot.Backoff;
import io.github.reconciler4j.workqueue.WorkQueueSnapshot.Running;
import io.github.reconciler4j.workqueue.WorkQueueSnapshot.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Makes one snapshot: reads the queue under its lock, and asks the limiter afterwards without it. */
final class Snapshots<T> {

    private final String name;
    private final long now;
    private final SortedMap<Integer, Integer> depth = new TreeMap<>(Comparator.reverseOrder());
    private final List<Pending<T>> inBackoff = new ArrayList<>();
    private int running;
    private int delayed;
    private int backoff;
    private @Nullable Waiting<T> oldestWaiting;
    private @Nullable Running<T> longestRunning;
    private boolean closed;

    Snapshots(String name, long now) {
        this.name = name;
        this.now = now;
    }

    private record Pending<T>(T item, int priority, Duration next) {}

    /** Reads everything that is guarded by the lock of the queue, which the caller holds. */
    void readLocked(QueueState<T> state, int backoffLimit, boolean isClosed) {
        closed = isClosed;
        running = state.running().size();
        delayed = state.delays().size();
        backoff = state.delays().backoffSize();
        state.lanes().forEach(this::readLane);
        Entry<T> first = state.running().first();
        if (first != null) {
            longestRunning = new Running<>(first.item, first.runningPriority, since(first.startedAt));
        }
        for (Entry<T> entry : state.delays().firstInBackoff(backoffLimit)) {
            inBackoff.add(new Pending<>(entry.item, entry.priority, Duration.ofNanos(Math.max(0, entry.time - now))));
        }
    }

    /** The snapshot; asks the limiter for the failures of keys, so the lock is not held. */
    WorkQueueSnapshot<T> build(RateLimiter<T> limiter) {
        List<Backoff<T>> backoffs = inBackoff.stream()
                .map(it -> new Backoff<>(it.item(), it.priority(), limiter.retries(it.item()), it.next()))
                .toList();
        return new WorkQueueSnapshot<>(
                name,
                Collections.unmodifiableSortedMap(depth),
                running,
                delayed,
                backoff,
                Optional.ofNullable(oldestWaiting),
                Optional.ofNullable(longestRunning),
                backoffs,
                closed);
    }

    private void readLane(Lane<T> lane) {
        if (lane.depth() > 0) {
            depth.put(lane.priority, lane.depth());
        }
        Entry<T> entry = lane.oldest();
        if (entry != null) {
            Duration waited = since(entry.time);
            if (oldestWaiting == null || waited.compareTo(oldestWaiting.waited()) > 0) {
                oldestWaiting = new Waiting<>(entry.item, entry.priority, waited);
            }
        }
    }

    private Duration since(long time) {
        return Duration.ofNanos(Math.max(0, now - time));
    }
}
