package io.github.reconciler4j.client;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.internal.ClientWiring;
import io.github.reconciler4j.client.internal.spi.WriteListener;
import io.github.reconciler4j.fixtures.ScriptedServer;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** Clients of a scripted server, and the calls of their listener. */
@Timeout(120)
abstract class ScriptedClientFixture {

    static final String STORED = "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{"
            + "\"name\":\"foo\",\"namespace\":\"shop\",\"resourceVersion\":\"7\",\"uid\":\"u1\"},\"data\":{\"a\":\"1\"}}";
    static final ObjectKey FOO = ObjectKey.of("shop", "foo");

    final List<AutoCloseable> resources = new ArrayList<>();
    final Written written = new Written();

    /** Records the calls of a listener. */
    static final class Written implements WriteListener {
        final List<String> notified = new ArrayList<>();

        @Override
        public void written(KindInfo kind, byte[] json) {
            notified.add("written " + kind.plural() + " " + new String(json, StandardCharsets.UTF_8).length());
        }

        @Override
        public void deleted(KindInfo kind, ObjectKey key, String uid, byte[] json) {
            notified.add("deleted " + kind.plural() + " " + key + " " + uid);
        }
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable resource : resources) {
            resource.close();
        }
    }

    ScriptedServer server(ScriptedServer.Script script) {
        ScriptedServer server = ScriptedServer.start(script);
        resources.add(server);
        return server;
    }

    ScriptedServer answering(String body) {
        return server((request, out) -> out.write(ScriptedServer.json(200, body)));
    }

    ApiConnection connection(ScriptedServer server) {
        ApiConnection connection = ApiConnection.open(server.config());
        resources.add(0, connection);
        return connection;
    }

    Client client(ScriptedServer server, ClientOptions options) {
        ApiConnection connection = connection(server);
        return wiring(connection).create(options);
    }

    ClientWiring wiring(ApiConnection connection) {
        return ClientWiring.of(connection, Scheme.create()).withWriteListener(written);
    }

    Client client(ScriptedServer server) {
        return client(server, ClientOptions.defaults());
    }

    static ConfigMap configMap() {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName("foo")
                .withNamespace("shop")
                .addToLabels("app", "x")
                .endMetadata()
                .addToData("a", "1")
                .build();
    }

    static String page(String token, int from, int to) {
        StringBuilder items = new StringBuilder();
        for (int i = from; i < to; i++) {
            items.append(i == from ? "" : ",")
                    .append("{\"metadata\":{\"namespace\":\"shop\",\"name\":\"n")
                    .append(i)
                    .append("\"}}");
        }
        return "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMapList\",\"metadata\":{\"resourceVersion\":\"9\",\"continue\":\""
                + token + "\"},\"items\":[" + items + "]}";
    }
}
