package io.github.reconciler4j.spring;

/**
 * The replicas on which a controller runs when leader election is enabled.
 *
 * @since 0.1.0
 */
public enum RunOn {
    /** The leader. */
    LEADER,
    /** The holder of a Lease that belongs to the controller alone, so that controllers spread over the replicas. */
    DEDICATED_LEASE,
    /** Every replica. */
    ALL_REPLICAS
}
