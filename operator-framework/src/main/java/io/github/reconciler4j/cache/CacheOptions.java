package io.github.reconciler4j.cache;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.support.internal.OptionValues;
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
public final class CacheOptions {

    private static final CacheOptions DEFAULTS = new CacheOptions(new Values());

    private final Values values;

    private CacheOptions(Values values) {
        Objects.requireNonNull(values.timeSource, "'timeSource' must not be null");
        Objects.requireNonNull(values.partition, "'partition' must not be null");
        if (values.resync.isNegative()) {
            throw new IllegalArgumentException("'resync' must not be negative, was " + values.resync);
        }
        if (values.syncTimeout.isZero() || values.syncTimeout.isNegative()) {
            throw new IllegalArgumentException("'syncTimeout' must be positive, was " + values.syncTimeout);
        }
        this.values = values;
    }

    /** Return the default options. */
    public static CacheOptions defaults() {
        return DEFAULTS;
    }

    /** Return the interval at which all objects are delivered again as unchanged updates; 10 hours by default. */
    public Duration resync() {
        return values.resync;
    }

    /** Return how long a read waits for a kind that has not synced yet; 2 minutes by default. */
    public Duration syncTimeout() {
        return values.syncTimeout;
    }

    /** Return how to list, watch and recover. */
    public WatchOptions watch() {
        return values.watch;
    }

    /** Return the options for all kinds, from which {@link #kinds} inherit what they do not set. */
    public KindCacheOptions kindDefaults() {
        return values.kindDefaults;
    }

    /** Return the options for single kinds, without what they inherit. The form of a kind does not matter. */
    public Map<Kind<?>, KindCacheOptions> kinds() {
        return values.kinds;
    }

    /**
     * Return whether a read of a kind that is not watched starts to watch it; true by default. Otherwise such a read fails
     * with {@link NotCachedException}.
     */
    public boolean watchOnRead() {
        return values.watchOnRead;
    }

    /** Return the metrics to report to; none by default. */
    public OperatorMetrics metrics() {
        return values.metrics;
    }

    /** Return the name of the cluster that the cache belongs to; {@code ""} by default, for the cluster of the manager. */
    public String cluster() {
        return values.cluster;
    }

    /** Return the clock of ages and of limits of the log; {@link TimeSource#system} by default. */
    public TimeSource timeSource() {
        return values.timeSource;
    }

    /** Return how the objects are divided, and which parts the cache holds when it is created; {@link Partition#all} by default. */
    public Partition partition() {
        return values.partition;
    }

    /** Return the options that apply to a kind: its own, with everything that is not set taken from {@link #kindDefaults}. */
    public KindCacheOptions of(Kind<?> kind) {
        return values.kinds.getOrDefault(kind, KindCacheOptions.defaults()).inherit(values.kindDefaults);
    }

    /** Return the options that apply to the kind of a class; see {@link #of(Kind)}. */
    public KindCacheOptions of(Class<? extends HasMetadata> type) {
        return of(Kind.of(type));
    }

    /** Return whether a kind has namespaces of its own instead of those for all kinds. */
    public boolean hasOwnNamespaces(Kind<?> kind) {
        return values.kinds.getOrDefault(kind, KindCacheOptions.defaults()).hasNamespaces();
    }

    /**
     * Return the names of the only namespaces in which any kind is watched; empty if a kind is watched in all namespaces or in those
     * with matching labels, or if no namespace is named.
     */
    public Set<String> namedNamespaces() {
        Set<String> names = new TreeSet<>();
        List<KindCacheOptions> all = Stream.concat(
                        Stream.of(values.kindDefaults),
                        values.kinds.keySet().stream().map(this::of))
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

    /**
     * Return a copy of these options with the given resync interval, to which 10 % jitter is added; zero disables resync.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public CacheOptions withResync(Duration newResync) {
        return change(copy -> copy.resync = newResync);
    }

    /**
     * Return a copy of these options with the given time limit for reads of kinds that have not synced yet.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public CacheOptions withSyncTimeout(Duration newSyncTimeout) {
        return change(copy -> copy.syncTimeout = newSyncTimeout);
    }

    /** Return a copy of these options with the given options for lists and watches. */
    public CacheOptions withWatch(WatchOptions newWatch) {
        return change(copy -> copy.watch = newWatch);
    }

    /** Return a copy of these options with the given options for all kinds. */
    public CacheOptions withKindDefaults(KindCacheOptions newKindDefaults) {
        return change(copy -> copy.kindDefaults = newKindDefaults);
    }

    /**
     * Return a copy of these options with the given options for one kind in all its forms, which replace previous ones for
     * it. What they do not set is inherited from {@link #kindDefaults}.
     */
    public CacheOptions withKind(Kind<?> kind, KindCacheOptions options) {
        return change(copy -> {
            Map<Kind<?>, KindCacheOptions> all = new HashMap<>(copy.kinds);
            all.put(kind, options);
            copy.kinds = Map.copyOf(all);
        });
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
        return change(copy -> copy.watchOnRead = newWatchOnRead);
    }

    /** Return a copy of these options with the given metrics. */
    public CacheOptions withMetrics(OperatorMetrics newMetrics) {
        return change(copy -> copy.metrics = OperatorMetrics.guarded(newMetrics));
    }

    /** Return a copy of these options for the cache of the cluster with the given name. Informers and sources show it. */
    public CacheOptions withCluster(String newCluster) {
        return change(copy -> copy.cluster = Objects.requireNonNull(newCluster, "'cluster' must not be null"));
    }

    /** Return a copy of these options with the given clock; see {@link #timeSource}. */
    public CacheOptions withTimeSource(TimeSource newTimeSource) {
        return change(copy -> copy.timeSource = newTimeSource);
    }

    /**
     * Return a copy of these options with the given partition: the cache contains only objects that belong to them by the
     * {@link PartitionKey} of their kind. {@link Cache#changePartition} changes them.
     */
    public CacheOptions withPartition(Partition newPartition) {
        return change(copy -> copy.partition = newPartition);
    }

    private CacheOptions change(Consumer<Values> change) {
        return new CacheOptions(values.changed(change));
    }

    @Override
    public String toString() {
        return "CacheOptions[resync=" + values.resync + ", syncTimeout=" + values.syncTimeout + ", " + values.watch
                + ", " + values.kindDefaults
                + ", kinds=" + values.kinds + ", watchOnRead=" + values.watchOnRead
                + (values.partition.isUndivided() ? "" : ", " + values.partition) + "]";
    }

    private static final class Values extends OptionValues<Values> {
        private Duration resync = Duration.ofHours(10);
        private Duration syncTimeout = Duration.ofMinutes(2);
        private WatchOptions watch = WatchOptions.defaults();
        private KindCacheOptions kindDefaults = KindCacheOptions.defaults();
        private Map<Kind<?>, KindCacheOptions> kinds = Map.of();
        private boolean watchOnRead = true;
        private OperatorMetrics metrics = OperatorMetrics.NONE;
        private String cluster = "";
        private TimeSource timeSource = TimeSource.system();
        private Partition partition = Partition.all();
    }
}
