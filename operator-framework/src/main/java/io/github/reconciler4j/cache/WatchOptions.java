package io.github.reconciler4j.cache;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * Options for listing, watching and recovering. Immutable.
 *
 * @since 0.1.0
 */
public final class WatchOptions {

    private static final WatchOptions DEFAULTS = new WatchOptions(new Draft());

    private final Duration lifetimeMin;
    private final Duration lifetimeMax;
    private final Duration idleTimeout;
    private final Duration backoffMin;
    private final Duration backoffMax;
    private final int pageSize;
    private final boolean watchList;
    private final boolean gzipLists;

    private WatchOptions(Draft draft) {
        this.lifetimeMin = draft.lifetimeMin;
        this.lifetimeMax = draft.lifetimeMax;
        this.idleTimeout = draft.idleTimeout;
        this.backoffMin = draft.backoffMin;
        this.backoffMax = draft.backoffMax;
        this.pageSize = draft.pageSize;
        this.watchList = draft.watchList;
        this.gzipLists = draft.gzipLists;
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

    /** Return the default options. */
    public static WatchOptions defaults() {
        return DEFAULTS;
    }

    /** Return the minimum time after which a watch ends and is resumed; 5 minutes by default. */
    public Duration lifetimeMin() {
        return lifetimeMin;
    }

    /** Return the maximum time after which a watch ends and is resumed; 10 minutes by default. */
    public Duration lifetimeMax() {
        return lifetimeMax;
    }

    /**
     * Return the time without any event, not even a bookmark, after which a watch is resumed; 2 minutes by default. Applies
     * once the API server has sent a bookmark.
     */
    public Duration idleTimeout() {
        return idleTimeout;
    }

    /** Return the bound of the delay after the first failure, which doubles with each failure in a row; 0.8 seconds by default. */
    public Duration backoffMin() {
        return backoffMin;
    }

    /** Return the maximum delay after a failure; 30 seconds by default. */
    public Duration backoffMax() {
        return backoffMax;
    }

    /** Return the number of objects per page where the API server cannot list from its watch cache; 500 by default. */
    public int pageSize() {
        return pageSize;
    }

    /** Return whether the watch streams the initial objects where the API server supports it; true by default. */
    public boolean watchList() {
        return watchList;
    }

    /** Return whether lists are requested compressed; false by default. */
    public boolean gzipLists() {
        return gzipLists;
    }

    /** Return a copy of these options in which watches end after a random time between the given ones. */
    public WatchOptions withLifetime(Duration min, Duration max) {
        return change(draft -> {
            draft.lifetimeMin = min;
            draft.lifetimeMax = max;
        });
    }

    /** Return a copy of these options with the given idle timeout. */
    public WatchOptions withIdleTimeout(Duration newIdleTimeout) {
        return change(draft -> draft.idleTimeout = newIdleTimeout);
    }

    /** Return a copy of these options with the given bounds of the delay after failures. */
    public WatchOptions withBackoff(Duration min, Duration max) {
        return change(draft -> {
            draft.backoffMin = min;
            draft.backoffMax = max;
        });
    }

    /** Return a copy of these options with the given page size. */
    public WatchOptions withPageSize(int newPageSize) {
        return change(draft -> draft.pageSize = newPageSize);
    }

    /** Return a copy of these options in which watches stream the initial objects, or lists fetch them. */
    public WatchOptions withWatchList(boolean newWatchList) {
        return change(draft -> draft.watchList = newWatchList);
    }

    /**
     * Return a copy of these options in which lists are requested compressed, or not. Compression saves bandwidth and costs
     * processor time on the API server, which never compresses watches.
     */
    public WatchOptions withGzipLists(boolean newGzipLists) {
        return change(draft -> draft.gzipLists = newGzipLists);
    }

    private WatchOptions change(Consumer<Draft> change) {
        Draft draft = new Draft();
        draft.lifetimeMin = lifetimeMin;
        draft.lifetimeMax = lifetimeMax;
        draft.idleTimeout = idleTimeout;
        draft.backoffMin = backoffMin;
        draft.backoffMax = backoffMax;
        draft.pageSize = pageSize;
        draft.watchList = watchList;
        draft.gzipLists = gzipLists;
        change.accept(draft);
        return new WatchOptions(draft);
    }

    @Override
    public String toString() {
        return "WatchOptions[lifetime=" + lifetimeMin + ".." + lifetimeMax + ", idleTimeout=" + idleTimeout
                + ", backoff=" + backoffMin + ".." + backoffMax + ", pageSize=" + pageSize + ", watchList="
                + watchList + ", gzipLists=" + gzipLists + "]";
    }

    private static final class Draft {
        private Duration lifetimeMin = Duration.ofMinutes(5);
        private Duration lifetimeMax = Duration.ofMinutes(10);
        private Duration idleTimeout = Duration.ofMinutes(2);
        private Duration backoffMin = Duration.ofMillis(800);
        private Duration backoffMax = Duration.ofSeconds(30);
        private int pageSize = 500;
        private boolean watchList = true;
        private boolean gzipLists;
    }
}
