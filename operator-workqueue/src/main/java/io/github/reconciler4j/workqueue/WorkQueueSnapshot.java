package io.github.reconciler4j.workqueue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The state of a queue at one moment. Immutable.
 *
 * @param <T> the type of keys
 * @since 0.1.0
 */
public final class WorkQueueSnapshot<T> {

    private final Reading<T> reading;
    private final String name;
    private final List<Backoff<T>> inBackoff;
    private final boolean shuttingDown;

    private WorkQueueSnapshot(Reading<T> reading, String name, List<Backoff<T>> inBackoff, boolean shuttingDown) {
        this.reading = reading;
        this.name = name;
        this.inBackoff = inBackoff;
        this.shuttingDown = shuttingDown;
    }

    /**
     * A key that is ready.
     *
     * @param waited how long it has been ready
     * @param <T> the type of keys
     * @since 0.1.0
     */
    public record Waiting<T>(T item, int priority, Duration waited) {}

    /**
     * A key that is being processed.
     *
     * @param running how long ago it was dequeued
     * @param <T> the type of keys
     * @since 0.1.0
     */
    public record Running<T>(T item, int priority, Duration running) {}

    /**
     * A key that failed and waits for its retry.
     *
     * @param retries the failures that the rate limiter has counted
     * @param next the time until the retry, zero if it is due
     * @param <T> the type of keys
     * @since 0.1.0
     */
    public record Backoff<T>(T item, int priority, int retries, Duration next) {}

    /**
     * Where one key is.
     *
     * @param running whether it is being processed
     * @param waitsFor what it waits for
     * @param time how long it has been ready, or how long it still waits; zero if it waits for nothing
     * @since 0.1.0
     */
    public record Position(boolean running, Wait waitsFor, Duration time) {}

    /**
     * What a key waits for.
     *
     * @since 0.1.0
     */
    public enum Wait {
        /** Nothing: it is being processed and has not been added since. */
        NOTHING,
        /** A worker, or the end of its own processing. */
        WORKER,
        /** A time that was asked for. */
        TIME,
        /** The delay of the rate limiter. */
        BACKOFF
    }

    /** Return the name of the queue. */
    public String name() {
        return name;
    }

    /** Return the number of ready keys by priority, highest first, including keys added again while being processed. */
    public SortedMap<Integer, Integer> depth() {
        return Collections.unmodifiableSortedMap(reading.depth);
    }

    /** Return the number of keys being processed. */
    public int running() {
        return reading.running;
    }

    /** Return the number of keys that wait for a time, including those in backoff. */
    public int delayed() {
        return reading.delayed;
    }

    /** Return the number of keys that wait because of the rate limiter. */
    public int backoff() {
        return reading.backoff;
    }

    /** Return the key that has been ready longest of those that are next in their priority and group. */
    public Optional<Waiting<T>> oldestWaiting() {
        return Optional.ofNullable(reading.oldestWaiting);
    }

    /** Return the key that has been processed longest. */
    public Optional<Running<T>> longestRunning() {
        return Optional.ofNullable(reading.longestRunning);
    }

    /** Return keys that wait because of the rate limiter, those with the earliest retry first, up to the given limit. */
    public List<Backoff<T>> inBackoff() {
        return inBackoff;
    }

    /** Return whether the queue accepts no more keys. */
    public boolean shuttingDown() {
        return shuttingDown;
    }

    @Override
    public String toString() {
        return "WorkQueueSnapshot[name=" + name + ", depth=" + reading.depth + ", running=" + reading.running
                + ", delayed=" + reading.delayed + ", backoff=" + reading.backoff + ", shuttingDown=" + shuttingDown
                + "]";
    }

    /** What is read under the lock of the queue; the rate limiter is called afterwards without it. */
    static final class Reading<T> {

        private final long now;
        private final SortedMap<Integer, Integer> depth = new TreeMap<>(Comparator.reverseOrder());
        private final List<Pending<T>> inBackoff = new ArrayList<>();
        private final int running;
        private final int delayed;
        private final int backoff;
        private final @Nullable Running<T> longestRunning;
        private @Nullable Waiting<T> oldestWaiting;

        private record Pending<T>(T item, int priority, Duration next) {}

        /** Read the state; the caller holds the lock of the queue. */
        Reading(QueueState<T> state, long now, int backoffLimit) {
            this.now = now;
            this.running = state.running().size();
            this.delayed = state.delays().size();
            this.backoff = state.delays().backoffSize();
            Entry<T> first = state.running().first();
            this.longestRunning =
                    first == null ? null : new Running<>(first.item, first.runningPriority, since(first.startedAt));
            state.lanes().stream().forEach(this::readLane);
            for (Entry<T> entry : state.delays().firstInBackoff(backoffLimit)) {
                Duration next = Duration.ofNanos(Math.max(0, entry.time - now));
                inBackoff.add(new Pending<>(entry.item, entry.priority, next));
            }
        }

        private void readLane(Lanes.Lane<T> lane) {
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

        /** Return the snapshot. Calls the rate limiter, so the lock is not held. */
        WorkQueueSnapshot<T> build(String name, RateLimiter<T> limiter, boolean shuttingDown) {
            List<Backoff<T>> backoffs = inBackoff.stream()
                    .map(it -> new Backoff<>(it.item(), it.priority(), limiter.retries(it.item()), it.next()))
                    .toList();
            return new WorkQueueSnapshot<>(this, name, backoffs, shuttingDown);
        }
    }
}
