package io.github.reconciler4j.manager.internal;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.WorkScope;
import io.github.reconciler4j.client.WriteMode;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.health.HealthCheck;
import io.github.reconciler4j.leaderelection.LeadershipListener;
import io.github.reconciler4j.leaderelection.LeaseStatus;
import io.github.reconciler4j.leaderelection.WriteScope;
import io.github.reconciler4j.manager.Cluster;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerExtension;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.manager.ManagerStatus;
import io.github.reconciler4j.manager.StartGroup;
import io.github.reconciler4j.manager.internal.leadership.Leadership;
import io.github.reconciler4j.manager.internal.leadership.LeaseLeadership;
import io.github.reconciler4j.manager.internal.leadership.SoleLeadership;
import io.github.reconciler4j.manager.internal.lifecycle.Failure;
import io.github.reconciler4j.manager.internal.lifecycle.Lifecycle;
import io.github.reconciler4j.manager.internal.lifecycle.LifecycleHooks;
import io.github.reconciler4j.manager.internal.lifecycle.Stage;
import io.github.reconciler4j.manager.internal.server.ServerAwayException;
import io.github.reconciler4j.manager.internal.server.ServerComponent;
import io.github.reconciler4j.manager.permission.MissingPermissionsException;
import io.github.reconciler4j.manager.permission.PermissionReport;
import io.github.reconciler4j.recorder.EventRecorder;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.internal.CallWatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Assembles the lifecycle, leadership and what all components share. */
public final class DefaultManager implements Manager {

    private static final Logger LOG = LoggerFactory.getLogger(DefaultManager.class);

    private final ManagerOptions options;
    private final Lifecycle lifecycle;
    private final Leadership leadership;
    private final ServerComponent.Shared shared;
    private final ServerComponent cluster;
    private final HealthRegistry health;
    private final ManagerExtensions extensions;

    /** Each component with its companions after it. */
    private final List<List<ManagedComponent>> components = new CopyOnWriteArrayList<>();

    private final CallWatch calls;
    private final Claims claims = new Claims();
    private final LogLimiter failures = new LogLimiter();

    private DefaultManager(ApiConnection connection, ManagerOptions options) {
        this.options = options;
        this.lifecycle = new Lifecycle(options.name(), options.lifecycle(), options.timeSource(), new Hooks());
        // An operator that must not write neither acquires a lease nor needs one.
        boolean observer = options.client().mode() != WriteMode.NORMAL;
        String identity = LeaseLeadership.identity(options);
        this.leadership = observer || options.leaderElection().isEmpty()
                ? new SoleLeadership(lifecycle)
                : LeaseLeadership.create(connection, options, identity, lifecycle);
        this.calls = new CallWatch(options.name(), options.timeSource());
        this.shared = new ServerComponent.Shared(options, leadership.unscopedGate(), identity);
        this.cluster = ServerComponent.own(connection, shared);
        this.health = new HealthRegistry(lifecycle, leadership::statuses, cluster.cache(), calls);
        this.extensions = new ManagerExtensions(this, shared, health::record);
        leadership.onListenerFailure(health::record);
        leadership.add(new LeaderEvents());
        addOwnComponents();
        extensions.create();
    }

    public static DefaultManager create(Config config, ManagerOptions options) {
        ApiConnection connection = ServerComponent.connect(config, options, options.metrics());
        try {
            return new DefaultManager(connection, options);
        } catch (Throwable e) {
            connection.close();
            throw e;
        }
    }

    private void addOwnComponents() {
        Runnable nothing = () -> {};
        lifecycle.add(List.of(
                new Stage.Step("api-server", Stage.API_SERVER, this::awaitServer, nothing),
                new Stage.Step(
                        "preflight", Stage.PREFLIGHT, () -> permissionCheck().preflight(cluster), nothing),
                new Stage.Step("cache", Stage.CACHES, cluster::startCache, cluster.cache()::close)));
    }

    /** Waits for the API server, and lets the log name the features that its version lacks. */
    private void awaitServer() throws Exception {
        cluster.awaitServer();
        cluster.client().discovery().isKubernetesAtLeast(0);
    }

    /** What only one component may have. Thread-safe. */
    private static final class Claims {

        private final Map<String, ManagedComponent> owners = new ConcurrentHashMap<>();

        /** Returns whether the component has claims and is new. */
        boolean add(ManagedComponent component) {
            boolean added = false;
            for (Map.Entry<String, String> claim : component.claims().entrySet()) {
                ManagedComponent owner = owners.putIfAbsent(claim.getKey(), component);
                if (owner != null && owner != component) {
                    remove(component);
                    throw new IllegalArgumentException("Cannot add '" + component.name() + "': '" + owner.name()
                            + "' has the " + claim.getKey() + " already. " + claim.getValue());
                }
                added |= owner == null;
            }
            return added;
        }

        void remove(ManagedComponent component) {
            owners.values().removeIf(owner -> owner == component);
        }
    }

    private final class Hooks implements LifecycleHooks {
        @Override
        public WriteScope scope(Stage stage, String lease) {
            return stage == Stage.LEADER_ELECTED
                    ? WriteScope.of(leadership.gate(lease)::check)
                    : WriteScope.everywhere();
        }

        @Override
        public void checkResponds(String cluster) throws ServerAwayException {
            ServerComponent needed = shared.servers().get(cluster);
            if (needed != null) {
                needed.checkResponds();
            }
        }

        @Override
        public void campaign() {
            leadership.campaign();
        }

        @Override
        public void stopping() {
            LOG.info("Manager {} is stopping", options.name());
            leadership.resign();
        }

        @Override
        public void stopped(boolean electedEnded) {
            leadership.close(electedEnded);
            cluster.stop(Duration.ZERO);
            calls.stop();
            LOG.info("Manager {} has stopped", options.name());
        }
    }

    /** Records events about the Lease when this replica starts or stops leading, as components of Kubernetes do. */
    private final class LeaderEvents implements LeadershipListener {
        @Override
        public void elected(String lease) {
            record(lease, "BecomeLeader", "became leader");
        }

        @Override
        public void lost(String lease, String reason) {
            record(lease, "StopLeading", "stopped leading");
        }

        private void record(String lease, String action, String what) {
            for (LeaseStatus status : leadership.statuses()) {
                if (status.name().equals(lease)) {
                    Lease object = new LeaseBuilder()
                            .withNewMetadata()
                            .withNamespace(status.key().namespace())
                            .withName(status.key().name())
                            .endMetadata()
                            .build();
                    recorder(current -> current.recorder("leader-election"))
                            .normal(object, "LeaderElection", action, status.identity() + " " + what);
                }
            }
        }
    }

    @Override
    public ManagerOptions options() {
        return options;
    }

    @Override
    public Cache cache() {
        return cluster.cache();
    }

    @Override
    public Client client() {
        return cluster.client();
    }

    @Override
    public EventRecorder recorder() {
        cluster.recorder(); // notes that the operator records events
        return recorder(ServerComponent::recorder);
    }

    @Override
    public EventRecorder recorder(String reportingController) {
        cluster.recorder(); // notes that the operator records events
        cluster.recorder(reportingController); // checks the name
        return recorder(current -> current.recorder(reportingController));
    }

    /** Records in the cluster of the calling thread, unless that has left. */
    private EventRecorder recorder(Function<ServerComponent, EventRecorder> its) {
        return entry -> Optional.ofNullable(shared.servers().get(WorkScope.cluster()))
                .ifPresent(current -> its.apply(current).record(entry));
    }

    @Override
    public void add(ManagedComponent component) {
        List<ManagedComponent> added = new ArrayList<>();
        added.add(component);
        added.addAll(component.companions());
        boolean claimed = claims.add(component);
        try {
            register(added);
        } catch (Throwable e) {
            if (claimed) {
                claims.remove(component);
            }
            throw e;
        }
        components.add(List.copyOf(added));
        if (!shared.servers().containsKey(component.cluster()) && !(component instanceof ServerComponent)) {
            removeAll(List.of(component));
            throw new IllegalArgumentException(
                    "Cannot add '" + component.name() + "': the manager has no cluster '" + component.cluster() + "'");
        }
        added.stream()
                .filter(each -> each.group() == StartGroup.LEADER_ELECTED)
                .forEach(each -> leadership.require(each.lease()));
        extensions.added(added);
    }

    private void register(List<ManagedComponent> added) {
        health.add(added);
        try {
            extensions.adding(added);
            lifecycle.add(added);
        } catch (Throwable e) {
            health.remove(added);
            extensions.ended(added);
            throw e;
        }
    }

    @Override
    public boolean remove(ManagedComponent component) {
        Optional<Boolean> ended = removeAll(List.of(component));
        return ended.orElseThrow(
                () -> new IllegalArgumentException("'" + component.name() + "' is not a component of this manager"));
    }

    /** Removes components with their companions; returns whether they ended in time, empty if none of them is here. */
    Optional<Boolean> removeAll(List<ManagedComponent> firsts) {
        List<ManagedComponent> removed = new ArrayList<>();
        for (List<ManagedComponent> added : components) {
            boolean wanted = firsts.stream().anyMatch(first -> first == added.get(0));
            if (wanted && components.remove(added)) {
                removed.addAll(added);
            }
        }
        extensions.removed(removed);
        health.remove(removed);
        if (removed.isEmpty()) {
            return Optional.empty();
        }
        boolean ended = lifecycle.remove(removed);
        removed.forEach(claims::remove);
        extensions.ended(removed);
        removed.forEach(this::notifyRemoved);
        return Optional.of(ended);
    }

    private void notifyRemoved(ManagedComponent component) {
        try {
            component.removed();
        } catch (Throwable e) {
            failures.log(
                    LogLimiter.cause(e),
                    occurrence -> LOG.warn(
                            "A component failed after its removal{}", occurrence.suffix(e), occurrence.trace(e)));
        }
    }

    @Override
    public Cluster home() {
        return cluster;
    }

    @Override
    public <E extends ManagerExtension> E extension(
            Class<E> type, Function<? super ManagerExtension.Host, ? extends E> create) {
        return extensions.get(type, create);
    }

    @Override
    public void addHealthCheck(HealthCheck check) {
        health.add(check);
    }

    @Override
    public void addLeadershipListener(LeadershipListener listener) {
        leadership.add(listener);
    }

    @Override
    public List<ManagedComponent> components() {
        return components.stream().flatMap(List::stream).toList();
    }

    @Override
    public List<HealthCheck> healthChecks() {
        return health.checks();
    }

    @Override
    public ManagerStatus status() {
        return new ManagerStatus(
                lifecycle.isRunning(),
                leadership.isLeader(""),
                lifecycle.statuses(),
                leadership.statuses(),
                extensions.statuses());
    }

    @Override
    public PermissionReport checkPermissions() {
        return permissionCheck().report();
    }

    /** Checks the permissions in a cluster that has been added. */
    void preflight(ServerComponent joining) throws MissingPermissionsException {
        permissionCheck().preflight(joining);
    }

    private PermissionCheck permissionCheck() {
        return new PermissionCheck(options, components(), leadership.statuses(), cluster);
    }

    @Override
    public void start() {
        LOG.info(
                "Manager {} is starting with API server {}",
                options.name(),
                cluster.connection().server());
        calls.start();
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
    public void await() throws InterruptedException {
        lifecycle.await();
    }

    @Override
    public void fail(String component, Throwable cause) {
        lifecycle.fail(new Failure(component, "failed", cause));
    }
}
