package io.github.reconciler4j.client;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.KubernetesServer;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The promises of the client, held against the server inside the JVM. */
class ClientOnTestServerTests extends ClientPromisesFixture {

    private KubernetesServer server;

    @Override
    @BeforeEach
    void open() throws InterruptedException {
        server = KubernetesServer.builder()
                .namespaceDeletionDelay(Duration.ofMillis(100))
                .start();
        super.open();
    }

    @Override
    Config config() {
        return server.clientConfig();
    }

    @Override
    String createNamespace() {
        Client.create(connection, Scheme.create(), ClientOptions.defaults())
                .create(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName("client")
                        .endMetadata()
                        .build());
        return "client";
    }

    @Override
    public IntStream planes() {
        return IntStream.of(0, 1, 16);
    }

    @Override
    @AfterEach
    void close() {
        super.close();
        server.close();
    }
}
