package io.github.reconciler4j.client.internal;

import io.github.reconciler4j.client.Throttle;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** Keeps a {@link Throttle}: a token bucket and a number of places. Safe for use by many threads; fair. */
final class Limiter {

    private final Throttle throttle;
    private final Semaphore places;
    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by lock: when the bucket will be full again, in {@link System#nanoTime}. */
    private long fullAt = System.nanoTime();

    Limiter(Throttle throttle) {
        this.throttle = throttle;
        this.places = new Semaphore(throttle.maxConcurrent(), true);
    }

    boolean isOff() {
        return throttle.queriesPerSecond() == 0 && throttle.maxConcurrent() == 0;
    }

    /** Waits for a place and a token; the place is given back by {@link #leave}. */
    void enter() throws InterruptedException {
        if (throttle.maxConcurrent() > 0) {
            places.acquire();
        }
        try {
            long wait = reserve();
            if (wait > 0) {
                TimeUnit.NANOSECONDS.sleep(wait);
            }
        } catch (InterruptedException e) {
            leave();
            throw e;
        }
    }

    void leave() {
        if (throttle.maxConcurrent() > 0) {
            places.release();
        }
    }

    /** Takes a token, maybe a future one, and returns how long until it is there. */
    private long reserve() {
        if (throttle.queriesPerSecond() == 0) {
            return 0;
        }
        long token = (long) (1e9 / throttle.queriesPerSecond());
        lock.lock();
        try {
            long now = System.nanoTime();
            fullAt = Math.max(fullAt, now) + token;
            return Math.max(0, fullAt - now - token * throttle.burst());
        } finally {
            lock.unlock();
        }
    }
}
