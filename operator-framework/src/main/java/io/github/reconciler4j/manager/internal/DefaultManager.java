package io.github.reconciler4j.manager.internal;

import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ConnectionOptions;
import io.github.reconciler4j.health.HealthCheck;
import io.github.reconciler4j.leaderelection.LeadershipListener;
import io.github.reconciler4j.leaderelection.WriteScope;
import io.github.reconciler4j.manager.Cluster;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.manager.ManagerStatus;
import io.github.reconciler4j.manager.PermissionReport;
import io.github.reconciler4j.manager.StartGroup;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.recorder.EventRecorder;
import io.github.reconciler4j.scheme.Scheme;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts the lifecycle, leadership and what all components share together.
 *
 * @since 0.1.0
 */
public final class DefaultManager implements Manager {

    private static final Logger LOG = LoggerFactory.getLogger(DefaultManager.class);

    private final ManagerOptions options;
    private final Lifecycle lifecycle;
    private final Leadership leadership;
    private final SharedParts parts;
    private final HealthRegistry health;

    /** Each component with its companions after it. */
    private final List<List<ManagedComponent>> components = new CopyOnWriteArrayList<>();

    private DefaultManager(ApiConnection connection, ManagerOptions options) {
        this.options = options;
        this.lifecycle = new Lifecycle(options.name(), options.lifecycle(), TimeSource.SYSTEM, new Hooks());
        String identity = SharedParts.identity(options);
        this.leadership = SharedParts.leadership(connection, options, identity, lifecycle);
        this.parts = SharedParts.create(connection, options, identity, leadership.unscopedGate());
        this.health = new HealthRegistry(lifecycle, leadership, parts.cache());
        leadership.add(new LeaderEvents(this));
        lifecycle.add(new ApiServerWait(connection, options.lifecycle()), Stage.API_SERVER);
        lifecycle.add(
                new PreflightComponent(options.lifecycle().preflight(), options.name(), this::checkPermissions),
                Stage.PREFLIGHT);
        lifecycle.add(new CacheComponent(parts.cache(), options.cache().syncTimeout()), Stage.CACHES);
    }

    /** See {@link Manager#create(Config, ManagerOptions)}. */
    public static DefaultManager create(Config config, ManagerOptions options) {
        ApiConnection connection = connect(config, options);
        try {
            return new DefaultManager(connection, options);
        } catch (RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    private static ApiConnection connect(Config config, ManagerOptions options) {
        ConnectionOptions connectionOptions = ConnectionOptions.defaults()
                .withUserAgent(UserAgent.of(options.name(), options.version()))
                .withMetrics(options.metrics())
                .withEngine(options.engine());
        return ApiConnection.open(config, connectionOptions);
    }

    private final class Hooks implements LifecycleHooks {
        @Override
        public WriteScope scope(Stage stage, String lease) {
            return stage == Stage.LEADER_ELECTED ? WriteScope.of(leadership.gate(lease)) : WriteScope.everywhere();
        }

        @Override
        public void standForElection() {
            leadership.stand();
        }

        @Override
        public void stopping() {
            LOG.info("Manager {} is stopping", options.name());
            leadership.withdraw();
        }

        @Override
        public void stopped(boolean allEnded) {
            leadership.close(allEnded);
            parts.close();
            LOG.info("Manager {} has stopped", options.name());
        }
    }

    @Override
    public Scheme scheme() {
        return options.scheme();
    }

    @Override
    public ApiConnection connection() {
        return parts.connection();
    }

    @Override
    public Cache cache() {
        return parts.cache();
    }

    @Override
    public Client client() {
        return parts.client();
    }

    @Override
    public EventRecorder recorder(String reportingController) {
        return parts.events().recorder(reportingController);
    }

    @Override
    public EventRecorder recorder() {
        return parts.events().threadRecorder(options.name());
    }

    @Override
    public ManagerOptions options() {
        return options;
    }

    @Override
    public void add(ManagedComponent component) {
        List<ManagedComponent> added = withCompanions(component);
        health.add(added);
        try {
            lifecycle.add(added);
        } catch (RuntimeException e) {
            health.remove(added);
            throw e;
        }
        components.add(added);
        added.stream()
                .filter(each -> each.group() == StartGroup.LEADER_ELECTED)
                .forEach(each -> leadership.require(each.lease()));
    }

    @Override
    public boolean remove(ManagedComponent component) {
        for (List<ManagedComponent> added : components) {
            if (added.get(0) == component && components.remove(added)) {
                health.remove(added);
                return lifecycle.remove(added);
            }
        }
        throw new IllegalArgumentException("'" + component.name() + "' is not a component of this manager");
    }

    private static List<ManagedComponent> withCompanions(ManagedComponent component) {
        List<ManagedComponent> all = new ArrayList<>();
        all.add(component);
        all.addAll(component.companions());
        return all;
    }

    @Override
    public Cluster addCluster(String name, Config config) {
        ApiConnection connection = connect(config, options);
        Cache cache = Cache.create(connection, scheme(), options.cache().withMetrics(OperatorMetrics.NONE));
        Client client = SharedParts.client(connection, cache, options, leadership.unscopedGate());
        ClusterComponent cluster = new ClusterComponent(
                name,
                connection,
                cache,
                client,
                options.lifecycle(),
                options.cache().syncTimeout());
        try {
            add(cluster);
            return cluster;
        } catch (RuntimeException e) {
            cluster.stop(Duration.ZERO);
            throw e;
        }
    }

    @Override
    public List<ManagedComponent> components() {
        return components.stream().flatMap(List::stream).toList();
    }

    @Override
    public PermissionReport checkPermissions() {
        return new PermissionReviews(connection()).review(RequiredPermissions.of(this));
    }

    @Override
    public ManagerStatus status() {
        return new ManagerStatus(lifecycle.isRunning(), lifecycle.statuses(), leadership.statuses());
    }

    @Override
    public void addHealthCheck(HealthCheck check) {
        health.add(check);
    }

    @Override
    public List<HealthCheck> healthChecks() {
        return health.checks();
    }

    @Override
    public void addLeadershipListener(LeadershipListener listener) {
        leadership.add(listener);
    }

    @Override
    public boolean isLeader() {
        return leadership.isLeader("");
    }

    @Override
    public void start() {
        LOG.info(
                "Manager {} is starting, API server {}",
                options.name(),
                connection().server());
        lifecycle.start();
        if (lifecycle.isRunning()) {
            LOG.info("Manager {} has started", options.name());
        }
    }

    @Override
    public void stop() {
        lifecycle.stop();
    }

    @Override
    public boolean isRunning() {
        return lifecycle.isRunning();
    }

    @Override
    public void await() throws InterruptedException {
        lifecycle.await();
    }

    @Override
    public void fail(String component, Throwable cause) {
        lifecycle.fail(component, "failed", cause);
    }
}
