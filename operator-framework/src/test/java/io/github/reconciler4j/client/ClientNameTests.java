package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.fixtures.ScriptedServer;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names that would address something else than one object are refused before a request is sent. */
class ClientNameTests extends ScriptedClientFixture {

    private static final KindName CONFIG_MAP = KindName.of("v1", "ConfigMap");

    private final ScriptedServer server = answering(STORED);
    private final ApiConnection connection = connection(server);
    private final Client client = wiring(connection).create(ClientOptions.defaults());

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "a/b",
                "/a",
                "a/",
                ".",
                "..",
                "../x",
                "../../nodes/n",
                "%",
                "a%2Fb",
                "%2e%2e",
                "a\u0000",
                "a\nb",
                "\u007F"
            })
    void nameWhenNotAPathSegmentIsRefusedByEveryCall(String name) {
        calls("shop", name).forEach((call, run) -> refuses(call + " by name", run));
        calls(name, "foo").forEach((call, run) -> refuses(call + " by namespace", run));
        refuses("subresource", () -> client.subresource(name));
        refuses("inNamespace", () -> client.inNamespace(name));
        Kind<ConfigMap> kind = Kind.of(ConfigMap.class);
        Selection in = Selection.inNamespace(name);
        refuses("list", () -> client.live().list(kind, in));
        refuses("stream", () -> client.live().stream(kind, in).count());
        refuses("headers", () -> client.live().list(kind.metadata(), in));
        refuses("deleteAll", () -> client.deleteAll(kind, in, DeletionOptions.defaults()));
        refuses("get in cluster", () -> client.live().get(Namespace.class, ObjectKey.ofName(name)));
        refuses(
                "delete in cluster",
                () -> client.delete(Kind.of(Namespace.class), ObjectKey.ofName(name), DeletionOptions.defaults()));
        assertThat(server.requests()).isEmpty();
    }

    private Map<String, ThrowingCallable> calls(String namespace, String name) {
        ObjectKey key = ObjectKey.of(namespace, name);
        ConfigMap object = new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .withResourceVersion("1")
                .endMetadata()
                .build();
        ObjectPatch patch = ObjectPatch.merge(Map.of("data", Map.of("a", "b")));
        Map<String, ThrowingCallable> calls = new LinkedHashMap<>();
        calls.put("get", () -> client.get(ConfigMap.class, key));
        calls.put("live get", () -> client.live().get(Kind.of(CONFIG_MAP), key));
        calls.put("header", () -> client.live().get(Kind.of(ConfigMap.class).metadata(), key));
        calls.put("exists", () -> client.exists(Kind.of(ConfigMap.class), key));
        calls.put("create", () -> client.create(object));
        calls.put("update", () -> client.update(object));
        calls.put("patch object", () -> client.patch(object, patch));
        calls.put("patch", () -> client.patch(Kind.of(ConfigMap.class), key, patch, WriteOptions.defaults()));
        calls.put("patch kind", () -> client.patch(Kind.of(CONFIG_MAP), key, patch, WriteOptions.defaults()));
        calls.put("apply", () -> client.apply(object));
        calls.put("applyUnconditionally", () -> client.applyUnconditionally(object, ApplyOptions.defaults()));
        calls.put("createOrUpdate", () -> client.createOrUpdate(object, same -> {}));
        calls.put("createOrPatch", () -> client.createOrPatch(object, same -> {}));
        calls.put("delete object", () -> client.delete(object));
        calls.put("delete", () -> client.delete(Kind.of(ConfigMap.class), key, DeletionOptions.defaults()));
        calls.put("delete kind", () -> client.delete(Kind.of(CONFIG_MAP), key, DeletionOptions.defaults()));
        calls.put("retryOnConflict", () -> client.retryOnConflict(ConfigMap.class, key, same -> same));
        calls.put("status update", () -> client.status().update(object));
        calls.put("status patch", () -> client.status().patch(object, patch));
        calls.put("status apply", () -> client.status().apply(object));
        calls.put("scale", () -> client.scale().set(object, 1));
        return calls;
    }

    private static void refuses(String call, ThrowingCallable run) {
        assertThatThrownBy(run)
                .as(call)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching("(?s).*'(name|namespace|subresource)' must not .*");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "api",
                "/",
                "/api/v1/pods/",
                "/api//pods",
                "/api/v1/pods/..",
                "/api/./v1",
                "/api/v1/pods/a%2fb",
                "/a\n"
            })
    void requestWhenPathHasASegmentThatIsNoNameIsRefused(String path) {
        assertThatThrownBy(() -> ApiRequest.of("get", "GET", path))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'path'");
    }

    @Test
    void pathOfKindWhenNameIsNotAPathSegmentIsRefused() {
        KindInfo kind = new KindInfo(CONFIG_MAP, "configmaps", true);
        assertThatThrownBy(() -> kind.path(ObjectKey.of("shop", "a/b"))).hasMessageContaining("'name'");
        assertThatThrownBy(() -> kind.path("a/b")).hasMessageContaining("'namespace'");
    }

    @Test
    void nameWhenUnusualIsEncoded() {
        connection.send(ApiRequest.of("get", "GET", "/api/v1/x/a b?c#d;e+f&g\u00E4")
                .withQuery(Map.of("labelSelector", List.of("a=b,c in (d)+%&\u00E4#"))));
        assertThat(server.requests().get(0).target())
                .isEqualTo("/api/v1/x/a%20b%3Fc%23d;e+f&g%C3%A4"
                        + "?labelSelector=a%3Db,c%20in%20%28d%29%2B%25%26%C3%A4%23");
    }

    @Test
    void nameWhenItHasAColonIsSent() {
        assertThatThrownBy(() -> client.live().get(ClusterRole.class, ObjectKey.ofName("system:node")));
        assertThat(server.requests().get(0).target()).contains("system").doesNotContain("%25");
    }
}
