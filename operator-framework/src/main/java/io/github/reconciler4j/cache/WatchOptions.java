package io.github.reconciler4j.cache;

import io.github.reconciler4j.support.internal.OptionValues;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Options for listing, watching and recovering. Immutable.
 *
 * <!-- snippet: CacheSettings -->
 * <pre>{@code
 * return CacheOptions.defaults()
 *         .withSyncTimeout(Duration.ofMinutes(5))
 *         .withWatch(WatchOptions.defaults()
 *                 .withPageSize(1000)
 *                 .withBackoff(Duration.ofMillis(500), Duration.ofMinutes(1)));
 * }</pre>
 *
 * @since 0.1.0
 */
public final class WatchOptions {

    private static final WatchOptions DEFAULTS = new WatchOptions(new Values());

    /**
     * How all objects of a kind are read: when its cache starts, and when there is no watch to resume.
     *
     * @since 0.1.0
     */
    public enum ListMode {
        /**
         * From Kubernetes 1.34 on, the newest state in one compressed response, which costs the API server less than the other ways. If
         * it breaks off or takes too long, {@link #STREAMED} for a while, and {@link #PAGED} if that fails, too. An older API server
         * streams, and answers {@link #WHOLE} if it does not.
         */
        AUTOMATIC,
        /**
         * As the first events of the watch, not older than what was read before. Kubernetes 1.32, 1.34 and newer do that by default;
         * another API server is asked for {@link #WHOLE}.
         */
        STREAMED,
        /**
         * In pages of the newest state; all at once if a page has expired. Since Kubernetes 1.34, the API server needs about as
         * little processor time as for one response, but only for a kind that was written in the last 5 to 10 minutes; for others
         * more than twice as much.
         */
        PAGED,
        /**
         * In one response, in any state that the cache of the API server has, unless this program has written the kind. If the API
         * server cannot answer it from its cache, {@link #PAGED}.
         */
        WHOLE
    }

    private final Values values;

    private WatchOptions(Values values) {
        Objects.requireNonNull(values.listMode, "'listMode' must not be null");
        positive(values.lifetimeMin, "lifetimeMin");
        positive(values.idleTimeout, "idleTimeout");
        positive(values.backoffMin, "backoffMin");
        notBelow(values.lifetimeMax, values.lifetimeMin, "lifetimeMax", "lifetimeMin");
        notBelow(values.backoffMax, values.backoffMin, "backoffMax", "backoffMin");
        if (values.pageSize < 1) {
            throw new IllegalArgumentException("'pageSize' must be at least 1, was " + values.pageSize);
        }
        this.values = values;
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
        return values.lifetimeMin;
    }

    /** Return the maximum time after which a watch ends and is resumed; 10 minutes by default. */
    public Duration lifetimeMax() {
        return values.lifetimeMax;
    }

    /**
     * Return the time without any event, not even a bookmark, after which a watch is resumed; 2 minutes by default. If it ends a
     * watch before the first bookmark, the API server may send none, and the lifetime is the limit until one comes.
     */
    public Duration idleTimeout() {
        return values.idleTimeout;
    }

    /** Return the bound of the delay after the first failure, which doubles with each failure in a row; 0.8 seconds by default. */
    public Duration backoffMin() {
        return values.backoffMin;
    }

    /** Return the maximum delay after a failure; 30 seconds by default. */
    public Duration backoffMax() {
        return values.backoffMax;
    }

    /** Return the number of objects per page of a list; 2,500 by default. */
    public int pageSize() {
        return values.pageSize;
    }

    /** Return how all objects of a kind are read; {@link ListMode#AUTOMATIC} by default. */
    public ListMode listMode() {
        return values.listMode;
    }

    /** Return whether lists are requested compressed; true by default. */
    public boolean gzipLists() {
        return values.gzipLists;
    }

    /**
     * Return a copy of these options in which watches end after a random time between the given ones.
     *
     * @throws IllegalArgumentException if {@code min} is not positive, or {@code max} is less than {@code min}
     */
    public WatchOptions withLifetime(Duration min, Duration max) {
        return change(copy -> {
            copy.lifetimeMin = min;
            copy.lifetimeMax = max;
        });
    }

    /**
     * Return a copy of these options with the given idle timeout.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public WatchOptions withIdleTimeout(Duration newIdleTimeout) {
        return change(copy -> copy.idleTimeout = newIdleTimeout);
    }

    /**
     * Return a copy of these options with the given bounds of the delay after failures.
     *
     * @throws IllegalArgumentException if {@code min} is not positive, or {@code max} is less than {@code min}
     */
    public WatchOptions withBackoff(Duration min, Duration max) {
        return change(copy -> {
            copy.backoffMin = min;
            copy.backoffMax = max;
        });
    }

    /**
     * Return a copy of these options with the given page size.
     *
     * @throws IllegalArgumentException if it is less than 1
     */
    public WatchOptions withPageSize(int newPageSize) {
        return change(copy -> copy.pageSize = newPageSize);
    }

    /** Return a copy of these options with the given list mode. */
    public WatchOptions withListMode(ListMode newListMode) {
        return change(copy -> copy.listMode = newListMode);
    }

    /**
     * Return a copy of these options in which lists are requested compressed, or not. API servers compress lists of more than
     * 128 KiB. Streamed lists are never requested compressed.
     */
    public WatchOptions withGzipLists(boolean newGzipLists) {
        return change(copy -> copy.gzipLists = newGzipLists);
    }

    private WatchOptions change(Consumer<Values> change) {
        return new WatchOptions(values.changed(change));
    }

    @Override
    public String toString() {
        return "WatchOptions[lifetime=" + values.lifetimeMin + ".." + values.lifetimeMax + ", idleTimeout="
                + values.idleTimeout
                + ", backoff=" + values.backoffMin + ".." + values.backoffMax + ", pageSize=" + values.pageSize
                + ", listMode=" + values.listMode
                + ", gzipLists=" + values.gzipLists + "]";
    }

    private static final class Values extends OptionValues<Values> {
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
