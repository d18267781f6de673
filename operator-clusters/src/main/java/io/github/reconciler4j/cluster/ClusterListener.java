package io.github.reconciler4j.cluster;

import io.github.reconciler4j.manager.Cluster;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.Manager;

/**
 * Notified when clusters join and leave a manager, see {@link Clusters#addListener}. A {@link ManagedComponent} that
 * implements this interface is notified from {@link Manager#add} to {@link Manager#remove}.
 *
 * <p>For each cluster that joins, {@link #joined} is called once, and {@link #left} at most once, after it has returned. The
 * thread that adds or removes a cluster or a listener makes the calls, so those for different clusters can be concurrent. An
 * exception or error is logged and affects nothing else.
 *
 * <!-- snippet: ClusterUse -->
 * <pre>{@code
 * Clusters.of(manager).addListener(new ClusterListener() {
 *     @Override
 *     public void joined(Cluster cluster) {
 *         hub.watch(new KindSource<>(
 *                 cluster.cache().informer(ConfigMap.class), EventHandlers.forObject(), event -> true));
 *     }
 * });
 * }</pre>
 *
 * @since 0.1.0
 */
public interface ClusterListener {

    /**
     * A cluster has joined. It need not be available yet. A {@link ManagedComponent} that is added for it starts in the
     * background. The default does nothing.
     */
    default void joined(Cluster cluster) {}

    /**
     * A cluster leaves: forget it, so that its memory is freed. Its cache and its connection are closed when all listeners have
     * returned and all components for it have ended. The default does nothing.
     */
    default void left(Cluster cluster) {}
}
