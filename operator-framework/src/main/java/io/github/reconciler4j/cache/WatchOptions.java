package io.github.reconciler4j.cache;

import java.time.Duration;

/**
 * How the cache lists, watches and recovers. Immutable.
 *
 * @param lifetimeMin a watch ends, and is opened anew where it ended, after a random time of at least this (default 5
 *     minutes)
 * @param lifetimeMax and at most this (default 10 minutes)
 * @param idleTimeout a watch of which nothing was heard for this long, not even a bookmark, is opened anew (default 2
 *     minutes); applies once the server has shown that it sends bookmarks
 * @param backoffMin the first pause after a failure is at most this; it doubles with each failure in a row (default 0.8
 *     seconds)
 * @param backoffMax the longest pause (default 30 seconds); also the pause while a right or the kind itself is missing
 * @param pageSize how many objects a page has where the server cannot list from its watch cache (default 500)
 * @param watchList whether to have the first objects streamed by the watch itself where the server can (default true)
 * @param gzipLists whether lists come compressed (default false): fewer bytes on the way, more processor time on the
 *     server; watches never do
 * @since 0.1.0
 */
public record WatchOptions(
        Duration lifetimeMin,
        Duration lifetimeMax,
        Duration idleTimeout,
        Duration backoffMin,
        Duration backoffMax,
        int pageSize,
        boolean watchList,
        boolean gzipLists) {

    private static final WatchOptions DEFAULTS = new WatchOptions(
            Duration.ofMinutes(5),
            Duration.ofMinutes(10),
            Duration.ofMinutes(2),
            Duration.ofMillis(800),
            Duration.ofSeconds(30),
            500,
            true,
            false);

    /** Checks that times are positive and in order. */
    public WatchOptions {
        positive(lifetimeMin, "lifetimeMin");
        positive(idleTimeout, "idleTimeout");
        positive(backoffMin, "backoffMin");
        notBelow(lifetimeMax, lifetimeMin, "lifetimeMax", "lifetimeMin");
        notBelow(backoffMax, backoffMin, "backoffMax", "backoffMin");
        if (pageSize < 1) {
            throw new IllegalArgumentException("'pageSize' must be at least 1, was " + pageSize);
        }
    }

    private static void positive(Duration value, String name) {
        if (value.isZero() || value.isNegative()) {
            throw new IllegalArgumentException("'" + name + "' must be positive, was " + value);
        }
    }

    private static void notBelow(Duration value, Duration bound, String name, String boundName) {
        if (value.compareTo(bound) < 0) {
            throw new IllegalArgumentException(
                    "'" + name + "' must not be below '" + boundName + "' (" + bound + "), was " + value);
        }
    }

    /** The values named above. */
    public static WatchOptions defaults() {
        return DEFAULTS;
    }

    /** The same with another range of life times. */
    public WatchOptions withLifetime(Duration min, Duration max) {
        return new WatchOptions(min, max, idleTimeout, backoffMin, backoffMax, pageSize, watchList, gzipLists);
    }

    /** The same with another idle timeout. */
    public WatchOptions withIdleTimeout(Duration newIdleTimeout) {
        return new WatchOptions(
                lifetimeMin, lifetimeMax, newIdleTimeout, backoffMin, backoffMax, pageSize, watchList, gzipLists);
    }

    /** The same with another range of pauses. */
    public WatchOptions withBackoff(Duration min, Duration max) {
        return new WatchOptions(lifetimeMin, lifetimeMax, idleTimeout, min, max, pageSize, watchList, gzipLists);
    }

    /** The same with another page size. */
    public WatchOptions withPageSize(int newPageSize) {
        return new WatchOptions(
                lifetimeMin, lifetimeMax, idleTimeout, backoffMin, backoffMax, newPageSize, watchList, gzipLists);
    }

    /** The same with the first objects streamed by the watch, or listed. */
    public WatchOptions withWatchList(boolean newWatchList) {
        return new WatchOptions(
                lifetimeMin, lifetimeMax, idleTimeout, backoffMin, backoffMax, pageSize, newWatchList, gzipLists);
    }

    /** The same with lists compressed or not. */
    public WatchOptions withGzipLists(boolean newGzipLists) {
        return new WatchOptions(
                lifetimeMin, lifetimeMax, idleTimeout, backoffMin, backoffMax, pageSize, watchList, newGzipLists);
    }
}
