package io.github.reconciler4j.cache;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.KubernetesServer;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;

/** The server inside the JVM, restarted with the same objects and reset versions. */
class RestoredServerTests extends RestoredServerPromises {

    private final KubernetesServer server = KubernetesServer.start();
    private List<ConfigMap> kept;

    @AfterEach
    void stopServer() {
        server.close();
    }

    @Override
    Config config() {
        return server.clientConfig();
    }

    @Override
    String createNamespace() {
        return "default";
    }

    private <T> T ask(Function<Client, T> question) {
        try (ApiConnection connection = ApiConnection.open(config())) {
            return question.apply(Client.create(connection, Scheme.create(), ClientOptions.defaults()));
        }
    }

    @Override
    void backUp() {
        kept = ask(client -> client.list(Kind.of(ConfigMap.class), Selection.inNamespace("default")));
    }

    @Override
    void restore() {
        server.restartEmpty();
        ask(client -> {
            for (ConfigMap map : kept) {
                map.getMetadata().setResourceVersion(null);
                map.getMetadata().setUid(null);
                client.create(map);
            }
            return kept;
        });
    }
}
