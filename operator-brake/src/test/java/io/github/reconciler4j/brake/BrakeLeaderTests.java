package io.github.reconciler4j.brake;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.KubernetesServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Changes of the leader on the API server in this JVM. */
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BrakeLeaderTests extends BrakeLeaderScenario {

    private KubernetesServer server;
    private int number;

    @BeforeAll
    void startServer() {
        server =
                KubernetesServer.builder().https(false).garbageCollection(false).start();
    }

    @AfterAll
    void stopServer() {
        server.close();
    }

    @BeforeEach
    void start() {
        String namespace = "leader-" + ++number;
        try (ApiConnection connection = ApiConnection.open(server.clientConfig())) {
            Client.create(connection, Scheme.create(), ClientOptions.defaults())
                    .create(new NamespaceBuilder()
                            .withNewMetadata()
                            .withName(namespace)
                            .endMetadata()
                            .build());
        }
        connect(server.clientConfig(), namespace);
    }
}
