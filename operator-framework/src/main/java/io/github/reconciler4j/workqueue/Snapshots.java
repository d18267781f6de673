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

    private final long now;
    private final SortedMap<Integer, Integer> depth = new TreeMap<>(Comparator.reverseOrder());
    private final List<Pending<T>> inBackoff = new ArrayList<>();
    private final int running;
    private final int delayed;
    private final int backoff;
    private final @Nullable Running<T> longestRunning;
    private @Nullable Waiting<T> oldestWaiting;

    private Snapshots(QueueState<T> state, long now) {
        this.now = now;
        this.running = state.running().size();
        this.delayed = state.delays().size();
        this.backoff = state.delays().backoffSize();
        Entry<T> first = state.running().first();
        this.longestRunning =
                first == null ? null : new Running<>(first.item, first.runningPriority, since(first.startedAt));
    }

    private record Pending<T>(T item, int priority, Duration next) {}

    /** Reads everything that is guarded by the lock of the queue, which the caller holds. */
    static <T> Snapshots<T> readLocked(QueueState<T> state, long now, int backoffLimit) {
        Snapshots<T> snapshot = new Snapshots<>(state, now);
        state.lanes().stream().forEach(snapshot::readLane);
        for (Entry<T> entry : state.delays().firstInBackoff(backoffLimit)) {
            Duration next = Duration.ofNanos(Math.max(0, entry.time - now));
            snapshot.inBackoff.add(new Pending<>(entry.item, entry.priority, next));
        }
        return snapshot;
    }

    /** The snapshot; asks the limiter for the failures of keys, so the lock is not held. */
    WorkQueueSnapshot<T> build(String name, RateLimiter<T> limiter, boolean shuttingDown) {
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
                shuttingDown);
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
