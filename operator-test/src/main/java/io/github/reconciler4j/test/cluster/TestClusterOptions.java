package io.github.reconciler4j.test.cluster;

import io.github.reconciler4j.test.KubernetesServerBuilder;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * What a {@link TestCluster} is to be like. Immutable.
 *
 * @param definitions folders of the class path whose custom resource definitions are installed (default
 *     {@code META-INF/fabric8} and {@code META-INF/crds}); a name that ends in {@code .yml}, {@code .yaml} or
 *     {@code .json} is one file
 * @param server changes the settings of the server in this JVM (default nothing); not called for a real one
 * @since 0.1.0
 */
public record TestClusterOptions(List<String> definitions, UnaryOperator<KubernetesServerBuilder> server) {
    /** Where generators of definitions put them: {@code META-INF/fabric8} and {@code META-INF/crds}. */
    public static final List<String> DEFAULT_DEFINITIONS = List.of("META-INF/fabric8", "META-INF/crds");

    private static final TestClusterOptions DEFAULTS =
            new TestClusterOptions(DEFAULT_DEFINITIONS, UnaryOperator.identity());

    /** Copies the list. */
    public TestClusterOptions {
        definitions = List.copyOf(definitions);
        Objects.requireNonNull(server, "server");
    }

    /** Returns the defaults. */
    public static TestClusterOptions defaults() {
        return DEFAULTS;
    }

    /** Returns these options with other places of definitions; none for no definitions. */
    public TestClusterOptions withDefinitions(List<String> places) {
        return new TestClusterOptions(places, server);
    }

    /** Returns these options with other changes to the settings of the server in this JVM. */
    public TestClusterOptions withServer(UnaryOperator<KubernetesServerBuilder> change) {
        return new TestClusterOptions(definitions, change);
    }
}
