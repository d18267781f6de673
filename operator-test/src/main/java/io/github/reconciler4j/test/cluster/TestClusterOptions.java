package io.github.reconciler4j.test.cluster;

import io.github.reconciler4j.test.KubernetesServerBuilder;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * Options of a {@link TestCluster}. Immutable.
 *
 * <!-- snippet: ServerUse -->
 * <pre>{@code
 * return TestCluster.start(TestClusterOptions.defaults()
 *         .withDefinitions(List.of("META-INF/crds/buckets.yaml"))
 *         .withServer(server -> server.rbac(true)));
 * }</pre>
 *
 * @since 0.1.0
 */
public final class TestClusterOptions {

    /** The default locations of definitions, where generators put them: {@code META-INF/fabric8}, {@code META-INF/crds}. */
    public static final List<String> DEFAULT_DEFINITIONS = List.of("META-INF/fabric8", "META-INF/crds");

    private static final TestClusterOptions DEFAULTS =
            new TestClusterOptions(DEFAULT_DEFINITIONS, List.of(), UnaryOperator.identity());

    private final List<String> definitions;
    private final List<String> cluster;
    private final UnaryOperator<KubernetesServerBuilder> server;

    private TestClusterOptions(
            List<String> definitions, List<String> cluster, UnaryOperator<KubernetesServerBuilder> server) {
        this.definitions = List.copyOf(definitions);
        this.cluster = List.copyOf(cluster);
        this.server = Objects.requireNonNull(server, "server");
    }

    /** Return the defaults. */
    public static TestClusterOptions defaults() {
        return DEFAULTS;
    }

    /**
     * Return the folders on the class path whose custom resource definitions the cluster installs. A name that ends in
     * {@code .yml}, {@code .yaml} or {@code .json} is one file. Default {@link #DEFAULT_DEFINITIONS}.
     */
    public List<String> definitions() {
        return definitions;
    }

    /**
     * Return the controllers that run on the server in this JVM: names, {@link TestCluster#FULL} for all, {@code -name} for all
     * but one. Default none. No effect on a real cluster.
     */
    public List<String> cluster() {
        return cluster;
    }

    /** Return what changes the settings of the server in this JVM. Default no change. Not called for a real cluster. */
    public UnaryOperator<KubernetesServerBuilder> server() {
        return server;
    }

    /** Return a copy of these options with the given locations of definitions, or none for an empty list. */
    public TestClusterOptions withDefinitions(List<String> locations) {
        return new TestClusterOptions(locations, cluster, server);
    }

    /**
     * Return a copy of these options with the given controllers, which need {@code reconciler4j-test-cluster} on the class path.
     *
     * @param controllers names, {@link TestCluster#FULL} for all, {@code -name} for all but one; none for no controllers
     */
    public TestClusterOptions withCluster(String... controllers) {
        return new TestClusterOptions(definitions, List.of(controllers), server);
    }

    /** Return a copy of these options with the given change of the settings of the server in this JVM. */
    public TestClusterOptions withServer(UnaryOperator<KubernetesServerBuilder> change) {
        return new TestClusterOptions(definitions, cluster, change);
    }

    @Override
    public String toString() {
        return "TestClusterOptions[definitions=" + definitions + ", cluster=" + cluster + "]";
    }
}
