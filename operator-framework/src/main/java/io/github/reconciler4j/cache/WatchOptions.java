package io.github.reconciler4j.cache;

import java.time.Duration;
import java.util.Objects;
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
    private final ListMode listMode;
    private final boolean gzipLists;

    /**
     * How all objects of a kind are read: when its cache starts, and when there is no watch to resume.
     *
     * @since 0.1.0
     */
    public enum ListMode {
        /**
         * {@link #STREAMED}, which costs the API server the same for a kind that changes and for one at rest. An API server that does
         * not stream is asked for {@link #PAGED} if it is of Kubernetes 1.34 or newer, and for {@link #WHOLE} otherwise.
         */
        AUTOMATIC,
        /**
         * As the first events of the watch, not older than what was read before. Kubernetes 1.32, 1.34 and newer do that by default;
         * another API server is asked for {@link #WHOLE}.
         */
        STREAMED,
        /**
         * In pages of the newest state; all at once if a page has expired. Takes fewer bytes than a stream. Since Kubernetes 1.34 it
         * also takes less processor time of the API server, but only for a kind that was written in the last 5 to 10 minutes; for
         * others more than twice as much.
         */
        PAGED,
        /**
         * In one response, in any state that the cache of the API server has, unless this program has written the kind. If the API
         * server cannot answer it from its cache, {@link #PAGED}.
         */
        WHOLE
    }

    private WatchOptions(Draft draft) {
        this.lifetimeMin = draft.lifetimeMin;
        this.lifetimeMax = draft.lifetimeMax;
        this.idleTimeout = draft.idleTimeout;
        this.backoffMin = draft.backoffMin;
        this.backoffMax = draft.backoffMax;
        this.pageSize = draft.pageSize;
        this.listMode = Objects.requireNonNull(draft.listMode, "'listMode' must not be null");
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
     * Return the time without any event, not even a bookmark, after which a watch is resumed; 2 minutes by default. If it ends a
     * watch before the first bookmark, the API server may send none, and the lifetime is the limit until one comes.
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

    /** Return the number of objects per page of a list; 2,500 by default. */
    public int pageSize() {
        return pageSize;
    }

    /** Return how all objects of a kind are read; {@link ListMode#AUTOMATIC} by default. */
    public ListMode listMode() {
        return listMode;
    }

    /** Return whether lists are requested compressed; true by default. */
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

    /** Return a copy of these options with the given list mode. */
    public WatchOptions withListMode(ListMode newListMode) {
        return change(draft -> draft.listMode = newListMode);
    }

    /**
     * Return a copy of these options in which lists are requested compressed, or not. API servers compress lists of more than
     * 128 KiB. Streamed lists are never requested compressed.
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
        draft.listMode = listMode;
        draft.gzipLists = gzipLists;
        change.accept(draft);
        return new WatchOptions(draft);
    }

    @Override
    public String toString() {
        return "WatchOptions[lifetime=" + lifetimeMin + ".." + lifetimeMax + ", idleTimeout=" + idleTimeout
                + ", backoff=" + backoffMin + ".." + backoffMax + ", pageSize=" + pageSize + ", listMode=" + listMode
                + ", gzipLists=" + gzipLists + "]";
    }

    private static final class Draft {
        private Duration lifetimeMin = Duration.ofMinutes(5);
        private Duration lifetimeMax = Duration.ofMinutes(10);
        private Duration idleTimeout = Duration.ofMinutes(2);
        private Duration backoffMin = Duration.ofMillis(800);
        private Duration backoffMax = Duration.ofSeconds(30);
        private int pageSize = 2500;
        private ListMode listMode = ListMode.AUTOMATIC;
        private boolean gzipLists = true;
    }
}
