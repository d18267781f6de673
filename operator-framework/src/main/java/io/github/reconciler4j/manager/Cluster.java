package io.github.reconciler4j.manager;

import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.connection.ApiConnection;

/**
 * Another API server besides that of the manager, see {@link Manager#addCluster}. It uses the scheme of the manager. Its cache
 * reports no metrics. Thread-safe.
 *
 * @since 0.1.0
 */
public interface Cluster {

    /** Return the name of the cluster in logs and health. */
    String name();

    /** Return the connection to its API server. */
    ApiConnection connection();

    /** Return its cache. The informers of the cache are sources for controllers. */
    Cache cache();

    /**
     * Return its client, which reads from its cache and writes to its API server. Writes depend on the leases of the manager, as
     * those of {@link Manager#client} do.
     */
    Client client();
}
