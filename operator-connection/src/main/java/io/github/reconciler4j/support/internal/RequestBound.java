package io.github.reconciler4j.support.internal;

/**
 * Counts requests against a bound: some at once, and one for each interval after that. In any time there are at most as many as may come
 * at once, and one for each interval in it. Decides only; {@link RetryPace} waits. Needs a monotonic time, and if that is set back
 * nevertheless, no wait is longer than a few intervals. Confined to one thread, or guarded by the lock of its owner.
 *
 * @since 0.1.0
 */
public final class RequestBound {

    /** How many more than at once may be owed, because they were counted after they were sent. */
    private static final int MOST_OWED = 8;

    private final int burst;
    private final long interval;

    /** When the requests that were sent are paid for, each with an interval. */
    private long paidAt;

    /**
     * Create a bound that nothing is counted against.
     *
     * @param burst how many requests may be sent at once
     * @param interval the time between two requests in the long run, in nanoseconds
     * @param now the time in nanoseconds from an arbitrary origin, as in all methods
     */
    public RequestBound(int burst, long interval, long now) {
        this.burst = burst;
        this.interval = interval;
        this.paidAt = now;
    }

    /** Return how long to wait before the next request, in nanoseconds. */
    public long nanosUntilNext(long now) {
        return Math.max(0, owed(now) + interval - burst * interval);
    }

    /** Record that so many requests were sent. */
    public void sent(long now, int requests) {
        paidAt = now + owed(now) + requests * interval;
    }

    /** Allow so many requests of those that were sent. */
    public void allow(int requests) {
        paidAt -= requests * interval;
    }

    private long owed(long now) {
        return Math.min((burst + MOST_OWED) * interval, Math.max(0, paidAt - now));
    }
}
