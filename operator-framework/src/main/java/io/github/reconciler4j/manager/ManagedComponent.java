package io.github.reconciler4j.manager;

import io.github.reconciler4j.health.HealthCheck;
import io.github.reconciler4j.manager.permission.Preflight;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A part of an operator that the {@link Manager} starts and stops. The manager never calls {@link #start} and {@link #stop}
 * of one component concurrently. To end a start that is in progress it interrupts the starting thread, and calls
 * {@code stop} once {@code start} has returned.
 *
 * <!-- snippet: ManagerUse -->
 * <pre>{@code
 * record Chat(Runnable open, Runnable close) implements ManagedComponent {
 *
 *     @Override
 *     public String name() {
 *         return "chat";
 *     }
 *
 *     @Override
 *     public void start() {
 *         open.run();
 *     }
 *
 *     @Override
 *     public void stop(Duration timeout) {
 *         close.run();
 *     }
 * }
 * }</pre>
 *
 * @since 0.1.0
 */
public interface ManagedComponent {

    /** Return the name of the component in logs, errors and health. It must be unique within a manager. */
    String name();

    /** Return when the component starts. The default is {@link StartGroup#LEADER_ELECTED}. */
    default StartGroup group() {
        return StartGroup.LEADER_ELECTED;
    }

    /**
     * Return the lease whose holder runs this component, if it belongs to {@link StartGroup#LEADER_ELECTED}. The default,
     * {@code ""}, is the lease of the manager. Components with leases of their own spread over the replicas.
     */
    default String lease() {
        return "";
    }

    /**
     * Return the name of the cluster that the component works for. The default, {@code ""}, is the cluster of the manager. A
     * component for another cluster of the manager affects nothing else: the start of the manager does not wait for it, each
     * exception of its start is retried, and the replica is ready without it. It is removed with the cluster.
     */
    default String cluster() {
        return "";
    }

    /**
     * Return the permissions that the component needs on the API server of its cluster, as far as they are known before its
     * start, by default none. See {@link Preflight}.
     */
    default List<RequiredPermission> requiredPermissions() {
        return List.of();
    }

    /**
     * Return the health checks of the component, by default none. The manager reports them from {@link Manager#add} to
     * {@link Manager#remove}.
     */
    default List<HealthCheck> healthChecks() {
        return List.of();
    }

    /**
     * Return whether the API server may need this component before the caches can sync, for instance a conversion webhook to
     * list a kind. The replica is then ready without its caches and the components that start after them, since only a ready
     * replica is an endpoint of a Service. The default is false.
     */
    default boolean servesBeforeCaches() {
        return false;
    }

    /**
     * Return what no other component of the manager may have as well, by default nothing: texts such as {@code finalizer
     * 'a.io/b' of widgets.a.io}, each with what would happen and how to avoid it. {@link Manager#add} refuses a component
     * with a text that another one has.
     */
    default Map<String, String> claims() {
        return Map.of();
    }

    /** Return the components that the manager adds and removes together with this one, by default none. */
    default List<ManagedComponent> companions() {
        return List.of();
    }

    /**
     * Start the component and return when it is ready; afterwards it works on its own threads. The method must return soon
     * after an interrupt. If it throws, it must not leave anything running. The manager calls it again only after it threw
     * {@link ComponentNotReadyException} or after {@link #stop} returned, for instance when leadership was lost and acquired
     * again.
     *
     * @throws ComponentNotReadyException if something outside the process is missing that may appear later. A
     *     {@link io.github.reconciler4j.cache.CacheSyncTimeoutException} and an
     *     {@link io.github.reconciler4j.client.error.ApiException} with status 403 or 404 have the same meaning. The manager
     *     continues without the component and retries its start.
     * @throws Exception if it cannot start for another reason. The manager then stops everything and reports the failure.
     */
    void start() throws Exception;

    /**
     * Return what prevents a start in progress from completing and requires action, such as a missing permission;
     * {@code ""} if there is nothing. {@link Manager#status} then shows the component as waiting. Must not block.
     */
    default String notReadyReason() {
        return "";
    }

    /**
     * Stop the component: accept no new work, let running work finish within the grace period, interrupt the rest, and
     * return when its threads have ended. The manager also calls this method if {@link #start} failed or was never called;
     * it then does nothing.
     *
     * @param grace the grace period; zero interrupts immediately, a negative value waits without limit
     */
    void stop(Duration grace);

    /**
     * The manager has removed and stopped this component and does not start it again: release what is kept for its next start.
     * An exception or error is logged. The default does nothing.
     */
    default void removed() {}
}
