package io.github.reconciler4j.cluster;

import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import io.github.reconciler4j.source.RequestSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Says which clusters a manager should have. Add it with {@link ClusterProviders#add}. A provider of your own usually has a {@link
 * io.github.reconciler4j.source.ChannelSource}, to which it sends the name of each cluster that joins, leaves or changes, or a
 * {@link io.github.reconciler4j.source.PollSource}. Thread-safe.
 *
 * <!-- snippet: ListedClusters -->
 * <pre>{@code
 * record ListedClusters(String name, Map<String, Config> clusters, ChannelSource<String, String> changes)
 *         implements ClusterProvider {
 *
 *     @Override
 *     public RequestSource<String> source() {
 *         return changes;
 *     }
 *
 *     @Override
 *     public Optional<Definition> find(String cluster) {
 *         return Optional.ofNullable(clusters.get(cluster)).map(config -> new Definition(config, config.getMasterUrl()));
 *     }
 * }
 * }</pre>
 *
 * @since 0.1.0
 */
public interface ClusterProvider {

    /** Return the name of the provider in logs, metrics and health: at most 54 lower-case letters, digits, {@code -} and {@code .}. */
    String name();

    /** Return the permissions that the source and {@link #find} need in the cluster of the manager. None by default. */
    default List<RequiredPermission> requiredPermissions() {
        return List.of();
    }

    /** Return the source of the names of clusters that have joined, left or changed. It first reports all that exist. */
    RequestSource<String> source();

    /**
     * Return the present definition of a cluster, empty if it does not exist or has left.
     *
     * @param cluster a name that the source has reported
     * @throws Exception if the definition cannot be read or is not valid. The cluster stays as it was, and the call is retried.
     *     The exception is logged, so it must never contain credentials.
     */
    Optional<Definition> find(String cluster) throws Exception;

    /**
     * How to connect to a cluster. When it changes, the cluster leaves and joins again.
     *
     * @param config the address of the API server and the credentials
     * @param version what changes when the definition changes, such as a checksum; compared with {@code equals}
     * @since 0.1.0
     */
    record Definition(Config config, Object version) {

        /** Check the values. */
        public Definition {
            Objects.requireNonNull(config, "'config' must not be null");
            Objects.requireNonNull(version, "'version' must not be null");
        }

        /** Return the version only, since the configuration contains credentials. */
        @Override
        public String toString() {
            return "Definition[version=" + version + "]";
        }
    }
}
