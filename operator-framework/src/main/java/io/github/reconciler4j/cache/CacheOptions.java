package io.github.reconciler4j.cache;

import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.scheme.GroupVersionKind;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Settings of a {@link Cache}. Immutable.
 *
 * @param resync how often every object is told again as an unchanged update, with 10 % jitter (default 10 hours);
 *     {@link Duration#ZERO} is never
 * @param syncTimeout how long a read waits for a kind that has not synced yet (default 2 minutes)
 * @param watch how to list, watch and recover
 * @param kindDefaults how kinds are cached that {@code kinds} does not name
 * @param kinds how these kinds are cached
 * @param watchOnRead whether reading a kind nobody asked for begins to watch it (default true); else such a read
 *     fails with {@link NotCachedException}
 * @param metrics where to report (default nowhere)
 * @since 0.1.0
 */
public record CacheOptions(
        Duration resync,
        Duration syncTimeout,
        WatchOptions watch,
        KindCacheOptions kindDefaults,
        Map<GroupVersionKind, KindCacheOptions> kinds,
        boolean watchOnRead,
        OperatorMetrics metrics) {

    private static final CacheOptions DEFAULTS = new CacheOptions(
            Duration.ofHours(10),
            Duration.ofMinutes(2),
            WatchOptions.defaults(),
            KindCacheOptions.defaults(),
            Map.of(),
            true,
            OperatorMetrics.NONE);

    /** Checks that the times make sense. */
    public CacheOptions {
        if (resync.isNegative()) {
            throw new IllegalArgumentException("'resync' must not be negative, was " + resync);
        }
        if (syncTimeout.isZero() || syncTimeout.isNegative()) {
            throw new IllegalArgumentException("'syncTimeout' must be positive, was " + syncTimeout);
        }
        kinds = Map.copyOf(kinds);
    }

    /** The values named above. */
    public static CacheOptions defaults() {
        return DEFAULTS;
    }

    /** How a kind is cached. */
    public KindCacheOptions of(GroupVersionKind kind) {
        return kinds.getOrDefault(kind, kindDefaults);
    }

    /** The same with another resync period. */
    public CacheOptions withResync(Duration newResync) {
        return new CacheOptions(newResync, syncTimeout, watch, kindDefaults, kinds, watchOnRead, metrics);
    }

    /** The same with another time limit for reads of kinds that have not synced yet. */
    public CacheOptions withSyncTimeout(Duration newSyncTimeout) {
        return new CacheOptions(resync, newSyncTimeout, watch, kindDefaults, kinds, watchOnRead, metrics);
    }

    /** The same with other settings of list and watch. */
    public CacheOptions withWatch(WatchOptions newWatch) {
        return new CacheOptions(resync, syncTimeout, newWatch, kindDefaults, kinds, watchOnRead, metrics);
    }

    /** The same with other settings for kinds that have none of their own. */
    public CacheOptions withKindDefaults(KindCacheOptions newKindDefaults) {
        return new CacheOptions(resync, syncTimeout, watch, newKindDefaults, kinds, watchOnRead, metrics);
    }

    /** The same with settings for one kind, in place of former ones. */
    public CacheOptions withKind(GroupVersionKind kind, KindCacheOptions options) {
        Map<GroupVersionKind, KindCacheOptions> more = new HashMap<>(kinds);
        more.put(kind, options);
        return new CacheOptions(resync, syncTimeout, watch, kindDefaults, more, watchOnRead, metrics);
    }

    /** The same, watching kinds that are only read or not. */
    public CacheOptions withWatchOnRead(boolean newWatchOnRead) {
        return new CacheOptions(resync, syncTimeout, watch, kindDefaults, kinds, newWatchOnRead, metrics);
    }

    /** The same, reporting there. */
    public CacheOptions withMetrics(OperatorMetrics newMetrics) {
        return new CacheOptions(resync, syncTimeout, watch, kindDefaults, kinds, watchOnRead, newMetrics);
    }
}
