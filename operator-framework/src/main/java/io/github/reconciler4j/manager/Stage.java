package io.github.reconciler4j.manager;

/** The steps of the start, in order: the public groups, and what the manager itself does between them. */
enum Stage {
    /** Servers and probes, so that they respond while everything else starts. */
    SERVERS,
    /** The API server responds. */
    API_SERVER,
    /** The permissions of the operator are checked. */
    PREFLIGHT,
    /** Webhooks start before any cache: the API server may need them to answer a list request. */
    WEBHOOKS,
    /** The caches are synced. */
    CACHES,
    /** Components that run on every replica. */
    ALL_REPLICAS,
    /** Components that run under a lease. */
    LEADER_ELECTED;

    static Stage of(StartGroup group) {
        return valueOf(group.name());
    }
}
