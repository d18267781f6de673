package io.github.reconciler4j.manager;

import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.leaderelection.LeaderElectionOptions;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.recorder.EventOptions;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.support.SupportedVersions;
import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.support.internal.OptionValues;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a {@link Manager}. Immutable, except that the manager uses the given scheme and metrics themselves.
 *
 * <!-- snippet: ManagerUse -->
 * <pre>{@code
 * return ManagerOptions.defaults()
 *         .withName("greeter")
 *         .withLeaderElection(LeaderElectionOptions.named("greeter")
 *                 .withTiming(
 *                         LeaseTiming.of(Duration.ofSeconds(30), Duration.ofSeconds(20), Duration.ofSeconds(4))))
 *         .withLifecycle(LifecycleOptions.defaults().withGracefulShutdown(Duration.ofSeconds(20)))
 *         .withEvents(EventOptions.defaults().withDomain("example.com").withRate(50, Duration.ofSeconds(10)));
 * }</pre>
 *
 * @since 0.1.0
 */
public final class ManagerOptions {

    private static final String UNKNOWN = "unknown";

    private final Values values;

    private ManagerOptions(Values values) {
        notBlank(values.name, "name");
        notBlank(values.version, "version");
        Objects.requireNonNull(values.scheme, "'scheme' must not be null");
        Objects.requireNonNull(values.client, "'client' must not be null");
        Objects.requireNonNull(values.cache, "'cache' must not be null");
        Objects.requireNonNull(values.lifecycle, "'lifecycle' must not be null");
        Objects.requireNonNull(values.events, "'events' must not be null");
        Objects.requireNonNull(values.metrics, "'metrics' must not be null");
        Objects.requireNonNull(values.timeSource, "'timeSource' must not be null");
        this.values = values;
    }

    private static String notBlank(String value, String name) {
        if (value.isBlank()) {
            throw new IllegalArgumentException("'" + name + "' must not be blank");
        }
        return value;
    }

    /**
     * Return the defaults, with a new scheme.
     *
     * @throws io.github.reconciler4j.support.UnsupportedVersionException if fabric8 has a version that Reconciler4j does not work
     *     with
     */
    public static ManagerOptions defaults() {
        SupportedVersions.check();
        return new ManagerOptions(new Values());
    }

    /** Return the name of the manager in logs, threads, events and the user agent. The default is {@code operator}. */
    public String name() {
        return values.name;
    }

    /** Return the version of the operator for the user agent. The default is {@code unknown}. */
    public String version() {
        return values.version;
    }

    /** Return the scheme. The default is a new one for each call of {@link #defaults}. */
    public Scheme scheme() {
        return values.scheme;
    }

    /** Return the settings of the client. Its write gate and listener are called in addition to the manager's own. */
    public ClientOptions client() {
        return values.client;
    }

    /** Return the settings of the cache. The cache reports to the metrics of the manager unless it has its own. */
    public CacheOptions cache() {
        return values.cache;
    }

    /** Return the settings of leader election, empty (the default) if the operator has a single replica. */
    public Optional<LeaderElectionOptions> leaderElection() {
        return Optional.ofNullable(values.leaderElection);
    }

    /**
     * Return the settings of the modules that add an extension to the manager, by default none; see {@link #withExtension}.
     */
    public List<ManagerExtension.Options> extensions() {
        return values.extensions;
    }

    /** Return how the manager and other processes divide the work, as the first extension says; empty (the default) if they do not. */
    public Optional<WorkDivision> division() {
        return values.extensions.stream()
                .flatMap(extension -> extension.division(this).stream())
                .findFirst();
    }

    /** Return the settings of start and stop. */
    public LifecycleOptions lifecycle() {
        return values.lifecycle;
    }

    /** Return the settings of event recording. */
    public EventOptions events() {
        return values.events;
    }

    /** Return where to report measurements. The default is {@link OperatorMetrics#NONE}. */
    public OperatorMetrics metrics() {
        return values.metrics;
    }

    /** Return the clock of caches, work queues, leases and migrations of stored objects. The default is {@link TimeSource#system}. */
    public TimeSource timeSource() {
        return values.timeSource;
    }

    /** Return the defaults of the given type, empty if none were set. */
    public <T extends ComponentDefaults> Optional<T> componentDefaults(Class<T> type) {
        return Optional.ofNullable(values.componentDefaults.get(type)).map(type::cast);
    }

    /**
     * Return a copy of these options with the given name.
     *
     * @throws IllegalArgumentException if it is blank
     */
    public ManagerOptions withName(String newName) {
        return change(copy -> copy.name = newName);
    }

    /**
     * Return a copy of these options with the given version of the operator.
     *
     * @throws IllegalArgumentException if it is blank
     */
    public ManagerOptions withVersion(String newVersion) {
        return change(copy -> copy.version = newVersion);
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
        return change(copy -> copy.scheme = newScheme);
    }

    /** Return a copy of these options with the given settings of the client. */
    public ManagerOptions withClient(ClientOptions options) {
        return change(copy -> copy.client = options);
    }

    /** Return a copy of these options with the given settings of the cache. */
    public ManagerOptions withCache(CacheOptions options) {
        return change(copy -> copy.cache = options);
    }

    /** Return a copy of these options with leader election. */
    public ManagerOptions withLeaderElection(LeaderElectionOptions options) {
        return change(copy -> copy.leaderElection = options);
    }

    /** Return a copy of these options without leader election. */
    public ManagerOptions withoutLeaderElection() {
        return change(copy -> copy.leaderElection = null);
    }

    /**
     * Return a copy of these options with the settings of a module that adds an extension to the manager, such as
     * {@code ShardingOptions} of {@code reconciler4j-sharding}. They replace settings of the same class.
     */
    public ManagerOptions withExtension(ManagerExtension.Options options) {
        return change(copy -> copy.extensions = Stream.concat(
                        copy.extensions.stream().filter(each -> each.getClass() != options.getClass()),
                        Stream.of(options))
                .toList());
    }

    /** Return a copy of these options with the given settings of start and stop. */
    public ManagerOptions withLifecycle(LifecycleOptions options) {
        return change(copy -> copy.lifecycle = options);
    }

    /** Return a copy of these options with the given settings of event recording. */
    public ManagerOptions withEvents(EventOptions options) {
        return change(copy -> copy.events = options);
    }

    /**
     * Return a copy of these options that reports measurements to the given destination. What it throws is logged and does not
     * affect the operator.
     */
    public ManagerOptions withMetrics(OperatorMetrics newMetrics) {
        return change(copy -> copy.metrics = OperatorMetrics.guarded(newMetrics));
    }

    /**
     * Return a copy of these options with the given clock, which a test advances to see what happens after hours: delays of
     * requests, expiry of leases, ages in metrics. Caches and controllers with a clock of their own keep it. Requests to the
     * API server, watches, resyncs and reconcile timeouts use real time.
     */
    public ManagerOptions withTimeSource(TimeSource newTimeSource) {
        return change(copy -> copy.timeSource = newTimeSource);
    }

    /**
     * Return a copy of these options with defaults for the components of the manager, for instance
     * {@code ControllerCustomizers}. They replace defaults of the same class.
     */
    public ManagerOptions withComponentDefaults(ComponentDefaults defaults) {
        return change(copy -> {
            Map<Class<?>, ComponentDefaults> all = new HashMap<>(copy.componentDefaults);
            all.put(defaults.getClass(), defaults);
            copy.componentDefaults = Map.copyOf(all);
        });
    }

    private ManagerOptions change(Consumer<Values> change) {
        return new ManagerOptions(values.changed(change));
    }

    @Override
    public String toString() {
        return "ManagerOptions[name=" + values.name + ", version=" + values.version + ", client=" + values.client
                + ", cache=" + values.cache
                + ", leaderElection=" + values.leaderElection + ", extensions=" + values.extensions + ", lifecycle="
                + values.lifecycle
                + ", events=" + values.events + "]";
    }

    private static final class Values extends OptionValues<Values> {
        private String name = "operator";
        private String version = UNKNOWN;
        private Scheme scheme = Scheme.create();
        private ClientOptions client = ClientOptions.defaults();
        private CacheOptions cache = CacheOptions.defaults();
        private @Nullable LeaderElectionOptions leaderElection;
        private List<ManagerExtension.Options> extensions = List.of();
        private LifecycleOptions lifecycle = LifecycleOptions.defaults();
        private EventOptions events = EventOptions.defaults();
        private OperatorMetrics metrics = OperatorMetrics.NONE;
        private TimeSource timeSource = TimeSource.system();
        private Map<Class<?>, ComponentDefaults> componentDefaults = Map.of();
    }
}
