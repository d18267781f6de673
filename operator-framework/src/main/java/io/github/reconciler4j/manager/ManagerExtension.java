package io.github.reconciler4j.manager;

import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.ClientInterceptor;
import io.github.reconciler4j.client.connection.ApiResponse;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a module adds to a {@link Manager}, such as the other clusters of {@code reconciler4j-clusters}. The manager knows nothing of
 * the module: without one it has no extension, and its own cluster is the only one. Modules create theirs with
 * {@link Manager#extension}, or their users add it with {@link ManagerOptions#withExtension}. The methods of an extension must not
 * throw, except for {@link #adding} and {@link #send}. Thread-safe.
 *
 * @since 0.1.0
 */
public interface ManagerExtension {

    /**
     * Components are added to the manager: one with its companions. Called before they can start, and for those that are added after
     * the extension only. The default does nothing.
     *
     * @throws RuntimeException to refuse them; {@link #ended} is called then
     */
    default void adding(List<ManagedComponent> components) {}

    /**
     * A component has been added to the manager. Called for each component, companions included, and also for those that were
     * added before the extension; more than once if that happens at the same time. The default does nothing.
     */
    default void added(ManagedComponent component) {}

    /** A component is removed from the manager and stops after this call. The default does nothing. */
    default void removed(ManagedComponent component) {}

    /** Components have been removed and have ended, or were refused. The default does nothing. */
    default void ended(List<ManagedComponent> components) {}

    /**
     * A client of the manager sends a write. Called on the thread that writes, after all interceptors, and once for all attempts;
     * also for dry runs. The default sends it.
     *
     * @param cluster the cluster of the client
     * @return the response, not null
     * @throws RuntimeException to refuse the write; the caller gets it as it is
     */
    default ApiResponse send(Cluster cluster, ClientCall call, ClientInterceptor.Next next) {
        return next.proceed(call);
    }

    /** Return what the extension adds to the {@link ManagerStatus}: an immutable value. The default is nothing. */
    default Optional<Object> status() {
        return Optional.empty();
    }

    /**
     * The settings of a module that adds an extension to each manager; see {@link ManagerOptions#withExtension}. Immutable.
     *
     * @since 0.1.0
     */
    interface Options {

        /**
         * Return the options for the cache of the manager's own cluster. The default is those of the manager.
         *
         * @param manager the options of the manager
         * @throws IllegalArgumentException if they do not fit
         */
        default CacheOptions cache(ManagerOptions manager) {
            return manager.cache();
        }

        /**
         * Return how this process and others divide the work. The default is empty: they do not.
         *
         * @param manager the options of the manager
         */
        default Optional<WorkDivision> division(ManagerOptions manager) {
            return Optional.empty();
        }

        /** Create the extension of a manager, when all else of the manager exists. Empty if it needs none. */
        Optional<ManagerExtension> create(Host host);
    }

    /**
     * What a manager does for its extensions. Thread-safe.
     *
     * @since 0.1.0
     */
    interface Host {

        /** Return the manager. */
        Manager manager();

        /**
         * Add a cluster to the manager as a component, before, during or after the start. Its cache starts when its API server
         * responds, and nothing else waits for it. If the call fails, nothing of the cluster is left.
         *
         * @param name at most 253 letters, digits, {@code -}, {@code _} and {@code .}; not {@code home}
         * @param part the part of the {@link WorkDivision} to which all work in the cluster belongs; empty if it is not divided
         * @param config the address of the API server and the credentials; not modified
         * @throws io.github.reconciler4j.client.error.ConnectionException if certificates or proxy settings are invalid
         * @throws IllegalArgumentException if the name is taken or not valid
         * @throws IllegalStateException if the manager is stopping or has stopped
         */
        Cluster connect(String name, OptionalInt part, Config config);

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
