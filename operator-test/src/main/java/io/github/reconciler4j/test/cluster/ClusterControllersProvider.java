package io.github.reconciler4j.test.cluster;

import io.github.reconciler4j.test.KubernetesServerBuilder;
import java.util.List;
import java.util.ServiceLoader;

/**
 * Starts servers with controllers. {@link java.util.ServiceLoader} finds the implementation, which is in the artifact
 * {@code reconciler4j-test-cluster}. Tests do not call it.
 *
 * @since 0.1.0
 */
public interface ClusterControllersProvider {

    /**
     * Return the implementation on the class path.
     *
     * @throws IllegalStateException if {@code reconciler4j-test-cluster} is not on the class path
     */
    static ClusterControllersProvider find() {
        return ServiceLoader.load(ClusterControllersProvider.class, ClusterControllersProvider.class.getClassLoader())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "The controllers of a cluster are not on the class path. Add the dependency"
                                + " 'io.github.reconciler4j:reconciler4j-test-cluster' in scope 'test'"));
    }

    /**
     * Start a server and the selected controllers, and return when their caches are filled.
     *
     * @param server the settings of the server, which the implementation may change
     * @param selected names of controllers, {@code *} for all, {@code -name} for all but one
     * @throws IllegalArgumentException if there is no controller of a name; the message lists the names
     */
    ClusterControllers start(KubernetesServerBuilder server, List<String> selected);
}
