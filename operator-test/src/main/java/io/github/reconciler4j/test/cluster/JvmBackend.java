package io.github.reconciler4j.test.cluster;

import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.test.KubernetesServer;
import java.util.Optional;

/**
 * A server in this JVM for one cluster.
 *
 * @param running the server
 * @param operatorToken the token of the operator's user
 */
record JvmBackend(KubernetesServer running, String operatorToken) implements Backend {
    private static final String MASTERS = "system:masters";

    static Backend start(TestClusterOptions options) {
        KubernetesServer server =
                options.server().apply(KubernetesServer.builder()).start();
        return new JvmBackend(server, server.addUser(TestCluster.OPERATOR, MASTERS));
    }

    @Override
    public Config admin() {
        return running.clientConfig();
    }

    @Override
    public Config operator() {
        return running.clientConfig(operatorToken);
    }

    @Override
    public Optional<KubernetesServer> server() {
        return Optional.of(running);
    }

    @Override
    public void close() {
        running.close();
    }
}
