package io.github.reconciler4j.test.fullcluster;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.cluster.ClusterControllers;
import io.github.reconciler4j.test.cluster.TestCluster;
import io.github.reconciler4j.test.fullcluster.internal.ControlPlane;
import io.github.reconciler4j.test.fullcluster.internal.kubelet.Fates;
import java.util.Set;

/**
 * A whole cluster in this JVM: the API server, Kubernetes' own controllers, a scheduler, and nodes whose containers are imitated.
 *
 * <!-- snippet: ClusterUseTests -->
 * <pre>{@code
 * try (FullCluster cluster = FullCluster.start()) {
 *     cluster.pods().withImage("example.com/broken:*").failToPull();
 *     cluster.client().resource(pod).create();
 *     await().until(() -> phase(cluster).equals("Running"));
 * }
 * }</pre>
 *
 * <p>In a test with {@code @OperatorTest(cluster = TestCluster.FULL)} or {@code @KubernetesTest(cluster = TestCluster.FULL)}, declare
 * a parameter of this type, or call {@link #of}. Safe for use by multiple threads. Several clusters in one JVM are independent of
 * each other.
 *
 * @since 0.1.0
 */
public final class FullCluster implements ClusterControllers {

    /** The user name of the controllers, the scheduler and the nodes, in the request log and for admission. */
    public static final String USER = ControlPlane.USER;

    private final KubernetesServer server;
    private final ControlPlane plane;
    private final KubernetesClient client;
    private final ClusterPods pods;

    private FullCluster(KubernetesServer server, ControlPlane plane, Fates fates) {
        this.server = server;
        this.plane = plane;
        client = new KubernetesClientBuilder().withConfig(server.clientConfig()).build();
        pods = new ClusterPods(fates);
    }

    /**
     * Start a cluster with all controllers and one node.
     *
     * @throws IllegalStateException if {@code reconciler4j-test-server} is not on the class path
     */
    public static FullCluster start() {
        return builder().start();
    }

    /**
     * Return a builder with the defaults.
     *
     * @throws IllegalStateException if {@code reconciler4j-test-server} is not on the class path
     */
    public static FullClusterBuilder builder() {
        return new FullClusterBuilder();
    }

    /**
     * Return the full cluster behind the cluster of a test. Closing the latter closes both.
     *
     * @throws IllegalStateException if the test runs without controllers, or on a real cluster
     */
    public static FullCluster of(TestCluster cluster) {
        return cluster.controllers()
                .filter(FullCluster.class::isInstance)
                .map(FullCluster.class::cast)
                .orElseThrow(
                        () -> new IllegalStateException(
                                "The test runs without controllers: set 'cluster' of its annotation, for example to TestCluster.FULL"));
    }

    static FullCluster start(FullClusterBuilder settings) {
        Fates fates = new Fates();
        ControlPlane.Settings wanted =
                new ControlPlane.Settings(settings.controllers, settings.nodes, settings.backoff, settings.time);
        ControlPlane.Running running = ControlPlane.start(settings.server, wanted, fates);
        return new FullCluster(running.server(), running.plane(), fates);
    }

    /** Return a client for the user {@code admin}, who may do everything. It is closed with the cluster. */
    public KubernetesClient client() {
        return client;
    }

    /** Return a new configuration for the user {@code admin}, who may do everything. */
    public Config config() {
        return server.clientConfig();
    }

    @Override
    public KubernetesServer server() {
        return server;
    }

    /** Return the commands and rules for pods. */
    public ClusterPods pods() {
        return pods;
    }

    @Override
    public Set<String> names() {
        return plane.names();
    }

    /** Return the manager of the controllers, for example for its health and its components. */
    public Manager manager() {
        return plane.manager();
    }

    @Override
    public void close() {
        plane.close();
        client.close();
        server.close();
    }
}
