package io.github.reconciler4j.support.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.support.Nanos;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Bounds how often one part of an operator sends requests, whatever the API server answers: what a healthy server gets, and besides at
 * most 10 requests in any 10 seconds and one in 2 seconds in the long run. So no answer that looks like success, no conflict and no failure
 * leads to a storm, also an answer that is not known yet.
 *
 * <p>Waits on the monotonic time. A machine that was suspended does not make up for what it has missed. Thread-safe; a wait can be
 * interrupted, and holds no lock.
 *
 * @since 0.1.0
 */
public final class RetryPace {

    private static final Duration INTERVAL = Duration.ofSeconds(2);
    private static final int BURST = 4;

    private final TimeSource time;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final RequestBound bound;

    @GuardedBy("lock")
    private int free;

    /**
     * Create a pace.
     *
     * @param healthy how many requests a healthy server gets; they are not bounded
     */
    public RetryPace(TimeSource time, int healthy) {
        this(time, INTERVAL, healthy);
    }

    /**
     * Create a pace with another interval, for tests.
     *
     * @param interval the time between two requests in the long run
     * @param healthy how many requests a healthy server gets; they are not bounded
     */
    public RetryPace(TimeSource time, Duration interval, int healthy) {
        this.time = time;
        this.bound = new RequestBound(BURST, Nanos.of(interval), time.nanoTime());
        this.free = healthy;
    }

    /**
     * Wait until the next request may be sent, for a few seconds at most, and count it.
     *
     * @throws InterruptedException if the thread is interrupted
     */
    public void await() throws InterruptedException {
        sleep(reserve());
    }

    private long reserve() {
        lock.lock();
        try {
            if (free > 0) {
                free--;
                return 0;
            }
            long now = time.nanoTime();
            long wait = bound.nanosUntilNext(now);
            bound.sent(now, 1);
            return wait;
        } finally {
            lock.unlock();
        }
    }

    /** Count a request that was sent without a wait. At most one may be between two waits. */
    public void charge() {
        lock.lock();
        try {
            if (free > 0) {
                free--;
            } else {
                bound.sent(time.nanoTime(), 1);
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Wait for the given time.
     *
     * @throws InterruptedException if the thread is interrupted
     */
    public void sleep(Duration duration) throws InterruptedException {
        sleep(Nanos.of(duration));
    }

    private void sleep(long nanos) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        long left = nanos;
        for (long last = time.nanoTime(), now; left > 0; last = now) {
            time.sleep(left);
            now = time.nanoTime();
            left -= Math.max(0, now - last);
        }
    }
}
