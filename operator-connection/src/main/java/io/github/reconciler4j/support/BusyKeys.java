package io.github.reconciler4j.support;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Finds the few keys that occur far more often than the others, in bounded memory however many keys there are: those that occur
 * more than {@value #PER_SECOND} times a second over a window of ten seconds. Rates are never too high, and can be a little too
 * low; a key that occurs less often than the 32nd part of all occurrences can be missed.
 *
 * <p>An occurrence costs a few nanoseconds unless its key, or one that shares its place in a table of 1024 counts, is busy. Of
 * those, every eighth occurrence is counted by key, with the space-saving algorithm: a key without a counter takes over the
 * lowest one, together with its count, which is subtracted from its rate later.
 *
 * <p>Thread-safe. Recording never waits for another thread; an occurrence that would have to is left out.
 *
 * @param <K> the type of the keys, which have {@code equals} and {@code hashCode}
 * @since 0.1.0
 */
public final class BusyKeys<K> {

    /** How often a second a key occurs at least to be busy. */
    public static final int PER_SECOND = 10;

    private static final long WINDOW = TimeUnit.SECONDS.toNanos(10);
    private static final int COUNTERS = 32;
    private static final int PLACES = 1024;

    /** One of so many occurrences at a place is counted by key. A power of two. */
    private static final int SAMPLE = 8;

    private final TimeSource time;
    private final ReentrantLock lock = new ReentrantLock();

    /** Written without a lock: a lost increment changes a rate a little. */
    private final int[] places = new int[PLACES];

    @GuardedBy("lock")
    private final Map<K, Counter> counters = new HashMap<>();

    @GuardedBy("lock")
    private long startedAt;

    @GuardedBy("lock")
    private long endedAt;

    @GuardedBy("lock")
    private List<Rate<K>> busy = List.of();

    /**
     * How often a key occurs. Immutable.
     *
     * @param key the key
     * @param perSecond at least how often a second it occurred, on average over a window of ten seconds or more
     * @since 0.1.0
     */
    public record Rate<K>(K key, long perSecond) {

        /** Return for instance {@code team-a/web: 250/s}. */
        @Override
        public String toString() {
            return Texts.of(key) + ": " + perSecond + "/s";
        }
    }

    private static final class Counter {
        private long count;
        private final long takenOver;

        Counter(long takenOver) {
            this.count = takenOver;
            this.takenOver = takenOver;
        }
    }

    /** Create it with the clock of its windows. */
    public BusyKeys(TimeSource time) {
        this.time = time;
        this.startedAt = time.nanoTime();
        this.endedAt = startedAt;
    }

    /**
     * Record that a key occurred.
     *
     * @return the busy keys of a window that ended just now, the busiest first, for the log; almost always none
     */
    public List<Rate<K>> record(K key) {
        int hash = key.hashCode();
        int count = ++places[(hash ^ hash >>> 16) & PLACES - 1];
        if (count % SAMPLE == 0 && lock.tryLock()) {
            try {
                return count(key);
            } finally {
                lock.unlock();
            }
        }
        return List.of();
    }

    /** Count a sample of a key; return what was busy in the window if it has ended. */
    @GuardedBy("lock")
    private List<Rate<K>> count(K key) {
        long now = time.nanoTime();
        List<Rate<K>> ended = List.of();
        if (now - startedAt >= WINDOW) {
            busy = rates(now - startedAt);
            ended = busy;
            counters.clear();
            Arrays.fill(places, 0);
            startedAt = now;
            endedAt = now;
        }
        Counter counter = counters.get(key);
        if (counter == null) {
            counter = new Counter(counters.size() < COUNTERS ? 0 : removeLowest());
            counters.put(key, counter);
        }
        counter.count += SAMPLE;
        return ended;
    }

    @GuardedBy("lock")
    private long removeLowest() {
        Map.Entry<K, Counter> lowest = null;
        for (Map.Entry<K, Counter> entry : counters.entrySet()) {
            lowest = lowest == null || entry.getValue().count < lowest.getValue().count ? entry : lowest;
        }
        if (lowest == null) {
            return 0;
        }
        counters.remove(lowest.getKey());
        return lowest.getValue().count;
    }

    @GuardedBy("lock")
    private List<Rate<K>> rates(long nanos) {
        List<Rate<K>> rates = new ArrayList<>();
        counters.forEach((key, counter) -> {
            long perSecond = (long) ((counter.count - counter.takenOver) * 1e9 / nanos);
            if (perSecond >= PER_SECOND) {
                rates.add(new Rate<>(key, perSecond));
            }
        });
        rates.sort(Comparator.comparingLong((Rate<K> rate) -> rate.perSecond()).reversed());
        return List.copyOf(rates);
    }

    /** Return the busy keys of the last window, the busiest first; none if it ended more than two windows ago. */
    public List<Rate<K>> now() {
        lock.lock();
        try {
            return time.nanoTime() - endedAt > 2 * WINDOW ? List.of() : busy;
        } finally {
            lock.unlock();
        }
    }
}
