package io.github.reconciler4j.manager;

import java.time.Duration;
import java.util.List;

/**
 * A part of an operator that the {@link Manager} starts and stops. The manager never calls {@link #start} and
 * {@link #stop} of one component at the same time, except to end a start that takes too long: then {@code start} is
 * interrupted first and {@code stop} follows when it has ended.
 *
 * @since 0.1.0
 */
public interface ManagedComponent {

    /** Names the component in logs, errors and health; unique within a manager. */
    String name();

    /** When it starts; {@link StartGroup#LEADER_ELECTED} unless it says otherwise. */
    default StartGroup group() {
        return StartGroup.LEADER_ELECTED;
    }

    /**
     * The lease whose holder runs this component, for one of group {@link StartGroup#LEADER_ELECTED}; {@code ""}, the default,
     * is the lease of the manager. Components with leases of their own spread over the replicas.
     */
    default String lease() {
        return "";
    }

    /** The rights it needs on the API server, as far as they are known before; asked for at start, see {@link Preflight}. */
    default List<RequiredPermission> requiredPermissions() {
        return List.of();
    }

    /**
     * Starts the component and returns when it is ready; it then works on threads of its own. Must end soon after an
     * interrupt. A call that throws must leave nothing running. Called again only after it threw or after {@link #stop}
     * returned: when a cause that passes by itself kept it from starting (see {@link ComponentNotReadyException}), and when
     * leadership was lost and won again.
     *
     * @throws ComponentNotReadyException if something outside is missing that may come; a
     *     {@link io.github.reconciler4j.cache.CacheSyncTimeoutException} and an
     *     {@link io.github.reconciler4j.client.error.ApiException} with status 403 or 404 count as such; the manager goes on
     *     without the component and tries it again
     * @throws Exception if it cannot start for another reason; the manager then stops everything and reports it
     */
    void start() throws Exception;

    /**
     * What keeps a start that is under way from ending and does not pass by itself, such as a missing right; {@code ""}
     * if nothing does. Asked for by {@link Manager#statuses}, which then shows the component as waiting. Must not block.
     */
    default String notReadyReason() {
        return "";
    }

    /**
     * Ends the component: takes no new work, lets running work finish within the grace period, interrupts what is still
     * running after that, and returns when its threads have ended. A grace period of zero interrupts at once, a
     * negative one waits without end. Called also when {@link #start} failed or was never called; then it does nothing.
     */
    void stop(Duration grace);
}
