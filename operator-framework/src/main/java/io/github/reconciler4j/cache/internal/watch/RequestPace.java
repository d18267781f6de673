package io.github.reconciler4j.cache.internal.watch;

import io.github.reconciler4j.cache.WatchOptions;
import io.github.reconciler4j.support.Nanos;
import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.support.internal.RequestBound;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;

/**
 * When a reflector may send its next request, and how it waits. Confined to the thread of its reflector.
 *
 * <p>Whatever the API server answers, a reflector sends {@code BURST} requests at once, and one in {@code INTERVALS} times the first
 * backoff after that: with the default of 0.8 seconds, 9 requests in any 10 seconds and one in 2.24 seconds in the long run. What the
 * version of the API server costs, one request in 10 seconds at most, is not counted and makes it 10. {@link Recovery} waits longer for
 * most failures; this is the bound for all of them, known or not.
 *
 * <p>What this process asks for itself ({@link #allow}) and pages that are full do not count, because they are not caused by what the
 * API server answers.
 */
final class RequestPace {

    /** A list, a watch and their repetition: what other bodies or parts cost. */
    static final int OWN = 3;

    /** What discovery asks for beyond the first request about a kind that is missing: the versions of its group and of the server. */
    static final int DISCOVERY = 2;

    private static final int BURST = 5;
    private static final double INTERVALS = 2.8;
    private static final long LONGEST_INTERVAL = Duration.ofMillis(2240).toNanos();

    private final TimeSource time;
    private final RequestBound bound;

    RequestPace(WatchOptions options, TimeSource time) {
        this.time = time;
        long interval = Math.min(LONGEST_INTERVAL, (long) (INTERVALS * Nanos.of(options.backoffMin())));
        this.bound = new RequestBound(BURST, interval, time.nanoTime());
    }

    /** Return how long to wait before the next request, in nanoseconds. */
    long nanosUntilNext() {
        return bound.nanosUntilNext(time.nanoTime());
    }

    /** Record that so many requests were sent. */
    void sent(int requests) {
        bound.sent(time.nanoTime(), requests);
    }

    /** Allow so many requests that the API server has not caused. */
    void allow(int requests) {
        bound.allow(requests);
    }

    /**
     * Wait. Interrupts mean nothing unless the reflector was stopped.
     *
     * @param nanos how long
     * @param wanted returns whether to continue to wait
     * @param stopped returns whether the reflector was stopped
     * @param shorten returns how long to wait of what is left
     * @param step returns after how long to ask again at the latest
     */
    void sleep(
            long nanos, BooleanSupplier wanted, BooleanSupplier stopped, LongUnaryOperator shorten, LongSupplier step) {
        long end = time.nanoTime() + nanos;
        for (long left = nanos; left > 0 && wanted.getAsBoolean(); left = end - time.nanoTime()) {
            long shortened = shorten.applyAsLong(left);
            end -= left - shortened;
            time.park(this, Math.min(shortened, step.getAsLong()));
            if (!stopped.getAsBoolean()) {
                Thread.interrupted();
            }
        }
    }
}
