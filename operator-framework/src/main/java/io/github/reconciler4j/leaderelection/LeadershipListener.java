package io.github.reconciler4j.leaderelection;

/**
 * Is told how leadership moves. Called on the elector's thread, one call at a time; must return soon.
 *
 * @since 0.1.0
 */
public interface LeadershipListener {

    /** This replica leads now. */
    default void elected(String lease) {}

    /** This replica leads no more; its writes are refused already. */
    default void lost(String lease, String reason) {}

    /** Somebody, perhaps this replica, was seen leading who did not before. */
    default void newLeader(String lease, String identity) {}
}
