package io.github.reconciler4j.client.internal.write;

import static io.github.reconciler4j.client.internal.AnsweringConnection.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.ApplyOptions;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.client.internal.AnsweringConnection;
import io.github.reconciler4j.client.internal.ClientWiring;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What each form of a write returns. */
class WriteResultsTests {

    private static final ObjectKey KEY = ObjectKey.of("shop", "foo");
    private static final KindName CONFIG_MAP = KindName.of("v1", "ConfigMap");

    private final AnsweringConnection server = new AnsweringConnection(request ->
            json(200, "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'foo','namespace':'shop','uid':'u'}}"));
    private final Client client =
            ClientWiring.of(server, Scheme.create().register(ConfigMap.class)).create(ClientOptions.defaults());
    private final ConfigMap map = new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace("shop")
            .withName("foo")
            .endMetadata()
            .addToData("a", "b")
            .build();

    @Test
    void writesReturnTheObjectOfTheServer() {
        ObjectPatch patch = ObjectPatch.merge(Map.of("data", Map.of("a", "c")));
        List<HasMetadata> results = List.of(
                client.create(map),
                client.update(map),
                client.patch(map, patch),
                client.patch(Kind.of(ConfigMap.class), KEY, patch, WriteOptions.defaults()),
                client.patch(Kind.of(CONFIG_MAP), KEY, patch, WriteOptions.defaults()),
                client.applyUnconditionally(map, ApplyOptions.defaults()),
                client.status().update(map),
                client.status().patch(map, patch),
                client.status().apply(map));
        assertThat(results)
                .extracting(object -> object.getMetadata().getUid())
                .containsOnly("u")
                .hasSize(9);
    }

    @Test
    void subresourcesReturnTheirResponse() {
        ConfigMap read = client.subresource("x").read(map, ConfigMap.class);
        assertThat(read.getMetadata().getUid()).isEqualTo("u");
        assertThat(client.subresource("x").write(map, map, WriteOptions.defaults()))
                .isEqualTo(read);
        assertThat(client.subresource("x").post(map, map, ConfigMap.class, WriteOptions.defaults()))
                .isEqualTo(read);
        assertThat(client.subresource("x").update(map)).isEqualTo(read);
        assertThat(client.subresource("x").apply(map)).isEqualTo(read);
    }

    @Test
    void deletionsReturnWhetherTheObjectExisted() {
        for (boolean exists : new boolean[] {true, false}) {
            assertThat(client.delete(map)).isEqualTo(exists);
            assertThat(client.delete(Kind.of(ConfigMap.class), KEY, DeletionOptions.defaults()))
                    .isEqualTo(exists);
            assertThat(client.delete(Kind.of(CONFIG_MAP), KEY, DeletionOptions.defaults()))
                    .isEqualTo(exists);
            server.answer(request -> {
                throw new NotFoundException("no such object");
            });
        }
    }

    @Test
    void applyOfTheStatusSendsNothingElse() {
        client.status().apply(map);
        client.subresource("x").apply(map);
        assertThat(body(0)).contains("\"status\":{}").doesNotContain("\"data\"");
        assertThat(body(1)).contains("\"data\":{\"a\":\"b\"}");
    }

    private String body(int request) {
        return new String(server.requests().get(request).body(), StandardCharsets.UTF_8);
    }
}
