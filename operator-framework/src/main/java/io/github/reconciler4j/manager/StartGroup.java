package io.github.reconciler4j.manager;

/**
 * The groups in which components start, in this order. The stop follows the reverse order.
 *
 * @since 0.1.0
 */
public enum StartGroup {
    /** Servers, for instance of probes and metrics. */
    SERVERS,
    /** Webhooks. */
    WEBHOOKS,
    /** Caches. The next group starts when they are synced. */
    CACHES,
    /** Components that run on every replica. */
    ALL_REPLICAS,
    /** Components that run only on the replica that holds their lease; immediately without leader election. */
    LEADER_ELECTED
}
