package io.github.reconciler4j.controller;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.KubernetesServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A manager of a server inside the JVM. */
abstract class ControllerTestServerFixture extends ControllerOnServerFixture {

    KubernetesServer server;

    @Override
    @BeforeEach
    void open() {
        server = KubernetesServer.start();
        namespace = prepare();
        CacheOptions cache = CacheOptions.defaults();
        manager = Manager.create(
                config(),
                ManagerOptions.defaults()
                        .withCache(cache.withWatch(
                                cache.watch().withBackoff(Duration.ofMillis(10), Duration.ofMillis(100)))));
    }

    @Override
    @AfterEach
    void close() {
        super.close();
        server.close();
    }

    @Override
    Config config() {
        return server.clientConfig();
    }

    @Override
    String prepare() {
        try (ApiConnection connection = ApiConnection.open(config())) {
            Client client = Client.create(connection, Scheme.create(), ClientOptions.defaults());
            client.create(Serialization.unmarshal(Widget.CRD, CustomResourceDefinition.class));
            client.create(new NamespaceBuilder()
                    .withNewMetadata()
                    .withName("promises")
                    .endMetadata()
                    .build());
        }
        return "promises";
    }
}
