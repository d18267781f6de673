package io.github.reconciler4j.test.cluster;

import io.github.reconciler4j.test.KubernetesServer;
import java.util.Set;

/**
 * A {@link KubernetesServer} together with the controllers, the scheduler and the nodes that run on it. The artifact
 * {@code reconciler4j-test-cluster} implements it. Safe for use by multiple threads.
 *
 * @since 0.1.0
 */
public interface ClusterControllers extends AutoCloseable {

    /** Return the server that they run on. It is closed with them. */
    KubernetesServer server();

    /** Return the names of those that run, such as {@code deployment} and {@code scheduler}. */
    Set<String> names();

    /** End them, then close the server. Closing again has no effect. */
    @Override
    void close();
}
