package io.github.reconciler4j.client.internal.read;

import static io.github.reconciler4j.client.internal.AnsweringConnection.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.error.ErrorDetails;
import io.github.reconciler4j.client.error.GoneException;
import io.github.reconciler4j.client.error.KindNotServedException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.client.error.UndecodableObjectException;
import io.github.reconciler4j.client.error.UnexpectedResponseException;
import io.github.reconciler4j.client.internal.AnsweringConnection;
import io.github.reconciler4j.client.internal.request.ClientCore;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.OwnerRef;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Objects, headers and pages of lists of a server. */
class ServerReaderTests {

    private static final KindName CONFIG_MAP = KindName.of("v1", "ConfigMap");
    private static final ObjectKey FOO = ObjectKey.of("shop", "foo");
    private static final Selection SHOP = Selection.inNamespace("shop");
    private static final String FULL = "'metadata':{'name':'foo','namespace':'shop','uid':'u','resourceVersion':'7',"
            + "'generation':3,'labels':{'a':'b'},'annotations':{'c':'d'},'finalizers':['f'],"
            + "'creationTimestamp':'2026-01-01T00:00:00Z','deletionTimestamp':'2026-01-02T00:00:00Z',"
            + "'ownerReferences':[{'apiVersion':'v1','kind':'Pod','name':'p','uid':'x','controller':true},"
            + "{'apiVersion':'v1','kind':'Pod','name':'q','uid':'y'}]}}";

    private final AnsweringConnection server = new AnsweringConnection(request -> page(request, ""));
    private final ClientCore core = server.core();
    private final ServerReader reader = new ServerReader(core);

    ServerReaderTests() {
        core.scheme().register(ConfigMap.class);
    }

    /** Return a page that has as many items as were requested, two without a limit. */
    private static ApiResponse page(ApiRequest request, String token) {
        int count = Integer.parseInt(
                request.query().getOrDefault("limit", List.of("2")).get(0));
        StringBuilder items = new StringBuilder("{'metadata':{'name':'foo','namespace':'shop'}}");
        for (int i = 1; i < count; i++) {
            items.append(",{'metadata':{'name':'n").append(i).append("','namespace':'shop'}}");
        }
        return list(items.toString(), token);
    }

    private static ApiResponse list(String items, String token) {
        return json(
                200,
                "{'apiVersion':'v1','kind':'ConfigMapList','metadata':{'resourceVersion':'9','continue':'" + token
                        + "'},'items':[" + items + "]}");
    }

    @Test
    void headerHasAllMetadata() {
        server.answer(request -> json(200, "{'kind':'PartialObjectMetadata','apiVersion':'meta.k8s.io/v1'," + FULL));
        for (ObjectHeader header : List.of(
                reader.get(Kind.of(ConfigMap.class).metadata(), FOO).orElseThrow(),
                reader.get(Kind.of(CONFIG_MAP).metadata(), FOO).orElseThrow())) {
            assertThat(header.key()).isEqualTo(FOO);
            assertThat(header.uid()).isEqualTo("u");
            assertThat(header.resourceVersion()).isEqualTo("7");
            assertThat(header.generation()).isEqualTo(3);
            assertThat(header.labels()).isEqualTo(Map.of("a", "b"));
            assertThat(header.annotations()).isEqualTo(Map.of("c", "d"));
            assertThat(header.finalizers()).containsExactly("f");
            assertThat(header.creationTimestamp()).isEqualTo("2026-01-01T00:00:00Z");
            assertThat(header.deletionTimestamp()).isEqualTo("2026-01-02T00:00:00Z");
            assertThat(header.ownerReferences())
                    .containsExactly(
                            new OwnerRef("v1", "Pod", "p", "x", true), new OwnerRef("v1", "Pod", "q", "y", false));
        }
        assertThat(server.requests())
                .extracting(ApiRequest::accept)
                .allMatch(accept -> accept.contains("as=PartialObjectMetadata;"));
    }

    @Test
    void headerWhenItHasNothingIsEmpty() {
        server.answer(request -> list("{'metadata':{'name':'foo','deletionTimestamp':null}}", ""));
        for (List<ObjectHeader> headers : List.of(
                reader.list(Kind.of(ConfigMap.class).metadata(), SHOP),
                reader.list(Kind.of(CONFIG_MAP).metadata(), SHOP))) {
            ObjectHeader header = headers.get(0);
            assertThat(header.key()).isEqualTo(ObjectKey.ofName("foo"));
            assertThat(header.uid()).isEmpty();
            assertThat(header.generation()).isZero();
            assertThat(header.labels()).isEmpty();
            assertThat(header.ownerReferences()).isEmpty();
            assertThat(header.deletionTimestamp()).isNull();
        }
        server.answer(request -> json(200, "{'kind':'Secret','apiVersion':'v1'," + FULL));
        assertThatThrownBy(() -> reader.get(Kind.of(CONFIG_MAP).metadata(), FOO))
                .isInstanceOf(UnexpectedResponseException.class);
    }

    @Test
    void objectWhenItExistsIsRead() {
        server.answer(request -> json(200, "{'kind':'ConfigMap','apiVersion':'v1'," + FULL));
        assertThat(reader.get(ConfigMap.class, FOO).orElseThrow().getMetadata().getUid())
                .isEqualTo("u");
        assertThat(reader.get(Kind.of(CONFIG_MAP), FOO)
                        .orElseThrow()
                        .getMetadata()
                        .getUid())
                .isEqualTo("u");
        server.answer(request -> {
            throw new NotFoundException("none");
        });
        assertThat(reader.get(ConfigMap.class, FOO)).isEmpty();
        assertThat(reader.get(Kind.of(ConfigMap.class).metadata(), FOO)).isEmpty();
        server.answer(request -> {
            throw new KindNotServedException("not served");
        });
        assertThatThrownBy(() -> reader.get(Kind.of(CONFIG_MAP), FOO)).isInstanceOf(KindNotServedException.class);
    }

    @Test
    void listsHaveTheKindOfTheirItems() {
        assertThat(reader.list(Kind.of(ConfigMap.class), SHOP)).hasSize(500).doesNotContainNull();
        assertThat(reader.list(Kind.of(CONFIG_MAP), SHOP))
                .hasSize(500)
                .allSatisfy(item ->
                        assertThat(item.getKind() + item.getApiVersion()).isEqualTo("ConfigMapv1"));
        assertThat(reader.stream(Kind.of(ConfigMap.class), SHOP)).hasSize(500).doesNotContainNull();
        assertThat(reader.stream(Kind.of(CONFIG_MAP), SHOP))
                .hasSize(500)
                .allSatisfy(item -> assertThat(item.getKind()).isEqualTo("ConfigMap"));
        server.answer(
                request -> list("{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'a'},'data':{'k':'v'}}", ""));
        GenericKubernetesResource own = reader.list(Kind.of(CONFIG_MAP), SHOP).get(0);
        assertThat(own.<String>get("data", "k")).isEqualTo("v");
        server.answer(request -> list("{'metadata':{'name':'foo','namespace':'shop'},'data':[1]}", ""));
        assertThatThrownBy(() -> reader.list(Kind.of(ConfigMap.class), SHOP))
                .isInstanceOfSatisfying(UndecodableObjectException.class, e -> {
                    assertThat(e.key()).isEqualTo(FOO);
                    assertThat(e.field()).isEqualTo("data");
                });
    }

    @Test
    void ownedObjectsAreThoseThatNameTheOwner() {
        ConfigMap owner = new ConfigMapBuilder()
                .withNewMetadata()
                .withName("owner")
                .withNamespace("shop")
                .withUid("y")
                .endMetadata()
                .build();
        server.answer(
                request -> list("{" + FULL + ",{'metadata':{'name':'other','ownerReferences':[{'uid':'z'}]}}", ""));
        assertThat(reader.listOwned(owner, ConfigMap.class))
                .extracting(map -> map.getMetadata().getName())
                .containsExactly("foo");
        assertThat(reader.listOwned(owner, Kind.of(CONFIG_MAP)))
                .extracting(GenericKubernetesResource::getKind)
                .containsExactly("ConfigMap");
        owner.getMetadata().setNamespace(null);
        reader.listOwned(owner, Kind.of(CONFIG_MAP));
        assertThat(server.takeRequests())
                .containsExactly(
                        "GET /api/v1/namespaces/shop/configmaps",
                        "GET /api/v1/namespaces/shop/configmaps",
                        "GET /api/v1/configmaps");
    }

    private List<Map<String, List<String>>> queries() {
        List<Map<String, List<String>>> queries =
                server.requests().stream().map(ApiRequest::query).toList();
        server.requests().clear();
        return queries;
    }

    private static Map<String, List<String>> limit(int limit) {
        return Map.of("limit", List.of(Integer.toString(limit)));
    }

    private static Map<String, List<String>> more(int limit) {
        return Map.of("limit", List.of(Integer.toString(limit)), "continue", List.of("more"));
    }

    @Test
    void pagesAreNoLongerThanTheLimit() {
        server.answer(request -> page(request, "more"));
        assertThat(reader.list(Kind.of(ConfigMap.class), SHOP.withLimit(3))).hasSize(3);
        assertThat(queries()).containsExactly(limit(3));
        assertThat(reader.list(Kind.of(ConfigMap.class), SHOP.withLimit(500))).hasSize(500);
        assertThat(queries()).containsExactly(limit(500));
        assertThat(reader.list(Kind.of(ConfigMap.class), SHOP.withLimit(502))).hasSize(502);
        assertThat(queries()).containsExactly(limit(500), more(2));
    }

    /** A server can return more than it was asked for. */
    @Test
    void listWhenThePageIsLongerThanTheLimitEndsThere() {
        server.answer(request -> list("{'metadata':{'name':'a'}},{'metadata':{'name':'b'}}", "more"));
        assertThat(reader.list(Kind.of(ConfigMap.class), SHOP.withLimit(1))).hasSize(1);
    }

    @Test
    void emptyPageIsFollowedByTheNext() {
        server.answer(request -> request.query().containsKey("continue") ? page(request, "") : list("", "more"));
        assertThat(reader.list(Kind.of(ConfigMap.class), SHOP)).hasSize(500);
        assertThat(queries()).containsExactly(limit(500), more(500));
        server.answer(request -> list("", ""));
        assertThat(reader.list(Kind.of(ConfigMap.class), SHOP)).isEmpty();
        assertThat(queries()).containsExactly(limit(500));
    }

    @Test
    void listWhenItDoesNotAdvanceEnds() {
        AtomicInteger pages = new AtomicInteger();
        server.answer(request -> list("", "page-" + pages.incrementAndGet()));
        assertThatThrownBy(() -> reader.list(Kind.of(ConfigMap.class), SHOP))
                .isInstanceOf(UnexpectedResponseException.class)
                .hasMessage("list configmaps: the list does not advance: its last 100 pages had no objects");
        assertThat(queries()).hasSize(100);

        server.answer(request -> list("{'metadata':{'name':'a'}}", "more"));
        assertThatThrownBy(() -> reader.list(Kind.of(ConfigMap.class), SHOP))
                .isInstanceOf(UnexpectedResponseException.class)
                .hasMessage("list configmaps: the list does not advance: a page names itself as the next one");
        assertThat(queries()).containsExactly(limit(500), more(500));
        assertThatThrownBy(() -> reader.stream(Kind.of(ConfigMap.class), SHOP).count())
                .isInstanceOf(UnexpectedResponseException.class);
    }

    private static GoneException gone(String token) {
        return new GoneException("too old", ErrorDetails.of(410, "Expired"), token);
    }

    @Test
    void listWhenTheServerHasForgottenItIsFetchedAtOnce() {
        server.answer(request -> {
            if (request.query().containsKey("continue")) {
                throw gone("now");
            }
            return page(request, request.query().containsKey("limit") ? "more" : "");
        });
        assertThat(reader.list(Kind.of(ConfigMap.class), SHOP)).hasSize(2);
        assertThat(queries()).containsExactly(limit(500), more(500), Map.of());
        assertThat(reader.list(Kind.of(ConfigMap.class), SHOP.withLimit(501)))
                .as("with a limit")
                .hasSize(501);
    }

    @Test
    void streamWhenTheServerHasForgottenTheListContinuesWithItsToken() {
        String[] token = {"now"};
        server.answer(request -> {
            List<String> at = request.query().getOrDefault("continue", List.of(""));
            if (at.get(0).equals("more")) {
                throw gone(token[0]);
            }
            return page(request, at.get(0).equals("now") ? "" : "more");
        });
        assertThat(reader.stream(Kind.of(ConfigMap.class), SHOP)).hasSize(1000);
        token[0] = "";
        assertThatThrownBy(() -> reader.stream(Kind.of(ConfigMap.class), SHOP).count())
                .isInstanceOf(GoneException.class);
    }

    @Test
    void iteratorWhenThereIsNoMoreSaysSo() {
        Iterator<ConfigMap> items =
                reader.stream(Kind.of(ConfigMap.class), SHOP.withLimit(1)).iterator();
        items.next();
        assertThat(items.hasNext()).isFalse();
        ServerReader.Pages pages =
                new ServerReader.Pages(core, core.kindOf(ConfigMap.class), SHOP.withLimit(1), ApiRequest.JSON, 500);
        pages.next();
        assertThatThrownBy(pages::next).isInstanceOf(NoSuchElementException.class);
    }
}
