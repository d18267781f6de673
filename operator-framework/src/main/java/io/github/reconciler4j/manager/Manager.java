package io.github.reconciler4j.manager;

import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.health.HealthCheck;
import io.github.reconciler4j.leaderelection.LeadershipListener;
import io.github.reconciler4j.leaderelection.LeaseStatus;
import io.github.reconciler4j.manager.internal.DefaultManager;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.recorder.EventRecorder;
import io.github.reconciler4j.scheme.Scheme;
import java.util.List;
import java.util.Optional;

/**
 * Starts and stops all parts of an operator in order, and owns what they share: the connection to one API server, the
 * scheme, the cache, the recorder of events, the lease. Started once, stopped once.
 *
 * <p>Start order: {@link StartGroup} by group, the components of one group side by side, each group when all of the one
 * before are ready. A component that cannot start because something outside is missing
 * ({@link ComponentNotReadyException}) waits alone and is tried again. Any other failure stops everything.
 *
 * <p>Stop order: backwards, the lease last of what elected components need, then the recorder and the connection.
 *
 * <p>Safe for use by many threads.
 *
 * @since 0.1.0
 */
public interface Manager extends AutoCloseable {

    /** Creates a manager with default options; see {@link #create(Config, ManagerOptions)}. */
    static Manager create(Config config) {
        return create(config, ManagerOptions.defaults());
    }

    /**
     * Creates a manager of its own connection, cache and client. Nothing is sent and nothing runs before {@link #start};
     * one that is never started holds no thread, but should be closed.
     *
     * @param config where the API server is and how to be known there; not changed
     * @throws io.github.reconciler4j.client.error.ConnectionException if certificates or proxy settings cannot be used
     * @throws IllegalStateException if leader election is on and the namespace of its Lease cannot be told
     */
    static Manager create(Config config, ManagerOptions options) {
        return DefaultManager.create(config, options);
    }

    /** The kinds known. */
    Scheme scheme();

    /** The way to the API server. */
    ApiConnection connection();

    /** The local copy of watched kinds; synced once the manager has started. */
    Cache cache();

    /**
     * Reads from the cache and writes to the API server. With leader election, writes of components that run under a
     * lease, of all their threads that {@link io.github.reconciler4j.leaderelection.WriteScope} knows, are refused unless
     * this replica holds the lease at that moment; so are writes of threads of no component, once the manager's lease
     * was lost.
     */
    Client client();

    /** A recorder of Kubernetes events in the name of a controller, for instance {@code reconciler4j.io/webapp}. */
    EventRecorder recorder(String reportingController);

    /** Where measurements go. */
    OperatorMetrics metrics();

    /** What the manager was created with. */
    ManagerOptions options();

    /**
     * Keeps something for those who make components for this manager, such as the defaults of its controllers; replaces
     * what was kept under the same type.
     */
    <T> void attach(Class<T> type, T attached);

    /** What {@link #attach} was last called with for a type. */
    <T> Optional<T> attached(Class<T> type);

    /**
     * Adds a component, before, during or after start. If its group has started already it is started in the
     * background; a failure then stops the manager.
     *
     * @throws IllegalArgumentException if there is a component of that name already
     * @throws IllegalStateException if the manager is stopping or has stopped
     */
    void add(ManagedComponent component);

    /**
     * Adds another API server, whose cache starts with that of this manager and is synced before what works starts.
     *
     * @param name names it in logs and health, unique among components
     * @param config where it is and how to be known there; not changed
     * @throws io.github.reconciler4j.client.error.ConnectionException if certificates or proxy settings cannot be used
     * @throws IllegalArgumentException if there is a component of that name already
     * @throws IllegalStateException if the manager is stopping or has stopped
     */
    Cluster addCluster(String name, Config config);

    /** All components added so far, in the order in which they were added. */
    List<ManagedComponent> components();

    /** Asks the API server now for the rights that all components and the manager itself need. */
    PermissionReport checkPermissions();

    /** How all components are now. */
    List<ComponentStatus> statuses();

    /**
     * Adds a check to what {@link #healthChecks} returns.
     *
     * @throws IllegalArgumentException if there is a check of that name already
     */
    void addHealthCheck(HealthCheck check);

    /** All checks: those added, and the manager's own. */
    List<HealthCheck> healthChecks();

    /** Tells a listener of leadership from now on; without leader election it is told once that this replica leads. */
    void addLeadershipListener(LeadershipListener listener);

    /** How this replica and all leases stand; empty without leader election. */
    List<LeaseStatus> leases();

    /** Whether this replica holds the manager's lease; without leader election, whether the manager runs. */
    boolean isLeader();

    /**
     * Starts everything in order and returns when servers, webhooks, caches and what works everywhere are up. Elected
     * components follow when the lease is won.
     *
     * @throws ManagerStartException if the API server did not answer in time or a component failed; everything has been
     *     stopped then; also after an interrupt, with the interrupt flag set
     * @throws IllegalStateException if it was started or stopped before
     */
    void start();

    /**
     * Stops everything in reverse order and returns when it has ended: takes no new work, lets running work finish
     * within the grace period, interrupts the rest, gives the lease back. Called during start it ends the start.
     * Further calls wait for the first. Never throws; {@link #await} tells what did not end.
     */
    void stop();

    /** The same as {@link #stop}. */
    @Override
    default void close() {
        stop();
    }

    /** Whether {@link #start} has returned and {@link #stop} has not begun. */
    boolean isRunning();

    /**
     * Waits until the manager has stopped.
     *
     * @throws ManagerFailedException if it stopped because a component failed, because the lease was lost, or if a
     *     component did not end within the grace period
     * @throws InterruptedException if the thread is interrupted
     */
    void await() throws InterruptedException;

    /**
     * Reports that a running component cannot go on. The manager stops everything and {@link #await} throws. Returns at
     * once.
     */
    void fail(String component, Throwable cause);
}
