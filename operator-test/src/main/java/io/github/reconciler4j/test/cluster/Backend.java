package io.github.reconciler4j.test.cluster;

import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.test.KubernetesServer;
import java.util.Optional;

/** Where the API server of a test is. */
interface Backend extends AutoCloseable {
    /** The configuration of the test, which may do everything. */
    Config admin();

    /** The configuration of the operator, which may do everything too, by a name of its own where the server knows names. */
    Config operator();

    /** The server in this JVM, if it is that. */
    default Optional<KubernetesServer> server() {
        return Optional.empty();
    }

    /** Whether what the test leaves behind is there for others afterwards. */
    default boolean outlivesTest() {
        return false;
    }

    @Override
    void close();
}
