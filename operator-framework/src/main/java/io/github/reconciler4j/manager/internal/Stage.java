package io.github.reconciler4j.manager.internal;

import io.github.reconciler4j.manager.StartGroup;

/**
 * The steps of a start, in order: the public groups, and what the manager itself does between them.
 *
 * @since 0.1.0
 */
public enum Stage {
    /** Servers and probes, so that somebody can look while the rest waits. */
    SERVERS,
    /** The API server answers. */
    API_SERVER,
    /** The rights of the operator are reported. */
    PREFLIGHT,
    /** Webhooks, before any cache: the API server may need them to answer a list. */
    WEBHOOKS,
    /** The caches are synced. */
    CACHES,
    /** What works on every replica. */
    ALL_REPLICAS,
    /** What works under a lease. */
    LEADER_ELECTED;

    static Stage of(StartGroup group) {
        return valueOf(group.name());
    }
}
