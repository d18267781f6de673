package io.github.reconciler4j.sample;

import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;

/** The time of the system and the hours that a test adds to it. It can stand still. Thread-safe. */
final class AlertClock implements TimeSource {

    private static final long LONGEST_WAIT = TimeUnit.MILLISECONDS.toNanos(5);

    private final long origin = System.nanoTime();
    private final Instant start = Instant.now();
    private final AtomicLong added = new AtomicLong();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    /** The names of the threads that wait for a time. */
    private final Map<String, Boolean> waiting = new ConcurrentHashMap<>();

    /** The time at which it stands still; zero if it runs. */
    private volatile long stoppedAt;

    /** Adds time, also while it stands still: it catches up later. */
    void advance(Duration duration) {
        added.addAndGet(duration.toNanos());
        listeners.forEach(Runnable::run);
    }

    /** Adds time if the thread of that name waits for it, and not while it does something, which would seem to take so long. */
    void advanceFor(String thread, Duration duration) {
        waiting.computeIfPresent(thread, (name, waits) -> { // the thread cannot leave meanwhile
            added.addAndGet(duration.toNanos());
            return waits;
        });
        listeners.forEach(Runnable::run);
    }

    void stop() {
        stoppedAt = nanoTime();
    }

    void resume() {
        stoppedAt = 0;
        listeners.forEach(Runnable::run);
    }

    @Override
    public long nanoTime() {
        long stopped = stoppedAt;
        return stopped != 0 ? stopped : System.nanoTime() + added.get();
    }

    @Override
    public Instant instant() {
        return start.plusNanos(nanoTime() - origin);
    }

    @Override
    public void onJump(Runnable listener) {
        listeners.add(listener);
    }

    @Override
    public void await(Condition condition, long nanos) throws InterruptedException {
        String thread = Thread.currentThread().getName();
        waiting.put(thread, true);
        try {
            condition.awaitNanos(Math.min(nanos, LONGEST_WAIT));
        } finally {
            waiting.remove(thread);
        }
    }
}
