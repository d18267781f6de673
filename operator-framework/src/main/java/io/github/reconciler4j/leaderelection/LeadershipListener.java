package io.github.reconciler4j.leaderelection;

/**
 * Notified when leadership changes. The methods are called on the thread of the elector, one at a time, and must return soon:
 * the lease is not renewed meanwhile. An exception or error is logged and does not affect leadership.
 *
 * <!-- snippet: ManagerUse -->
 * <pre>{@code
 * manager.addLeadershipListener(new LeadershipListener() {
 *     @Override
 *     public void lost(String lease, String reason) {
 *         log.accept("no longer the leader: " + reason);
 *     }
 * });
 * }</pre>
 *
 * @since 0.1.0
 */
public interface LeadershipListener {

    /**
     * This replica has acquired a lease.
     *
     * @param lease the name by which components refer to the lease, {@code ""} for the lease of the manager
     */
    default void elected(String lease) {}

    /**
     * This replica has lost a lease. Its writes are already refused.
     *
     * @param lease the name by which components refer to the lease, {@code ""} for the lease of the manager
     * @param reason why it was lost
     */
    default void lost(String lease, String reason) {}

    /**
     * The lease has a new holder, possibly this replica.
     *
     * @param lease the name by which components refer to the lease, {@code ""} for the lease of the manager
     * @param identity the identity of the holder
     */
    default void newLeader(String lease, String identity) {}
}
