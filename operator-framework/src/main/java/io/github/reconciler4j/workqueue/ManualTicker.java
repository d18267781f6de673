package io.github.reconciler4j.workqueue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A time that stands still until it is told to move: for tests of anything that waits. Begins at zero. Safe for use by
 * many threads.
 *
 * <pre>{@code
 * ManualTicker ticker = new ManualTicker();
 * WorkQueue<String> queue = WorkQueue.create(WorkQueueOptions.<String>defaults("test").withTicker(ticker));
 * queue.addAfter("later", Duration.ofMinutes(5), WorkQueue.DEFAULT_PRIORITY);
 * ticker.advance(Duration.ofMinutes(5));
 * queue.take(); // returns at once
 * }</pre>
 *
 * @since 0.1.0
 */
public final class ManualTicker implements Ticker {

    private final AtomicLong now = new AtomicLong();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    @Override
    public long nanos() {
        return now.get();
    }

    @Override
    public void onJump(Runnable listener) {
        listeners.add(listener);
    }

    /**
     * Moves the time, and wakes everybody who waits for a point in time.
     *
     * @throws IllegalArgumentException if the step is negative
     */
    public void advance(Duration step) {
        if (step.isNegative()) {
            throw new IllegalArgumentException("'step' must not be negative, was " + step);
        }
        now.addAndGet(step.toNanos());
        listeners.forEach(Runnable::run);
    }
}
