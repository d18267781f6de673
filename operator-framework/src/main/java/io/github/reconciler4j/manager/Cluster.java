package io.github.reconciler4j.manager;

import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.recorder.EventRecorder;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A Kubernetes cluster with the connection, the cache and the client for it: the {@link Manager#home home} cluster of a manager,
 * or another one that {@code reconciler4j-clusters} has added. All clusters use the scheme and the options of the manager; each has
 * a connection, a cache and limits of its own. Metrics of another cluster have its name as the label {@code cluster}. Thread-safe.
 *
 * <!-- snippet: ManagerUse -->
 * <pre>{@code
 * Cluster home = manager.home();
 * return home.client().listOwned(greeting, ConfigMap.class).size() == 1;
 * }</pre>
 *
 * @since 0.1.0
 */
public interface Cluster {

    /** Return the name of the cluster in logs, health and metrics; {@code ""} for the home cluster. */
    String name();

    /**
     * Return the part of the {@link WorkDivision} to which all work in the cluster belongs; empty if clusters are not divided, and for
     * the home cluster.
     */
    OptionalInt part();

    /** Return the cluster of the same manager with a name, {@code ""} for its home cluster; empty if no cluster has it. */
    Optional<Cluster> sibling(String name);

    /** Return the connection to its API server. */
    ApiConnection connection();

    /** Return its cache. The informers of the cache are sources for controllers. */
    Cache cache();

    /**
     * Return its client, which reads from its cache and writes to its API server. Writes depend on the leases of the manager, as
     * those of {@link Manager#client} do.
     */
    Client client();

    /**
     * Return an event recorder that records in this cluster, in the name of the controller that the calling thread belongs to.
     * {@link Manager#recorder()} does so in the cluster of the request that is reconciled.
     */
    EventRecorder recorder();

    /**
     * Return whether events are written: whether anything has asked for a recorder, and the client is in {@link
     * io.github.reconciler4j.client.WriteMode#NORMAL normal mode}. The account of the operator then needs the permission to create
     * and patch {@code events.k8s.io}. An operator that asks for its first recorder after the start declares that permission itself.
     */
    boolean recordsEvents();
}
