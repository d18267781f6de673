package io.github.reconciler4j.manager.internal.server;

import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.KindStatus;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.ClientInterceptor;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.WriteMode;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.connection.ConnectionOptions;
import io.github.reconciler4j.client.error.ServerNotReadyException;
import io.github.reconciler4j.client.internal.ClientWiring;
import io.github.reconciler4j.client.internal.http.ServerWait;
import io.github.reconciler4j.client.internal.spi.WriteGate;
import io.github.reconciler4j.health.HealthCheck;
import io.github.reconciler4j.leaderelection.WriteScope;
import io.github.reconciler4j.manager.Cluster;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.ManagerExtension;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.manager.StartGroup;
import io.github.reconciler4j.manager.internal.AccessQuestions;
import io.github.reconciler4j.manager.internal.HealthRegistry;
import io.github.reconciler4j.manager.permission.MissingPermissionsException;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.recorder.EventBroadcaster;
import io.github.reconciler4j.recorder.EventRecorder;
import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.support.internal.RetryPace;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One API server with the connection, the cache and the client for it: the manager's own, whose parts start at different
 * stages, or another one, which is a component.
 */
public final class ServerComponent implements Cluster, ManagedComponent {

    private static final Logger LOG = LoggerFactory.getLogger(ServerComponent.class);

    /** The label of the metrics of other clusters. */
    private static final String LABEL = "cluster";

    /** The word for the manager's own cluster where clusters are selected by name. */
    private static final String HOME = "home";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9._]{0,251}[A-Za-z0-9])?");

    private final String name;
    private final ApiConnection connection;
    private final Cache cache;
    private final Client client;
    private final EventBroadcaster events;
    private final ManagerOptions options;
    private final Consumer<ServerComponent> preflight;
    private final OptionalInt part;
    private final Map<String, ServerComponent> servers;

    /** Bounds what all attempts to start ask the server; a healthy one sees one request besides the questions. */
    private final RetryPace pace;

    private final ServerWait server;
    private final AccessQuestions questions;

    /** Why another cluster cannot be used, at the last attempt to start; empty if it can. */
    private volatile String unavailable = "";

    /** Whether the server of another cluster has responded once. */
    private volatile boolean responded;

    private ServerComponent(
            String name,
            OptionalInt part,
            ApiConnection connection,
            CacheOptions cacheOptions,
            Shared shared,
            Consumer<ServerComponent> preflight) {
        ManagerOptions options = shared.options;
        this.preflight = preflight;
        this.name = name;
        this.part = part;
        this.servers = shared.servers;
        this.connection = connection;
        this.options = options;
        this.pace = new RetryPace(options.timeSource(), 1);
        this.server = new ServerWait(connection, options.lifecycle().progressInterval(), options.timeSource(), pace);
        this.questions = newQuestions();
        this.cache = Cache.create(connection, options.scheme(), clocked(cacheOptions, options.timeSource()));
        this.client = ClientWiring.of(connection, options.scheme())
                .withCache(cache)
                .withWriteGate(new Gate(shared))
                .withDefaultFieldManager(options.name())
                .create(options.client());
        OperatorMetrics metrics =
                name.isEmpty() ? options.metrics() : options.metrics().withLabel(LABEL, name);
        this.events = options.client().mode() == WriteMode.NORMAL
                ? new EventBroadcaster(connection, shared.identity, options.events(), metrics)
                : EventBroadcaster.toLog(options.events(), metrics);
    }

    /**
     * What all clusters of a manager have in common.
     *
     * @param unscopedGate checks the writes of threads without a write scope
     * @param identity the name of this process in events
     * @param servers all of them by their names. One is removed before the components for it are; the manager adds a component,
     *     then looks here for its cluster, and removes the component if the cluster is not here any more. So a component is either
     *     seen by the removal of its cluster or rejected.
     * @param extensions those of the manager, which see each write; added while clients exist
     */
    public record Shared(
            ManagerOptions options,
            WriteGate unscopedGate,
            String identity,
            Map<String, ServerComponent> servers,
            List<ManagerExtension> extensions) {

        /** Creates what the clusters of a new manager share. */
        public Shared(ManagerOptions options, WriteGate unscopedGate, String identity) {
            this(options, unscopedGate, identity, new ConcurrentHashMap<>(), new CopyOnWriteArrayList<>());
        }
    }

    private static ClientOptions forCluster(ClientOptions client, String name) {
        return client.withInterceptors(client.interceptors().stream()
                .map(interceptor -> interceptor.forCluster(name))
                .toList());
    }

    private static CacheOptions clocked(CacheOptions cache, TimeSource time) {
        return cache.timeSource() == TimeSource.system() ? cache.withTimeSource(time) : cache;
    }

    public static ApiConnection connect(Config config, ManagerOptions options, OperatorMetrics metrics) {
        ConnectionOptions connectionOptions = ConnectionOptions.defaults()
                .withUserAgent(userAgent(options.name(), options.version()))
                .withMetrics(metrics);
        return ApiConnection.open(config, connectionOptions);
    }

    /** The operator with its version, then this framework with its own. A header cannot contain all characters. */
    private static String userAgent(String operator, String version) {
        String framework = ServerComponent.class.getPackage().getImplementationVersion();
        String suffix = framework == null ? "" : "/" + token(framework);
        return token(operator) + "/" + token(version) + " reconciler4j" + suffix;
    }

    private static String token(String text) {
        return text.replaceAll("[^!#$%&'*+.^_`|~0-9A-Za-z-]", "-");
    }

    /** Creates the manager's own cluster. */
    public static ServerComponent own(ApiConnection connection, Shared shared) {
        ManagerOptions options = shared.options;
        for (ManagerExtension.Options extension : options.extensions()) {
            options = options.withCache(extension.cache(options));
        }
        CacheOptions cache = options.cache().withMetrics(cacheMetrics(options));
        ServerComponent home = new ServerComponent("", OptionalInt.empty(), connection, cache, shared, cluster -> {});
        shared.servers.put("", home);
        return home;
    }

    /**
     * Creates another cluster, whose metrics have its name as a label.
     *
     * @param part the part of the work to which it belongs, empty if it is not divided
     * @param preflight checks its permissions when its server responds
     */
    public static ServerComponent other(
            String name, OptionalInt part, Config config, Shared shared, Consumer<ServerComponent> preflight) {
        ManagerOptions options = shared.options;
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "'name' of a cluster must be at most 253 letters, digits, '-', '_' and '.',"
                            + " and must start and end with a letter or digit, was '" + name + "'");
        }
        if (name.equals(HOME)) {
            throw new IllegalArgumentException(
                    "'name' of a cluster must not be 'home', which stands for the cluster of the manager");
        }
        CacheOptions cache = options.cache()
                .withCluster(name)
                .withMetrics(cacheMetrics(options).withLabel(LABEL, name));
        Shared own = new Shared(
                options.withClient(forCluster(options.client(), name)),
                shared.unscopedGate,
                shared.identity,
                shared.servers,
                shared.extensions);
        ApiConnection connection = connect(config, options, options.metrics().withLabel(LABEL, name));
        return new ServerComponent(name, part, connection, cache, own, preflight);
    }

    private static OperatorMetrics cacheMetrics(ManagerOptions options) {
        OperatorMetrics metrics = options.cache().metrics();
        return metrics == OperatorMetrics.NONE ? options.metrics() : metrics;
    }

    /** Writes must pass the extensions, and then the lease of their scope. */
    private final class Gate implements WriteGate {

        private final Shared shared;

        Gate(Shared shared) {
            this.shared = shared;
        }

        @Override
        public void check() {
            Optional<WriteScope> scope = WriteScope.current();
            if (scope.isPresent()) {
                scope.get().check();
            } else {
                shared.unscopedGate.check();
            }
        }

        @Override
        public ApiResponse send(ClientCall call, ClientInterceptor.Next next) {
            ClientInterceptor.Next chain = next;
            for (ManagerExtension extension : shared.extensions) {
                ClientInterceptor.Next inner = chain;
                chain = passed -> extension.send(ServerComponent.this, passed, inner);
            }
            return chain.proceed(call);
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public OptionalInt part() {
        return part;
    }

    @Override
    public Optional<Cluster> sibling(String sibling) {
        return Optional.ofNullable(servers.get(sibling));
    }

    @Override
    public String cluster() {
        return name;
    }

    @Override
    public StartGroup group() {
        return StartGroup.CACHES;
    }

    @Override
    public List<HealthCheck> healthChecks() {
        return List.of(HealthRegistry.ofCache("cache/" + name, cache, () -> unavailable));
    }

    @Override
    public ApiConnection connection() {
        return connection;
    }

    @Override
    public Cache cache() {
        return cache;
    }

    @Override
    public Client client() {
        return client;
    }

    @Override
    public EventRecorder recorder() {
        return events.threadRecorder(options.name());
    }

    @Override
    public boolean recordsEvents() {
        return options.client().mode() == WriteMode.NORMAL && events.hasRecorder();
    }

    public EventRecorder recorder(String reportingController) {
        return events.recorder(reportingController);
    }

    public void awaitServer() throws InterruptedException {
        server.await(options.lifecycle().apiServerTimeout());
    }

    /** Returns the questions that the attempts to start ask. */
    public AccessQuestions questions() {
        return questions;
    }

    /** Returns new questions, for a report that is asked for once. */
    public AccessQuestions newQuestions() {
        return new AccessQuestions(connection, options.timeSource(), pace);
    }

    /**
     * Starts the cache and waits until it has synced, except for kinds whose definition or permission is missing: what needs
     * them waits alone.
     */
    public void startCache() throws InterruptedException {
        cache.start();
        List<KindStatus> missing = cache.awaitSettled(options.cache().syncTimeout());
        if (!missing.isEmpty()) { // the reason was logged when it occurred
            LOG.warn(
                    "Continuing without {}: not synced yet; components that need them will wait",
                    missing.stream().map(kind -> kind.kind().resource()).collect(Collectors.joining(", ")));
        }
    }

    @Override
    public void start() throws InterruptedException {
        awaitResponse();
        try {
            preflight.accept(this);
        } catch (MissingPermissionsException e) {
            unavailable = String.valueOf(e.getMessage());
            throw e;
        }
        startCache();
    }

    /** Asks the server of another cluster once. The delay between attempts grows, so that it gets few requests. */
    public void awaitResponse() throws InterruptedException {
        try {
            server.ask(options.lifecycle().apiServerTimeout());
        } catch (ServerNotReadyException e) { // health says why until the next attempt
            unavailable = String.valueOf(e.getMessage());
            throw e;
        }
        unavailable = "";
        responded = true;
    }

    /** Throws if the server of this cluster has never responded. */
    public void checkResponds() throws ServerAwayException {
        if (!name.isEmpty() && !responded) {
            String reason = unavailable;
            throw new ServerAwayException(
                    "cluster " + name + " does not respond" + (reason.isEmpty() ? "" : ": " + reason));
        }
    }

    @Override
    public void stop(Duration grace) {
        events.close();
        cache.close();
        connection.close();
        if (!name.isEmpty()) {
            options.metrics().removeWithLabel(LABEL, name);
            options.cache().metrics().removeWithLabel(LABEL, name);
        }
    }
}
