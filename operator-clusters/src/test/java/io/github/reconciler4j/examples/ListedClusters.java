package io.github.reconciler4j.examples;

import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.cluster.ClusterProvider;
import io.github.reconciler4j.source.ChannelSource;
import io.github.reconciler4j.source.RequestSource;
import java.util.Map;
import java.util.Optional;

/** The clusters of a map; send the name of a cluster to the changes when its entry has changed. */
record ListedClusters(String name, Map<String, Config> clusters, ChannelSource<String, String> changes)
        implements ClusterProvider {

    @Override
    public RequestSource<String> source() {
        return changes;
    }

    @Override
    public Optional<Definition> find(String cluster) {
        return Optional.ofNullable(clusters.get(cluster)).map(config -> new Definition(config, config.getMasterUrl()));
    }
}
