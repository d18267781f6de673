package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Namespace;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.error.UnexpectedResponseException;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Clients made of another: of one namespace, and intercepted. */
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
                () -> client.list(Kind.of(ConfigMap.class), ListOptions.inNamespace("other")))) {
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

    @Test
    void interceptorsReplaceCallsAndAbsentHooksPassOn() {
        ScriptedServer server = answering(STORED);
        List<String> seen = new ArrayList<>();
        Client client = client(server).intercepted(new ClientInterceptor() {
            @Override
            public ApiResponse update(ClientCall call, Next next) {
                seen.add("update " + call.key().orElseThrow());
                return new ApiResponse(
                        200, STORED.replace("\"7\"", "\"8\"").getBytes(StandardCharsets.UTF_8), List.of());
            }

            @Override
            public ApiResponse subresource(ClientCall call, Next next) {
                seen.add(call.verb().word() + " " + call.subresource());
                return next.proceed(call);
            }
        });

        assertThat(client.update(configMap()).getMetadata().getResourceVersion())
                .isEqualTo("8");
        client.status().update(configMap());
        client.create(configMap());

        assertThat(seen).containsExactly("update shop/foo", "update status");
        assertThat(server.requests()).hasSize(2);
    }
}
