package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Namespace;
import io.github.reconciler4j.client.error.KindNotServedException;
import io.github.reconciler4j.client.error.UndecodableObjectException;
import io.github.reconciler4j.client.error.UnexpectedResponseException;
import io.github.reconciler4j.fixtures.ScriptedServer;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reading one object, and lists page by page. */
class ClientReadTests extends ScriptedClientFixture {

    @Test
    void getWhenMissingIsEmptyButWhenKindIsNotServedFails() {
        ScriptedServer server = server((request, out) -> out.write(
                request.target().contains("configmaps")
                        ? ScriptedServer.status(404, "NotFound", "no", "{\"name\":\"foo\",\"kind\":\"configmaps\"}")
                        : ScriptedServer.json(404, "404 page not found")));
        Client client = client(server);
        assertThat(client.get(ConfigMap.class, FOO)).isEmpty();
        assertThatThrownBy(() -> client.get(Namespace.class, ObjectKey.ofName("shop")))
                .isInstanceOf(KindNotServedException.class);
    }

    @Test
    void getWhenObjectDoesNotFitItsClassNamesTheFieldAndNotTheValue() {
        ScriptedServer server = answering(STORED.replace("{\"a\":\"1\"}", "[\"hunter2\"]"));
        Throwable failure = catchThrowable(() -> client(server).get(ConfigMap.class, FOO));
        assertThat(failure)
                .isInstanceOf(UndecodableObjectException.class)
                .hasMessageContaining("shop/foo")
                .hasMessageContaining("'data'");
        assertThat(failure.getMessage()).doesNotContain("hunter2");
    }

    @Test
    void listFollowsPagesAndKeepsSelectors() {
        ScriptedServer server = server((request, out) -> out.write(ScriptedServer.json(
                200, request.target().contains("continue") ? page("", 500, 600) : page("more", 0, 500))));

        List<ConfigMap> all = client(server)
                .list(Kind.of(ConfigMap.class), Selection.inNamespace("shop").withLabelSelector("app=x"));

        assertThat(all).hasSize(600);
        assertThat(all.get(599).getKind()).isEqualTo("ConfigMap");
        assertThat(server.requests())
                .extracting(ScriptedServer.Received::target)
                .containsExactly(
                        "/api/v1/namespaces/shop/configmaps?labelSelector=app%3Dx&limit=500",
                        "/api/v1/namespaces/shop/configmaps?labelSelector=app%3Dx&limit=500&continue=more");
    }

    @Test
    void listWhenExpiredBetweenPagesIsFetchedAgainInOnePage() {
        ScriptedServer server = server((request, out) -> {
            if (request.target().contains("continue")) {
                out.write(ScriptedServer.status(410, "Expired", "too old", "{}"));
            } else {
                out.write(ScriptedServer.json(
                        200, request.target().contains("limit") ? page("more", 0, 500) : page("", 0, 700)));
            }
        });
        assertThat(client(server).list(Kind.of(ConfigMap.class), Selection.all()))
                .hasSize(700);
    }

    @Test
    void streamWhenExpiredBetweenPagesContinuesAfterTheLastObject() {
        ScriptedServer server = server((request, out) -> {
            if (request.target().contains("continue=more")) {
                out.write(
                        ScriptedServer.json(
                                410,
                                "{\"kind\":\"Status\",\"reason\":\"Expired\",\"code\":410,\"metadata\":{\"continue\":\"now\"}}"));
            } else {
                out.write(ScriptedServer.json(
                        200, request.target().contains("continue=now") ? page("", 500, 510) : page("more", 0, 500)));
            }
        });
        assertThat(client(server).live().stream(Kind.of(ConfigMap.class), Selection.all())
                        .map(c -> c.getMetadata().getName())
                        .distinct())
                .hasSize(510);
    }

    @Test
    void streamWhenNotConsumedFetchesNoFurtherPage() {
        ScriptedServer server = server((request, out) -> out.write(ScriptedServer.json(200, page("more", 0, 500))));
        assertThat(client(server).live().stream(Kind.of(ConfigMap.class), Selection.all())
                        .limit(3))
                .hasSize(3);
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void listWhenLimitedStopsThere() {
        ScriptedServer server = server((request, out) -> out.write(ScriptedServer.json(200, page("more", 0, 500))));
        assertThat(client(server).list(Kind.of(ConfigMap.class), Selection.all().withLimit(700)))
                .hasSize(700);
        assertThat(server.requests())
                .extracting(ScriptedServer.Received::target)
                .containsExactly("/api/v1/configmaps?limit=500", "/api/v1/configmaps?limit=200&continue=more");
    }

    @Test
    void headersAskForMetadataOnly() {
        ScriptedServer server =
                answering("{\"kind\":\"PartialObjectMetadataList\",\"metadata\":{\"resourceVersion\":\"9\"},\"items\":["
                        + "{\"metadata\":{\"name\":\"foo\",\"namespace\":\"shop\",\"generation\":4,\"labels\":{\"a\":\"b\"},"
                        + "\"ownerReferences\":[{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"name\":\"p\",\"uid\":\"u\","
                        + "\"controller\":true}]}}]}");
        Client client = client(server);
        client.scheme().register(ConfigMap.class);

        List<ObjectHeader> headers = client.list(
                Kind.of(client.scheme().kindOf(ConfigMap.class).kind()).metadata(), Selection.all());

        assertThat(headers).singleElement().satisfies(header -> {
            assertThat(header.key()).isEqualTo(FOO);
            assertThat(header.generation()).isEqualTo(4);
            assertThat(header.labels()).containsEntry("a", "b");
            assertThat(header.ownerReferences().get(0).controller()).isTrue();
            assertThat(header.isBeingDeleted()).isFalse();
        });
        assertThat(server.requests().get(0).headers().get("accept")).contains("as=PartialObjectMetadataList");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "{}",
                "[]",
                "<html>maintenance</html>",
                "{'kind':'Status','apiVersion':'v1','metadata':{},'status':'Success'}",
                "{'kind':'SecretList','apiVersion':'v1','metadata':{'resourceVersion':'1'},'items':[]}",
                "{'kind':'ConfigMapList','apiVersion':'v2','metadata':{'resourceVersion':'1'},'items':[]}",
                "{'kind':'ConfigMapList','apiVersion':'v1','metadata':{'resourceVersion':'1'}}",
                "{'kind':'ConfigMapList','apiVersion':'v1','metadata':{'resourceVersion':'1'},'items':{}}",
                "{'kind':'ConfigMapList','apiVersion':'v1','metadata':{},'items':[]}",
                "{'kind':'ConfigMapList','apiVersion':'v1','metadata':{'resourceVersion':'1'},'items':[{'kind':'Secret'}]}",
                "{'kind':'Secret','apiVersion':'v1','metadata':{'name':'foo','namespace':'shop'}}",
                "{'kind':'ConfigMap','apiVersion':'v1','metadata':{}}",
                "{'kind':'ConfigMap','apiVersion':'v1'}",
            })
    void readWhenResponseIsSomethingElseThrows(String body) {
        LiveReader live = client(answering(body.replace('\'', '"'))).live();
        for (ThrowingCallable read : List.<ThrowingCallable>of(
                () -> live.get(ConfigMap.class, FOO),
                () -> live.get(Kind.of(ConfigMap.class).metadata(), FOO),
                () -> live.list(Kind.of(ConfigMap.class), Selection.all()),
                () -> live.list(Kind.of(ConfigMap.class).metadata(), Selection.all()),
                () -> live.stream(Kind.of(ConfigMap.class), Selection.all()).count())) {
            assertThatThrownBy(read)
                    .isInstanceOf(UnexpectedResponseException.class)
                    .hasMessageContaining("configmaps")
                    .hasMessageContaining("is there a proxy in front of the API server?");
        }
    }

    @Test
    void listWhenItemsAreNullIsEmpty() {
        String empty = "{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"1\"},"
                + "\"items\":null}";
        assertThat(client(answering(empty)).list(Kind.of(ConfigMap.class), Selection.all()))
                .isEmpty();
    }
}
