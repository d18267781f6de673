package io.github.reconciler4j.controller.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.support.Nanos;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Keeps the starts of two reconciliations of one request at least {@code minInterval} apart. Knows only requests that started
 * within the last interval. Thread-safe; calls {@code hashCode} and {@code equals} of requests under its lock, as the queue does.
 *
 * @param <R> the type of requests
 */
final class RequestIntervals<R> {

    private final long interval;
    private final TimeSource time;
    private final ReentrantLock lock = new ReentrantLock();

    /** The times of the latest starts, the oldest first. */
    @GuardedBy("lock")
    private final Map<R, Long> starts = new LinkedHashMap<>();

    /** Create one without starts, for an interval of more than zero. */
    RequestIntervals(Duration interval, TimeSource time) {
        this.interval = Nanos.of(interval);
        this.time = time;
    }

    /** Start a request, if it may start now. Return the time to wait before it may; zero if it has started. */
    Duration start(R request) {
        lock.lock();
        try {
            long now = time.nanoTime();
            removeOld(now);
            Long last = starts.putIfAbsent(request, now);
            return last == null ? Duration.ZERO : Duration.ofNanos(interval - (now - last));
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void removeOld(long now) {
        Iterator<Long> oldestFirst = starts.values().iterator();
        while (oldestFirst.hasNext() && now - oldestFirst.next() >= interval) {
            oldestFirst.remove();
        }
    }

    /** Forget a request that belongs to another process now. */
    void forget(R request) {
        lock.lock();
        try {
            starts.remove(request);
        } finally {
            lock.unlock();
        }
    }

    /** Return the number of requests that are known. */
    int size() {
        lock.lock();
        try {
            return starts.size();
        } finally {
            lock.unlock();
        }
    }
}
