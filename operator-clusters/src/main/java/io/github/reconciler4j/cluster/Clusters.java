package io.github.reconciler4j.cluster;

import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.builder.AbstractControllerBuilder;
import io.github.reconciler4j.manager.Cluster;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.Manager;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;

/**
 * The clusters that a {@link Manager} has besides its {@link Manager#home home} cluster. They join and leave before, during or after
 * the start, each with its own connection, cache and client. A manager has none until you add one, or a {@link ClusterProvider}
 * does. Thread-safe.
 *
 * <!-- snippet: ClusterUse -->
 * <pre>{@code
 * Clusters clusters = Clusters.of(manager);
 * clusters.addControllers(controllers, cluster -> !cluster.name().isEmpty());
 * }</pre>
 *
 * @since 0.1.0
 */
public interface Clusters {

    /** Return the other clusters of a manager, to find, add and remove them. Always the same object for the same manager. */
    static Clusters of(Manager manager) {
        return manager.extension(JoinedClusters.class, JoinedClusters::new);
    }

    /** Return the clusters that have joined, in the order in which they did, without the home cluster. The list does not change. */
    List<Cluster> joined();

    /** Return the cluster with a name, {@code ""} for the {@link Manager#home home} cluster; empty if no cluster has it. */
    Optional<Cluster> find(String name);

    /**
     * Add a cluster, before, during or after the start, and notify the {@link #addListener listeners}. Its cache starts when its
     * API server responds, however long that takes. Nothing else waits for it: a cluster that is not available delays neither the
     * start nor the readiness of the manager, and the health check {@code cache/} and its name says why.
     *
     * @param name the name of the cluster in logs, health and metrics, unique among the components: at most 253 letters, digits,
     *     {@code -}, {@code _} and {@code .}; not {@code home}
     * @param config the address of the API server and the credentials; not modified
     * @throws io.github.reconciler4j.client.error.ConnectionException if certificates or proxy settings are invalid
     * @throws IllegalArgumentException if the name is taken or not valid
     * @throws IllegalStateException if the manager is stopping or has stopped
     */
    Cluster add(String name, Config config);

    /**
     * Add a cluster on the replica that holds a shard, like {@link #add(String, Config)}. All controllers of the cluster, whatever
     * their placement, reconcile requests while this replica holds the shard, and all their writes are fenced by it. The caller
     * removes the cluster when the shard leaves, and adds it again in a later term of the shard: see
     * {@code ShardHandler} of {@code reconciler4j-sharding}. The clusters of a {@link ClusterProvider} are added so.
     *
     * @param shard the shard, usually {@link #shard}
     * @throws IllegalArgumentException if there is no such shard, if the name is taken or not valid
     * @throws IllegalStateException if the replicas do not divide clusters, or if the manager is stopping or has stopped
     * @throws io.github.reconciler4j.client.error.ConnectionException if certificates or proxy settings are invalid
     */
    Cluster add(String name, Config config, int shard);

    /**
     * Return the shard to which a cluster belongs: a hash of its name, the same on all replicas. Empty if the replicas do not divide
     * clusters: without sharding or with one shard, without {@code dividedClusters} in the options, or if the client does not write.
     */
    OptionalInt shard(String name);

    /**
     * Remove a cluster: notify the listeners, remove the components for it (see {@link ManagedComponent#cluster}) and the sources
     * that controllers have in it, and close its cache and its connection. Its metrics end. The method returns when that has ended;
     * the components have the grace period of the manager to do so. The name can then be used again. Must not be called by a thread
     * that the stop of a component waits for.
     *
     * @return false if a component did not end in time or the calling thread was interrupted, see {@link Manager#remove}; the
     *     cluster has been removed and its connection is closed nevertheless
     * @throws IllegalArgumentException if no cluster has this name, or it is that of the home cluster
     */
    boolean remove(String name);

    /** Add a listener, and notify it of the clusters that have joined. */
    void addListener(ClusterListener listener);

    /**
     * Build and add one controller for each selected cluster, now and whenever one joins. Each has its own queue, workers and
     * metrics, so a slow cluster affects no other. All call the same reconciler, whose context has the cluster and its client. What
     * {@link AbstractControllerBuilder#build(Manager)} and {@link Manager#add} throw for the home cluster is thrown to the caller, and
     * for another cluster it is logged.
     *
     * @param builder a builder that is complete, and that is not used for anything else
     * @param clusters returns whether to run in a cluster, such as the {@link Manager#home home} cluster
     */
    <R> void addControllers(AbstractControllerBuilder<R, ?> builder, Predicate<? super Cluster> clusters);
}
