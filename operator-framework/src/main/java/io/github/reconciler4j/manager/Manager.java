package io.github.reconciler4j.manager;

import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.health.HealthCheck;
import io.github.reconciler4j.leaderelection.LeadershipListener;
import io.github.reconciler4j.manager.internal.DefaultManager;
import io.github.reconciler4j.manager.permission.PermissionReport;
import io.github.reconciler4j.recorder.EventRecorder;
import java.util.List;
import java.util.function.Function;

/**
 * Starts and stops the components of an operator in order, and owns what they share: the connection to one API server, the
 * scheme, the cache, the client, the event recorder and the leases. Modules add to it what they have to add with an
 * {@link #extension}, such as other clusters. A manager is started once and stopped once.
 *
 * <p>The start follows the order of {@link StartGroup}. The components of one group start concurrently, and the next group
 * starts when all of them are ready. A component that is not ready because something outside is missing
 * ({@link ComponentNotReadyException}) waits alone and is retried. Any other failure stops the manager.
 *
 * <p>The stop follows the reverse order. The manager releases its leases after all elected components have ended, then
 * flushes the events and closes the connection.
 *
 * <p>Thread-safe.
 *
 * <!-- snippet: GreetingOperator -->
 * <pre>{@code
 * try (Manager manager = create(Config.autoConfigure(null))) {
 *     manager.start();
 *     manager.await();
 * }
 * }</pre>
 *
 * @since 0.1.0
 */
public interface Manager extends AutoCloseable {

    /**
     * Create a manager with default options.
     *
     * @param config the address of the API server and the credentials; not modified
     * @throws io.github.reconciler4j.client.error.ConnectionException if certificates or proxy settings are invalid
     */
    static Manager create(Config config) {
        return create(config, ManagerOptions.defaults());
    }

    /**
     * Create a manager with its own connection, cache and client. It sends nothing and runs nothing before {@link #start}.
     * A manager that is never started holds no thread but should be closed.
     *
     * @param config the address of the API server and the credentials; not modified
     * @throws io.github.reconciler4j.client.error.ConnectionException if certificates or proxy settings are invalid
     * @throws IllegalStateException if leader election is enabled and the namespace of its Lease is unknown
     */
    static Manager create(Config config, ManagerOptions options) {
        return DefaultManager.create(config, options);
    }

    /** Return the options that the manager was created with. */
    ManagerOptions options();

    /** Return the cache. It is synced once the manager has started. */
    Cache cache();

    /**
     * Return the client, which reads from the cache and writes to the API server. With leader election, it refuses a write
     * of a component that runs under a lease unless this replica holds the lease at that moment. This applies to all threads
     * that {@link io.github.reconciler4j.leaderelection.WriteScope} knows. It refuses writes of other threads after the
     * manager has lost its lease.
     */
    Client client();

    /**
     * Return an event recorder that records in the cluster of the request that the calling thread reconciles, or in that of the
     * manager outside of controllers; see {@link io.github.reconciler4j.client.WorkScope}. An event for a cluster that has
     * left is dropped. It reports in the name of the controller that the calling thread belongs to, or of the manager. The reporting controller is that name in the {@link
     * io.github.reconciler4j.recorder.EventOptions#domain domain} of the options.
     */
    EventRecorder recorder();

    /**
     * Return an event recorder that records in the same cluster as {@link #recorder()} and reports in the given name.
     *
     * @param reportingController a qualified name such as {@code example.com/webapp}, or a name in the {@link
     *     io.github.reconciler4j.recorder.EventOptions#domain domain} of the options such as {@code webapp}
     * @throws IllegalArgumentException if the name is blank
     */
    EventRecorder recorder(String reportingController);

    /**
     * Add a component and its {@link ManagedComponent#companions companions}, before, during or after the start. If the
     * group of the component has started, the manager starts it in the background. A failure then stops the manager.
     *
     * @throws IllegalArgumentException if the name of a component or health check is taken, or what it
     *     {@link ManagedComponent#claims claims}
     * @throws IllegalStateException if the manager is stopping or has stopped
     */
    void add(ManagedComponent component);

    /**
     * Stop a component and its companions and remove them, together with their health checks. The method returns when they
     * have ended; each has the grace period of the manager to do so. The names can then be used again. Must not be called by
     * a thread that the stop of the component waits for.
     *
     * @return false if a component did not end within the grace period and 7 seconds after its interrupt. The manager has
     *     abandoned it then, and its name stays taken until it ends. Also false if the calling thread was interrupted.
     * @throws IllegalArgumentException if the component was not added to this manager or has been removed
     */
    boolean remove(ManagedComponent component);

    /** Return the cluster of this manager, whose name is {@code ""}. */
    Cluster home();

    /**
     * Return the extension of a type, which the first call creates. Users do not call this method but that of a module, such as
     * {@code Clusters.of(manager)}.
     *
     * @param create returns the extension, once; called while other threads wait for the same extension
     */
    <E extends ManagerExtension> E extension(
            Class<E> type, Function<? super ManagerExtension.Host, ? extends E> create);

    /**
     * Add a health check to those of the components.
     *
     * @throws IllegalArgumentException if the name is taken
     */
    void addHealthCheck(HealthCheck check);

    /**
     * Add a listener of leadership. Without leader election, the manager notifies it once that this replica leads. A listener
     * that is added while this replica leads is notified immediately.
     */
    void addLeadershipListener(LeadershipListener listener);

    /** Return all components, in the order in which they were added. */
    List<ManagedComponent> components();

    /** Return the health checks of the manager and of its components. */
    List<HealthCheck> healthChecks();

    /** Return the state of the manager, its components and its leases. */
    ManagerStatus status();

    /** Check with the API server which permissions of the components and of the manager itself are missing. */
    PermissionReport checkPermissions();

    /**
     * Start everything in order, and return when servers, webhooks, caches and the components of all replicas are ready. The
     * elected components start when this replica has acquired the lease.
     *
     * @throws ManagerStartException if the API server did not respond in time, a component failed or the thread was
     *     interrupted. Everything has been stopped. The interrupt flag is set after an interrupt.
     * @throws IllegalStateException if the manager was started or stopped before
     */
    void start();

    /**
     * Stop everything in reverse order, and return when it has ended. Components accept no new work, let running work finish
     * within the grace period and interrupt the rest; then the manager releases the lease. A call during the start ends the
     * start. Further calls wait for the first one. The method never throws; {@link #await} reports what did not end.
     */
    void stop();

    /** Equivalent to {@link #stop}. */
    @Override
    default void close() {
        stop();
    }

    /**
     * Wait until the manager has stopped.
     *
     * @throws ManagerFailedException if it stopped because a component failed or a lease was lost, or if a component did not
     *     end within the grace period
     * @throws InterruptedException if the thread is interrupted
     */
    void await() throws InterruptedException;

    /**
     * Report that a running component cannot continue. The manager stops everything, and {@link #await} throws. The method
     * returns immediately.
     */
    void fail(String component, Throwable cause);
}
