package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Namespace;
import io.github.reconciler4j.client.error.UnexpectedResponseException;
import io.github.reconciler4j.fixtures.ScriptedServer;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Clients made of another: of one namespace. */
class ClientViewTests extends ScriptedClientFixture {

    @Test
    void namespacedClientFillsChecksAndLeavesClusterScopedAlone() {
        ScriptedServer server = answering(STORED);
        Client client = client(server).inNamespace("shop");
        ConfigMap without = new ConfigMapBuilder(configMap())
                .editMetadata()
                .withNamespace(null)
                .endMetadata()
                .build();
        ConfigMap elsewhere = new ConfigMapBuilder(configMap())
                .editMetadata()
                .withNamespace("other")
                .endMetadata()
                .build();

        client.create(without);
        client.applyUnconditionally(without, ApplyOptions.defaults());
        client.status().update(without);
        client.get(ConfigMap.class, ObjectKey.ofName("foo"));

        assertThat(server.requests())
                .allSatisfy(request -> assertThat(request.target()).startsWith("/api/v1/namespaces/shop/configmaps"));
        assertThat(server.requests().get(0).body()).contains("\"namespace\":\"shop\"");
        for (Runnable refused : List.<Runnable>of(
                () -> client.create(elsewhere),
                () -> client.update(elsewhere),
                () -> client.applyUnconditionally(elsewhere, ApplyOptions.defaults()),
                () -> client.delete(elsewhere),
                () -> client.status().update(elsewhere),
                () -> client.list(Kind.of(ConfigMap.class), Selection.inNamespace("other")))) {
            assertThatThrownBy(refused::run)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'shop'")
                    .hasMessageContaining("'other'");
        }
        assertThatThrownBy(() -> client.live().get(Namespace.class, ObjectKey.ofName("any")))
                .isInstanceOf(UnexpectedResponseException.class)
                .hasMessageContaining("get namespaces any: the response is not a Namespace");
        assertThat(server.requests().get(4).target()).isEqualTo("/api/v1/namespaces/any");
    }
}
