package io.github.reconciler4j.manager;

import io.fabric8.kubernetes.client.Config;
import java.util.OptionalInt;

/**
 * What a module adds to a {@link Manager}, such as the other clusters of {@code reconciler4j-clusters}. The manager knows nothing of
 * the module: without one it has no extension, and its own cluster is the only one. Modules create theirs with
 * {@link Manager#extension}. The methods of an extension must not throw. Thread-safe.
 *
 * @since 0.1.0
 */
public interface ManagerExtension {

    /**
     * A component has been added to the manager. Called for each component, companions included, and also for those that were
     * added before the extension; more than once if that happens at the same time. The default does nothing.
     */
    default void added(ManagedComponent component) {}

    /** A component is removed from the manager and stops after this call. The default does nothing. */
    default void removed(ManagedComponent component) {}

    /**
     * What a manager does for its extensions. Thread-safe.
     *
     * @since 0.1.0
     */
    interface Host {

        /** Return the manager. */
        Manager manager();

        /**
         * Return the shard to which a cluster belongs: a hash of its name, the same on all replicas. Empty if the replicas do not
         * divide clusters.
         */
        OptionalInt shard(String cluster);

        /**
         * Add a cluster to the manager as a component, before, during or after the start. Its cache starts when its API server
         * responds, and nothing else waits for it. If the call fails, nothing of the cluster is left.
         *
         * @param name at most 253 letters, digits, {@code -}, {@code _} and {@code .}; not {@code home}
         * @param shard the shard whose holder works on the cluster; empty if the replicas do not divide it
         * @param config the address of the API server and the credentials; not modified
         * @throws io.github.reconciler4j.client.error.ConnectionException if certificates or proxy settings are invalid
         * @throws IllegalArgumentException if the name is taken or not valid
         * @throws IllegalStateException if the manager is stopping or has stopped
         */
        Cluster connect(String name, OptionalInt shard, Config config);

        /**
         * Remove the components for a cluster, then the cluster, whose connection is closed. The name can then be used again.
         *
         * @return false if a component did not end in time or the calling thread was interrupted, see {@link Manager#remove}
         */
        boolean disconnect(Cluster cluster);

        /** Report what user code that the extension has called threw, so that health shows an error of the JVM. */
        void failed(Throwable failure);
    }
}
