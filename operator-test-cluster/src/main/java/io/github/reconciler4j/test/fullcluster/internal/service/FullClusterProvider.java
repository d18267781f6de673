package io.github.reconciler4j.test.fullcluster.internal.service;

import io.github.reconciler4j.test.KubernetesServerBuilder;
import io.github.reconciler4j.test.cluster.ClusterControllers;
import io.github.reconciler4j.test.cluster.ClusterControllersProvider;
import io.github.reconciler4j.test.fullcluster.FullCluster;
import java.util.List;

/** Lets the annotations of tests find this module. Safe for use by multiple threads. */
public final class FullClusterProvider implements ClusterControllersProvider {

    /** Create one. */
    public FullClusterProvider() {}

    @Override
    public ClusterControllers start(KubernetesServerBuilder server, List<String> selected) {
        return FullCluster.builder()
                .server(server)
                .controllers(selected.toArray(String[]::new))
                .start();
    }
}
