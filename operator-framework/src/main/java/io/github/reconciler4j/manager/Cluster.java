package io.github.reconciler4j.manager;

import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.connection.ApiConnection;

/**
 * Another API server besides that of the manager: see {@link Manager#addCluster}. Its scheme, and how it watches and
 * writes, are the manager's; its cache is not measured. Safe for use by many threads.
 *
 * @since 0.1.0
 */
public interface Cluster {

    /** Names it in logs and health. */
    String name();

    /** The way to it. */
    ApiConnection connection();

    /** The local copy of what is watched there; a source for a controller is made of its informers. */
    Cache cache();

    /** Reads from the cache and writes there; writes pass the same leases as those of {@link Manager#client}. */
    Client client();
}
