package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.github.reconciler4j.client.error.KindNotServedException;
import io.github.reconciler4j.fixtures.ScriptedServer;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Kinds that only the server knows. */
class ClientUnknownKindTests extends ScriptedClientFixture {

    private static final KindName CART = KindName.of("shop.io/v1", "Cart");
    private static final String CARTS =
            "{\"kind\":\"APIResourceList\",\"resources\":[{\"name\":\"carts\",\"kind\":\"Cart\",\"namespaced\":true,\"verbs\":[\"get\"]}]}";

    @Test
    void genericObjectOfUnknownKindIsLookedUpOnceOnTheServer() {
        ScriptedServer server = server((request, out) -> out.write(ScriptedServer.json(
                200,
                request.target().equals("/apis/shop.io/v1")
                        ? "{\"kind\":\"APIResourceList\",\"resources\":[{\"name\":\"cartes\",\"kind\":\"Cart\",\"namespaced\":true,\"verbs\":[\"get\"]},"
                                + "{\"name\":\"cartes/status\",\"kind\":\"Cart\",\"namespaced\":true,\"verbs\":[]}]}"
                        : "{\"apiVersion\":\"shop.io/v1\",\"kind\":\"Cart\",\"metadata\":{\"name\":\"c\"}}")));
        Client client = client(server);

        assertThat(client.get(Kind.of(CART), ObjectKey.of("shop", "c"))).isPresent();
        assertThat(client.get(Kind.of(CART), ObjectKey.of("shop", "c"))).isPresent();

        assertThat(server.requests())
                .extracting(ScriptedServer.Received::target)
                .containsExactly(
                        "/apis/shop.io/v1",
                        "/apis/shop.io/v1/namespaces/shop/cartes/c",
                        "/apis/shop.io/v1/namespaces/shop/cartes/c");
        assertThat(client.discovery().find(CART).orElseThrow().subresources()).containsExactly("status");
        assertThat(client.discovery().find(CART))
                .map(Discovery.ServedKind::verbs)
                .isEqualTo(Optional.of(java.util.Set.of("get")));
    }

    @Test
    void genericListOfUnknownKindIsRequestedByTheKindOfItsItems() {
        String list =
                "{\"apiVersion\":\"shop.io/v1\",\"kind\":\"CartList\",\"metadata\":{\"resourceVersion\":\"9\"},\"items\":[{\"metadata\":{\"name\":\"c\"}}]}";
        ScriptedServer server = server((request, out) -> {
            boolean discovery = request.target().equals("/apis/shop.io/v1");
            out.write(ScriptedServer.json(200, discovery ? CARTS : list));
        });

        List<GenericKubernetesResource> carts = client(server).list(Kind.of(CART), Selection.all());

        assertThat(carts).extracting(GenericKubernetesResource::getKind).containsExactly("Cart");
        assertThat(carts).extracting(GenericKubernetesResource::getApiVersion).containsExactly("shop.io/v1");
    }

    @Test
    void kindWhenNoLongerServedIsLookedUpAgain() {
        AtomicInteger turn = new AtomicInteger();
        ScriptedServer server = server((request, out) -> {
            boolean first = turn.getAndIncrement() == 0;
            out.write(first ? ScriptedServer.json(200, CARTS) : ScriptedServer.json(404, "404 page not found"));
        });
        Client client = client(server);

        assertThat(client.discovery().find(CART)).isPresent();
        assertThatThrownBy(() -> client.get(Kind.of(CART), FOO)).isInstanceOf(KindNotServedException.class);
        assertThat(client.discovery().find(CART)).isEmpty();
    }
}
