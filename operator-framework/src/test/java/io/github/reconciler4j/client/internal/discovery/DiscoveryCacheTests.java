package io.github.reconciler4j.client.internal.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reconciler4j.client.Discovery;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.error.KindMismatchException;
import io.github.reconciler4j.client.error.KindNotServedException;
import io.github.reconciler4j.client.error.ServerUnavailableException;
import io.github.reconciler4j.client.error.UnexpectedResponseException;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.fixtures.ScriptedServer;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class DiscoveryCacheTests {

    private static final byte[] NOTHING = ScriptedServer.json(404, "404 page not found");
    private static final byte[] CART = ScriptedServer.json(
            200,
            "{\"kind\":\"APIResourceList\",\"resources\":[{\"name\":\"carts\",\"kind\":\"Cart\",\"namespaced\":true,\"verbs\":[\"get\"]}]}");
    private static final KindName KIND = KindName.of("shop.io/v1", "Cart");

    private final AtomicReference<byte[]> answer = new AtomicReference<>(NOTHING);
    private final ManualTimeSource time = new ManualTimeSource();
    private final ScriptedServer server = ScriptedServer.start((request, out) -> out.write(answer.get()));
    private final ApiConnection connection = ApiConnection.open(server.config());
    private final DiscoveryCache discovery = new DiscoveryCache(connection, time);

    @AfterEach
    void close() {
        connection.close();
        server.close();
    }

    @Test
    void findWhenKnownSendsNoRequest() {
        answer.set(CART);
        assertThat(discovery.find(KIND)).isPresent();
        time.advance(Duration.ofDays(1));
        assertThat(discovery.find(KIND)).isPresent();
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void findWhenMissingRequestsAgainAfterTwoSecondsOnly() {
        time.advance(Duration.ofHours(1));
        assertThat(discovery.find(KIND)).isEmpty();
        answer.set(CART);
        time.advance(Duration.ofMillis(1999));
        assertThat(discovery.find(KIND)).isEmpty();
        time.advance(Duration.ofMillis(1));
        assertThat(discovery.find(KIND)).isPresent();
        assertThat(server.requests()).hasSize(2);
    }

    @Test
    void servesRequestsWhatWasFoundAgainAfterAMinuteOnly() {
        time.advance(Duration.ofHours(1));
        answer.set(CART);
        assertThat(discovery.serves(KIND)).isTrue();
        time.advance(Duration.ofSeconds(59));
        answer.set(NOTHING);
        assertThat(discovery.serves(KIND)).isTrue();
        assertThat(server.requests()).hasSize(1);
        time.advance(Duration.ofSeconds(1));
        assertThat(discovery.serves(KIND)).isFalse();
        assertThat(discovery.find(KIND)).isEmpty();
        assertThat(server.requests()).hasSize(2);
    }

    @Test
    void servesWhenTheServerFailsUsesTheLastResponse() {
        answer.set(ScriptedServer.status(503, "ServiceUnavailable", "later", "{}"));
        assertThatThrownBy(() -> discovery.serves(KIND)).isInstanceOf(ServerUnavailableException.class);
        answer.set(CART);
        assertThat(discovery.serves(KIND)).isTrue();
        time.advance(Duration.ofMinutes(1));
        answer.set(ScriptedServer.status(503, "ServiceUnavailable", "later", "{}"));
        assertThat(discovery.serves(KIND)).isTrue();
    }

    @Test
    void forgetOfAKindMakesItAskForItAgain() {
        answer.set(CART);
        assertThat(discovery.find(KIND)).isPresent();
        answer.set(NOTHING);
        discovery.forget(KindName.of("other.io/v1", "Cart"));
        assertThat(discovery.find(KIND)).isPresent();
        discovery.forget(KIND);
        assertThat(discovery.find(KIND)).isEmpty();
    }

    @Test
    void forgetMakesItAskForKindsAndVersionsThatVanished() {
        answer.set(CART);
        assertThat(discovery.find(KIND)).isPresent();
        answer.set(group("v1", "v1"));
        assertThat(discovery.versions("shop.io")).isNotEmpty();
        answer.set(NOTHING);
        discovery.forget();
        assertThat(discovery.find(KIND)).isEmpty();
        assertThat(discovery.versions("shop.io")).isEmpty();
    }

    /** Returns the document of a group with these versions, separated by commas. */
    private static byte[] group(String preferred, String versions) {
        return ScriptedServer.json(
                200,
                "{\"kind\":\"APIGroup\",\"versions\":[{\"version\":\"" + versions.replace(",", "\"},{\"version\":\"")
                        + "\"}],\"preferredVersion\":{\"version\":\"" + preferred + "\"}}");
    }

    @Test
    void versionsWhenKnownSendsNoRequestAndWhenMissingOneAfterTwoSeconds() {
        time.advance(Duration.ofHours(1));
        assertThat(discovery.versions("shop.io")).isEmpty();
        answer.set(group("v1", "v1"));
        assertThat(discovery.versions("shop.io")).isEmpty();
        time.advance(Duration.ofSeconds(2));
        assertThat(discovery.versions("shop.io")).containsExactly("v1");
        time.advance(Duration.ofDays(1));
        assertThat(discovery.versions("shop.io")).containsExactly("v1");
        assertThat(server.requests()).hasSize(2);
    }

    @Test
    void findWhenTheServerFailsKeepsNothing() {
        answer.set(ScriptedServer.status(503, "ServiceUnavailable", "later", "{}"));
        assertThatThrownBy(() -> discovery.find(KIND)).isInstanceOf(ServerUnavailableException.class);
        answer.set(CART);
        assertThat(discovery.find(KIND)).isPresent();
    }

    @Test
    void versionsComeWithThePreferredOneFirst() {
        answer.set(group("v1", "v2,v1,v1beta1"));
        assertThat(discovery.versions("shop.io")).containsExactly("v1", "v2", "v1beta1");
    }

    @Test
    void findReadsScopeVerbsAndSubresourcesAndSkipsWhatItDoesNotKnow() {
        answer.set(ScriptedServer.json(
                200,
                "{\"kind\":\"APIResourceList\",\"future\":[1,{\"x\":[null]}],\"resources\":[null,"
                        + "{\"name\":\"carts/status\",\"kind\":\"Cart\",\"namespaced\":false},"
                        + "{\"name\":\"carts\",\"kind\":\"Cart\",\"namespaced\":true,\"future\":1.5,"
                        + "\"shortNames\":null,\"verbs\":[\"get\",\"watch\"]},"
                        + "{\"name\":\"/odd\",\"kind\":\"Odd\"},{\"name\":\"shops\",\"kind\":\"Shop\"}]}"));
        Discovery.ServedKind cart = discovery.find(KIND).orElseThrow();
        assertThat(cart.info()).isEqualTo(new KindInfo(KIND, "carts", true));
        assertThat(cart.subresources()).containsExactly("status");
        assertThat(cart.verbs()).containsExactlyInAnyOrder("get", "watch");
        assertThat(discovery
                        .find(KindName.of("shop.io/v1", "Shop"))
                        .orElseThrow()
                        .info()
                        .namespaced())
                .isFalse();
        assertThat(discovery.find(KindName.of("shop.io/v1", "Odd"))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<html>",
                "{}",
                "{\"kind\":\"Status\"}",
                "{\"resources\":[]}",
                "{\"resources\":[",
                "{\"resources\":[{\"name\":\"carts\""
            })
    void findWhenResponseIsNoDocumentThrowsAndKeepsNothing(String broken) {
        answer.set(ScriptedServer.json(200, broken));
        assertThatThrownBy(() -> discovery.find(KIND))
                .isExactlyInstanceOf(UnexpectedResponseException.class)
                .hasMessage("discover /apis/shop.io/v1: the response is not an APIResourceList");
        answer.set(CART);
        assertThat(discovery.find(KIND)).isPresent();
    }

    @Test
    void checkWhenMissingNamesTheDefinition() {
        assertThatThrownBy(() -> discovery.check(new KindInfo(KIND, "carts", true)))
                .isInstanceOf(KindNotServedException.class)
                .hasMessageContaining("does not know group 'shop.io'")
                .hasMessageContaining("CustomResourceDefinition carts.shop.io with version v1");
    }

    @Test
    void findPreferredAsksTheVersionsInOrder() {
        answer.set(group("v2", "v1,v2,v3"));
        assertThat(discovery.versions("shop.io")).hasSize(3);
        answer.set(NOTHING);
        assertThat(discovery.findPreferred("shop.io", "Cart")).isEmpty();
        time.advance(Duration.ofSeconds(2));
        answer.set(CART);
        assertThat(discovery
                        .findPreferred("shop.io", "Cart")
                        .orElseThrow()
                        .info()
                        .kind())
                .isEqualTo(KindName.of("shop.io/v2", "Cart"));
    }

    @Test
    void checkReturnsTheKindIfItIsServedAsItsClassSays() {
        answer.set(CART);
        assertThat(discovery.check(new KindInfo(KIND, "carts", true)).verbs()).containsExactly("get");
        assertThatThrownBy(() -> discovery.check(new KindInfo(KIND, "cartes", true)))
                .isInstanceOf(KindMismatchException.class)
                .hasMessageContaining("has the plural 'cartes' here, but the API server serves it as 'carts'");
        assertThatThrownBy(() -> discovery.check(new KindInfo(KIND, "carts", false)))
                .isInstanceOf(KindMismatchException.class)
                .hasMessageContaining("is cluster-scoped here, but namespaced on the API server: add");
    }

    @Test
    void checkWhenAnotherScopeOrVersionIsServedSaysSo() {
        answer.set(ScriptedServer.json(
                200, "{\"kind\":\"APIResourceList\",\"resources\":[{\"name\":\"carts\",\"kind\":\"Cart\"}]}"));
        assertThatThrownBy(() -> discovery.check(new KindInfo(KIND, "carts", true)))
                .isInstanceOf(KindMismatchException.class)
                .hasMessageContaining("is namespaced here, but cluster-scoped on the API server: remove");
        answer.set(group("v1", "v1,v2"));
        assertThat(discovery.versions("shop.io")).hasSize(2);
        answer.set(NOTHING);
        assertThatThrownBy(() -> discovery.check(new KindInfo(KindName.of("shop.io/v2", "Cart"), "carts", true)))
                .isInstanceOf(KindNotServedException.class)
                .hasMessageContaining("it serves this group in versions [v1])");
    }
}
