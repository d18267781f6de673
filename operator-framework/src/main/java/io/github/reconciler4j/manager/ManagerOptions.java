package io.github.reconciler4j.manager;

import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.CachedShards;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.WriteMode;
import io.github.reconciler4j.leaderelection.LeaderElectionOptions;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.recorder.EventOptions;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.sharding.ShardingOptions;
import io.github.reconciler4j.support.TimeSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a {@link Manager}. Immutable, except that the manager uses the given scheme and metrics themselves.
 *
 * @since 0.1.0
 */
public final class ManagerOptions {

    private static final String UNKNOWN = "unknown";

    private final String name;
    private final String version;
    private final Scheme scheme;
    private final ClientOptions client;
    private final CacheOptions cache;
    private final @Nullable LeaderElectionOptions leaderElection;
    private final @Nullable ShardingOptions sharding;
    private final LifecycleOptions lifecycle;
    private final EventOptions events;
    private final OperatorMetrics metrics;
    private final TimeSource timeSource;
    private final Map<Class<?>, ComponentDefaults> componentDefaults;

    private ManagerOptions(Draft draft) {
        name = notBlank(draft.name, "name");
        version = notBlank(draft.version, "version");
        scheme = Objects.requireNonNull(draft.scheme, "'scheme' must not be null");
        client = Objects.requireNonNull(draft.client, "'client' must not be null");
        cache = Objects.requireNonNull(draft.cache, "'cache' must not be null");
        leaderElection = draft.leaderElection;
        sharding = draft.sharding;
        lifecycle = Objects.requireNonNull(draft.lifecycle, "'lifecycle' must not be null");
        events = Objects.requireNonNull(draft.events, "'events' must not be null");
        metrics = Objects.requireNonNull(draft.metrics, "'metrics' must not be null");
        timeSource = Objects.requireNonNull(draft.timeSource, "'timeSource' must not be null");
        componentDefaults = Map.copyOf(draft.componentDefaults);
    }

    private static String notBlank(String value, String name) {
        if (value.isBlank()) {
            throw new IllegalArgumentException("'" + name + "' must not be blank");
        }
        return value;
    }

    /** Return the defaults, with a new scheme. */
    public static ManagerOptions defaults() {
        return new ManagerOptions(new Draft());
    }

    /** Return the name of the manager in logs, threads, events and the user agent. The default is {@code operator}. */
    public String name() {
        return name;
    }

    /** Return the version of the operator for the user agent. The default is {@code unknown}. */
    public String version() {
        return version;
    }

    /** Return the scheme. The default is a new one for each call of {@link #defaults}. */
    public Scheme scheme() {
        return scheme;
    }

    /** Return the settings of the client. Its write gate and listener are called in addition to the manager's own. */
    public ClientOptions client() {
        return client;
    }

    /** Return the settings of the cache. The cache reports to the metrics of the manager unless it has its own. */
    public CacheOptions cache() {
        return cache;
    }

    /** Return the settings of leader election, empty (the default) if the operator has a single replica. */
    public Optional<LeaderElectionOptions> leaderElection() {
        return Optional.ofNullable(leaderElection);
    }

    /**
     * Return the settings of sharding, empty (the default) if this replica does not share its work with others. With sharding,
     * the cache contains the objects of the shards that this replica holds, controllers of divided kinds reconcile these on
     * every replica, and components that implement {@link io.github.reconciler4j.sharding.ShardHandler} are notified of them.
     */
    public Optional<ShardingOptions> sharding() {
        return Optional.ofNullable(sharding);
    }

    /** Return the settings of start and stop. */
    public LifecycleOptions lifecycle() {
        return lifecycle;
    }

    /** Return the settings of event recording. */
    public EventOptions events() {
        return events;
    }

    /** Return where to report measurements. The default is {@link OperatorMetrics#NONE}. */
    public OperatorMetrics metrics() {
        return metrics;
    }

    /** Return the clock of caches, work queues, leases and migrations of stored objects. The default is {@link TimeSource#system}. */
    public TimeSource timeSource() {
        return timeSource;
    }

    /** Return the defaults of the given type, empty if none were set. */
    public <T extends ComponentDefaults> Optional<T> componentDefaults(Class<T> type) {
        return Optional.ofNullable(componentDefaults.get(type)).map(type::cast);
    }

    /**
     * Return a copy of these options with the given name.
     *
     * @throws IllegalArgumentException if it is blank
     */
    public ManagerOptions withName(String newName) {
        return change(draft -> draft.name = newName);
    }

    /**
     * Return a copy of these options with the given version of the operator.
     *
     * @throws IllegalArgumentException if it is blank
     */
    public ManagerOptions withVersion(String newVersion) {
        return change(draft -> draft.version = newVersion);
    }

    /**
     * Return a copy of these options with the version of an application: the {@code Implementation-Version} in the manifest
     * of its jar, or {@code unknown} without one, as in tests.
     *
     * @param application a class of the jar
     */
    public ManagerOptions withVersionOf(Class<?> application) {
        String found = application.getPackage().getImplementationVersion();
        return withVersion(found == null || found.isBlank() ? UNKNOWN : found);
    }

    /** Return a copy of these options with the given scheme. */
    public ManagerOptions withScheme(Scheme newScheme) {
        return change(draft -> draft.scheme = newScheme);
    }

    /** Return a copy of these options with the given settings of the client. */
    public ManagerOptions withClient(ClientOptions options) {
        return change(draft -> draft.client = options);
    }

    /** Return a copy of these options with the given settings of the cache. */
    public ManagerOptions withCache(CacheOptions options) {
        return change(draft -> draft.cache = options);
    }

    /** Return a copy of these options with leader election. */
    public ManagerOptions withLeaderElection(LeaderElectionOptions options) {
        return change(draft -> draft.leaderElection = options);
    }

    /** Return a copy of these options without leader election. */
    public ManagerOptions withoutLeaderElection() {
        return change(draft -> draft.leaderElection = null);
    }

    /** Return a copy of these options with sharding. */
    public ManagerOptions withSharding(ShardingOptions options) {
        return change(draft -> draft.sharding = options);
    }

    /** Return a copy of these options with the given settings of start and stop. */
    public ManagerOptions withLifecycle(LifecycleOptions options) {
        return change(draft -> draft.lifecycle = options);
    }

    /** Return a copy of these options with the given settings of event recording. */
    public ManagerOptions withEvents(EventOptions options) {
        return change(draft -> draft.events = options);
    }

    /**
     * Return a copy of these options that reports measurements to the given destination. What it throws is logged and does not
     * affect the operator.
     */
    public ManagerOptions withMetrics(OperatorMetrics newMetrics) {
        return change(draft -> draft.metrics = OperatorMetrics.guarded(newMetrics));
    }

    /**
     * Return a copy of these options with the given clock, which a test advances to see what happens after hours: delays of
     * requests, expiry of leases, ages in metrics. Caches and controllers with a clock of their own keep it. Requests to the
     * API server, watches, resyncs and reconcile timeouts use real time.
     */
    public ManagerOptions withTimeSource(TimeSource newTimeSource) {
        return change(draft -> draft.timeSource = newTimeSource);
    }

    /**
     * Return a copy of these options with defaults for the components of the manager, for instance
     * {@code ControllerCustomizers}. They replace defaults of the same class.
     */
    public ManagerOptions withComponentDefaults(ComponentDefaults defaults) {
        return change(draft -> draft.componentDefaults.put(defaults.getClass(), defaults));
    }

    /** Return whether the replicas divide the objects of the home cluster. */
    boolean dividesObjects() {
        boolean several = sharding().filter(its -> its.shards() > 1).isPresent();
        return several && client().mode() == WriteMode.NORMAL; // an observer takes no part and sees everything
    }

    /** Return the shard of a cluster, empty if clusters are not divided. The hash does not depend on the options of the cache. */
    OptionalInt clusterShard(String cluster) {
        return sharding()
                .filter(its -> dividesObjects() && its.dividedClusters())
                .map(its -> CachedShards.of(its.shards(), Set.of()).ofNamespace(cluster))
                .map(OptionalInt::of)
                .orElse(OptionalInt.empty());
    }

    private ManagerOptions change(Consumer<Draft> change) {
        Draft draft = new Draft();
        draft.name = name;
        draft.version = version;
        draft.scheme = scheme;
        draft.client = client;
        draft.cache = cache;
        draft.leaderElection = leaderElection;
        draft.sharding = sharding;
        draft.lifecycle = lifecycle;
        draft.events = events;
        draft.metrics = metrics;
        draft.timeSource = timeSource;
        draft.componentDefaults.putAll(componentDefaults);
        change.accept(draft);
        return new ManagerOptions(draft);
    }

    @Override
    public String toString() {
        return "ManagerOptions[name=" + name + ", version=" + version + ", client=" + client + ", cache=" + cache
                + ", leaderElection=" + leaderElection + ", sharding=" + sharding + ", lifecycle=" + lifecycle
                + ", events=" + events + "]";
    }

    private static final class Draft {
        private String name = "operator";
        private String version = UNKNOWN;
        private Scheme scheme = Scheme.create();
        private ClientOptions client = ClientOptions.defaults();
        private CacheOptions cache = CacheOptions.defaults();
        private @Nullable LeaderElectionOptions leaderElection;
        private @Nullable ShardingOptions sharding;
        private LifecycleOptions lifecycle = LifecycleOptions.defaults();
        private EventOptions events = EventOptions.defaults();
        private OperatorMetrics metrics = OperatorMetrics.NONE;
        private TimeSource timeSource = TimeSource.system();
        private final Map<Class<?>, ComponentDefaults> componentDefaults = new HashMap<>();
    }
}
