package io.github.reconciler4j.manager;

/** The order of starting; stopping goes backwards. */
public enum StartGroup {
    /** Servers and probes. */
    SERVERS,
    /** Webhooks. */
    WEBHOOKS,
    /** Caches; the next group starts when they have synced. */
    CACHES,
    /** Whatever works on every replica. */
    EVERYWHERE,
    /** What works on the leader only; at once if there is no leader election. */
    ELECTED
}
