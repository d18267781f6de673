package io.github.reconciler4j.cache;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Options of a {@link Cache}. Immutable.
 *
 * @since 0.1.0
 */
public final class CacheOptions {

    private static final CacheOptions DEFAULTS = new CacheOptions(new Draft());

    private final Duration resync;
    private final Duration syncTimeout;
    private final WatchOptions watch;
    private final KindCacheOptions kindDefaults;
    private final Map<Kind<?>, KindCacheOptions> kinds;
    private final boolean watchOnRead;
    private final OperatorMetrics metrics;
    private final String cluster;
    private final TimeSource timeSource;
    private final CachedShards shards;

    private CacheOptions(Draft draft) {
        this.resync = draft.resync;
        this.syncTimeout = draft.syncTimeout;
        this.watch = draft.watch;
        this.kindDefaults = draft.kindDefaults;
        this.kinds = Map.copyOf(draft.kinds);
        this.watchOnRead = draft.watchOnRead;
        this.metrics = draft.metrics;
        this.cluster = draft.cluster;
        this.timeSource = Objects.requireNonNull(draft.timeSource, "'timeSource' must not be null");
        this.shards = Objects.requireNonNull(draft.shards, "'shards' must not be null");
        if (resync.isNegative()) {
            throw new IllegalArgumentException("'resync' must not be negative, was " + resync);
        }
        if (syncTimeout.isZero() || syncTimeout.isNegative()) {
            throw new IllegalArgumentException("'syncTimeout' must be positive, was " + syncTimeout);
        }
    }

    /** Return the default options. */
    public static CacheOptions defaults() {
        return DEFAULTS;
    }

    /** Return the interval at which all objects are delivered again as unchanged updates; 10 hours by default. */
    public Duration resync() {
        return resync;
    }

    /** Return how long a read waits for a kind that has not synced yet; 2 minutes by default. */
    public Duration syncTimeout() {
        return syncTimeout;
    }

    /** Return how to list, watch and recover. */
    public WatchOptions watch() {
        return watch;
    }

    /** Return the options for all kinds, from which {@link #kinds} inherit what they do not set. */
    public KindCacheOptions kindDefaults() {
        return kindDefaults;
    }

    /** Return the options for single kinds, without what they inherit. The form of a kind does not matter. */
    public Map<Kind<?>, KindCacheOptions> kinds() {
        return kinds;
    }

    /**
     * Return whether a read of a kind that is not watched starts to watch it; true by default. Otherwise such a read fails
     * with {@link NotCachedException}.
     */
    public boolean watchOnRead() {
        return watchOnRead;
    }

    /** Return the metrics to report to; none by default. */
    public OperatorMetrics metrics() {
        return metrics;
    }

    /** Return the name of the cluster that the cache belongs to; {@code ""} by default, for the cluster of the manager. */
    public String cluster() {
        return cluster;
    }

    /** Return the clock of ages and of limits of the log; {@link TimeSource#system} by default. */
    public TimeSource timeSource() {
        return timeSource;
    }

    /** Return the shards that the cache holds when it is created; {@link CachedShards#all} by default. */
    public CachedShards shards() {
        return shards;
    }

    /** Return the options that apply to a kind: its own, with everything that is not set taken from {@link #kindDefaults}. */
    public KindCacheOptions of(Kind<?> kind) {
        return kinds.getOrDefault(kind, KindCacheOptions.defaults()).inherit(kindDefaults);
    }

    /** Return the options that apply to the kind of a class; see {@link #of(Kind)}. */
    public KindCacheOptions of(Class<? extends HasMetadata> type) {
        return of(Kind.of(type));
    }

    /** Return whether a kind has namespaces of its own instead of those for all kinds. */
    public boolean hasOwnNamespaces(Kind<?> kind) {
        return kinds.getOrDefault(kind, KindCacheOptions.defaults()).hasNamespaces();
    }

    /**
     * Return the names of the only namespaces in which any kind is watched; empty if a kind is watched in all namespaces or in those
     * with matching labels, or if no namespace is named.
     */
    public Set<String> namedNamespaces() {
        Set<String> names = new TreeSet<>();
        List<KindCacheOptions> all = Stream.concat(
                        Stream.of(kindDefaults), kinds.keySet().stream().map(this::of))
                .toList();
        for (KindCacheOptions its : all) {
            CachedNamespaces each = its.namespaces();
            if (each.others() || each.isFollowed()) {
                return Set.of();
            }
            each.named().stream()
                    .filter(name -> !each.excluded().contains(name))
                    .forEach(names::add);
        }
        return Collections.unmodifiableSet(names);
    }

    /** Return a copy of these options with the given resync interval, to which 10 % jitter is added; zero disables resync. */
    public CacheOptions withResync(Duration newResync) {
        return change(draft -> draft.resync = newResync);
    }

    /** Return a copy of these options with the given time limit for reads of kinds that have not synced yet. */
    public CacheOptions withSyncTimeout(Duration newSyncTimeout) {
        return change(draft -> draft.syncTimeout = newSyncTimeout);
    }

    /** Return a copy of these options with the given options for lists and watches. */
    public CacheOptions withWatch(WatchOptions newWatch) {
        return change(draft -> draft.watch = newWatch);
    }

    /** Return a copy of these options with the given options for all kinds. */
    public CacheOptions withKindDefaults(KindCacheOptions newKindDefaults) {
        return change(draft -> draft.kindDefaults = newKindDefaults);
    }

    /**
     * Return a copy of these options with the given options for one kind in all its forms, which replace previous ones for
     * it. What they do not set is inherited from {@link #kindDefaults}.
     */
    public CacheOptions withKind(Kind<?> kind, KindCacheOptions options) {
        return change(draft -> draft.kinds.put(kind, options));
    }

    /**
     * Return a copy of these options with the given options for the kind of a class; see
     * {@link #withKind(Kind, KindCacheOptions)}.
     */
    public CacheOptions withKind(Class<? extends HasMetadata> type, KindCacheOptions options) {
        return withKind(Kind.of(type), options);
    }

    /** Return a copy of these options in which a read starts to watch a kind that is not watched, or fails. */
    public CacheOptions withWatchOnRead(boolean newWatchOnRead) {
        return change(draft -> draft.watchOnRead = newWatchOnRead);
    }

    /** Return a copy of these options with the given metrics. */
    public CacheOptions withMetrics(OperatorMetrics newMetrics) {
        return change(draft -> draft.metrics = OperatorMetrics.guarded(newMetrics));
    }

    /** Return a copy of these options for the cache of the cluster with the given name. Informers and sources show it. */
    public CacheOptions withCluster(String newCluster) {
        return change(draft -> draft.cluster = Objects.requireNonNull(newCluster, "'cluster' must not be null"));
    }

    /** Return a copy of these options with the given clock; see {@link #timeSource}. */
    public CacheOptions withTimeSource(TimeSource newTimeSource) {
        return change(draft -> draft.timeSource = newTimeSource);
    }

    /**
     * Return a copy of these options with the given shards: the cache contains only objects that belong to them by the
     * {@link ShardKey} of their kind. {@link Cache#changeShards} changes them.
     */
    public CacheOptions withShards(CachedShards newShards) {
        return change(draft -> draft.shards = newShards);
    }

    private CacheOptions change(Consumer<Draft> change) {
        Draft draft = new Draft();
        draft.resync = resync;
        draft.syncTimeout = syncTimeout;
        draft.watch = watch;
        draft.kindDefaults = kindDefaults;
        draft.kinds.putAll(kinds);
        draft.watchOnRead = watchOnRead;
        draft.metrics = metrics;
        draft.cluster = cluster;
        draft.timeSource = timeSource;
        draft.shards = shards;
        change.accept(draft);
        return new CacheOptions(draft);
    }

    @Override
    public String toString() {
        return "CacheOptions[resync=" + resync + ", syncTimeout=" + syncTimeout + ", " + watch + ", " + kindDefaults
                + ", kinds=" + kinds + ", watchOnRead=" + watchOnRead
                + (shards.isUndivided() ? "" : ", " + shards) + "]";
    }

    private static final class Draft {
        private Duration resync = Duration.ofHours(10);
        private Duration syncTimeout = Duration.ofMinutes(2);
        private WatchOptions watch = WatchOptions.defaults();
        private KindCacheOptions kindDefaults = KindCacheOptions.defaults();
        private final Map<Kind<?>, KindCacheOptions> kinds = new HashMap<>();
        private boolean watchOnRead = true;
        private OperatorMetrics metrics = OperatorMetrics.NONE;
        private String cluster = "";
        private TimeSource timeSource = TimeSource.system();
        private CachedShards shards = CachedShards.all();
    }
}
