package io.github.reconciler4j.manager;

/**
 * The order of starting; stopping goes backwards.
 *
 * @since 0.1.0
 */
public enum StartGroup {
    /** Servers and probes. */
    SERVERS,
    /** Webhooks. */
    WEBHOOKS,
    /** Caches; the next group starts when they have synced. */
    CACHES,
    /** Whatever works on every replica. */
    ALL_REPLICAS,
    /** What works on the leader only; at once if there is no leader election. */
    LEADER_ELECTED
}
