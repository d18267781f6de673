package io.github.reconciler4j.client.internal.write;

import static io.github.reconciler4j.client.internal.AnsweringConnection.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.autoscaling.v1.Scale;
import io.github.reconciler4j.client.ApplyOptions;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.FieldValidation;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.Propagation;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.internal.AnsweringConnection;
import io.github.reconciler4j.client.internal.ClientWiring;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** The calls that writes result in: what interceptors see and what is sent. */
class WriteCallsTests {

    private static final ObjectKey KEY = ObjectKey.of("shop", "foo");
    private static final KindName CONFIG_MAP = KindName.of("v1", "ConfigMap");
    private static final ObjectPatch PATCH = ObjectPatch.merge(Map.of("data", Map.of("a", "b")));
    private static final WriteOptions DRY = WriteOptions.defaults().asDryRun();
    private static final String NAMED = "/api/v1/namespaces/shop/configmaps/foo";

    private final AnsweringConnection server = new AnsweringConnection(WriteCallsTests::answer);
    private final List<String> calls = new ArrayList<>();
    private final Client client = client(ClientOptions.defaults().withTimeout(Duration.ofSeconds(7)));

    private Client client(ClientOptions options) {
        return ClientWiring.of(server, Scheme.create().register(ConfigMap.class))
                .create(options)
                .intercepted(new CallRecorder(calls));
    }

    private static ApiResponse answer(ApiRequest request) {
        if (request.path().endsWith("/scale")) {
            return json(200, "{'apiVersion':'autoscaling/v1','kind':'Scale','metadata':{'name':'foo'}}");
        }
        if (request.path().endsWith("/eviction") || request.method().equals("DELETE")) {
            return json(200, "{'apiVersion':'v1','kind':'Status','status':'Success'}");
        }
        return json(
                200,
                request.path().startsWith("/api/v1/namespaces/shop/")
                        ? "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'foo','namespace':'shop'}}"
                        : "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'shop'}}");
    }

    private static ConfigMap map() {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("shop")
                .withName("foo")
                .withResourceVersion("3")
                .endMetadata()
                .build();
    }

    private static Namespace shop() {
        return new NamespaceBuilder()
                .withNewMetadata()
                .withName("shop")
                .withNamespace("ignored")
                .endMetadata()
                .build();
    }

    private void sends(String call, String path, ThrowingCallable write) throws Throwable {
        calls.clear();
        write.call();
        assertThat(calls).containsExactly(call + path);
    }

    @Test
    void writesOfObjectsAreSentToThem() throws Throwable {
        String own = " {fieldManager=[operator]}";
        String dry = " {fieldManager=[operator], dryRun=[All]}";
        String all = "/api/v1/namespaces/shop/configmaps";
        sends("create shop/foo: POST " + all, own, () -> client.create(map()));
        sends("create shop/foo dry again: POST " + all, dry, () -> client.create(map(), DRY));
        sends("update shop/foo: PUT " + NAMED, own, () -> client.update(map()));
        sends("update shop/foo dry again: PUT " + NAMED, dry, () -> client.update(map(), DRY));
        sends("patch shop/foo: PATCH " + NAMED, own, () -> client.patch(map(), PATCH));
        sends(
                "patch shop/foo: PATCH " + NAMED,
                own,
                () -> client.patch(Kind.of(ConfigMap.class), KEY, PATCH, WriteOptions.defaults()));
        sends(
                "patch shop/foo dry again: PATCH " + NAMED,
                dry,
                () -> client.patch(Kind.of(CONFIG_MAP), KEY, PATCH, DRY));
        sends("update shop: PUT /api/v1/namespaces/shop", own, () -> client.update(shop()));
        sends("create shop: POST /api/v1/namespaces", own, () -> client.create(shop()));
        assertThat(client.dryRun().patch(map(), PATCH).getMetadata().getName()).isEqualTo("foo");
        assertThat(calls).last().asString().contains(" dry ");
    }

    @Test
    void appliesAreSentToTheObject() throws Throwable {
        String forced = " {fieldManager=[operator], force=[true]}";
        String dry = " {fieldManager=[operator], dryRun=[All], force=[true]}";
        ApplyOptions options = ApplyOptions.defaults();
        sends(
                "apply shop/foo again: PATCH " + NAMED,
                forced,
                () -> client.applyUnconditionally(map(), ApplyOptions.defaults()));
        sends(
                "apply shop/foo: PATCH " + NAMED,
                forced,
                () -> client.applyUnconditionally(map(), options.withOptimisticLock()));
        sends(
                "apply shop/foo dry again: PATCH " + NAMED,
                dry,
                () -> client.applyUnconditionally(
                        map(), options.withOptimisticLock().asDryRun()));
        sends(
                "apply shop/foo again: PATCH " + NAMED,
                forced.replace("true", "false"),
                () -> client.applyUnconditionally(map(), options.withoutForce()));
        sends(
                "apply shop/foo status again: PATCH " + NAMED + "/status",
                forced,
                () -> client.status().apply(map(), options));
        sends(
                "apply shop/foo status: PATCH " + NAMED + "/status",
                forced,
                () -> client.status().apply(map(), options.withOptimisticLock()));
    }

    @Test
    void writesOfSubresourcesAreSentToThem() throws Throwable {
        String own = " {fieldManager=[operator]}";
        String status = "/status" + own;
        sends(
                "update shop/foo status: PUT " + NAMED,
                status,
                () -> client.status().update(map()));
        sends(
                "patch shop/foo status: PATCH " + NAMED,
                status,
                () -> client.status().patch(map(), PATCH));
        sends(
                "patch shop/foo scale: PATCH " + NAMED + "/scale",
                own,
                () -> assertThat(client.scale().set(map(), 0)).isNotNull());
        sends(
                "get shop/foo scale again: GET " + NAMED + "/scale",
                " {}",
                () -> assertThat(client.scale().get(map())).isNotNull());
        sends(
                "create shop/foo eviction: POST " + NAMED + "/eviction",
                own,
                () -> assertThat(client.subresource("eviction")
                                .post(map(), map(), Status.class, WriteOptions.defaults()))
                        .isNotNull());
        sends(
                "update shop/foo scale: PUT " + NAMED + "/scale",
                own,
                () -> assertThat(client.subresource(" scale ").write(map(), scale(), WriteOptions.defaults()))
                        .isNotNull());
        assertThatThrownBy(() -> client.scale().set(map(), -1)).isInstanceOf(IllegalArgumentException.class);
    }

    private static Scale scale() {
        return new Scale();
    }

    @Test
    void deletionsAreSentToTheObject() throws Throwable {
        DeletionOptions options = DeletionOptions.defaults();
        sends(
                "delete shop/foo: DELETE " + NAMED,
                " {}",
                () -> assertThat(client.delete(map(), options)).isTrue());
        sends(
                "delete shop/foo dry again: DELETE " + NAMED,
                " {}",
                () -> client.delete(Kind.of(ConfigMap.class), KEY, options.asDryRun()));
        sends("delete shop/foo: DELETE " + NAMED, " {}", () -> client.delete(Kind.of(CONFIG_MAP), KEY, options));
        sends("delete shop: DELETE /api/v1/namespaces/shop", " {}", () -> client.delete(shop(), options));
        Selection select = Selection.inNamespace("shop").withLabelSelector("a");
        sends(
                "deletecollection -: DELETE /api/v1/namespaces/shop/configmaps",
                " {labelSelector=[a]}",
                () -> client.deleteAll(Kind.of(CONFIG_MAP), select, options));
        sends(
                "deletecollection - dry again: DELETE /api/v1/namespaces/shop/configmaps",
                " {labelSelector=[a]}",
                () -> client.deleteAll(Kind.of(ConfigMap.class), select, options.asDryRun()));
        sends(
                "deletecollection -: DELETE /api/v1/namespaces",
                " {}",
                () -> client.deleteAll(Kind.of(Namespace.class), Selection.all(), options));
    }

    @Test
    void deletionSendsTheOptionsThatAreSet() {
        client.delete(map(), DeletionOptions.defaults());
        client.delete(map(), DeletionOptions.defaults().withUid("u"));
        client.delete(map(), DeletionOptions.defaults().withResourceVersion("3"));
        client.delete(map(), DeletionOptions.defaults().withPropagation(Propagation.FOREGROUND));
        client.delete(map(), DeletionOptions.defaults().withGracePeriod(Duration.ofSeconds(3)));
        String head = "{\"apiVersion\":\"v1\",\"kind\":\"DeleteOptions\"";
        assertThat(server.requests())
                .extracting(request -> new String(request.body(), StandardCharsets.UTF_8))
                .containsExactly(
                        head + "}",
                        head + ",\"preconditions\":{\"uid\":\"u\"}}",
                        head + ",\"preconditions\":{\"resourceVersion\":\"3\"}}",
                        head + ",\"propagationPolicy\":\"Foreground\"}",
                        head + ",\"gracePeriodSeconds\":3}");
    }

    @Test
    void validationIsThatOfTheCallOrOfTheClient() {
        ClientOptions strict = ClientOptions.defaults().withFieldValidation(FieldValidation.STRICT);
        client(strict).update(map());
        client(strict).update(map(), WriteOptions.defaults().withFieldValidation(FieldValidation.WARN));
        assertThat(server.requests())
                .extracting(request -> request.query().get("fieldValidation"))
                .containsExactly(List.of("Strict"), List.of("Warn"));
    }

    @Test
    void writeWhenNameOrNamespaceIsMissingSaysSo() {
        ConfigMap unnamed = map();
        unnamed.getMetadata().setName("");
        ConfigMap empty = map();
        empty.setMetadata(null);
        ConfigMap nowhere = map();
        nowhere.getMetadata().setNamespace(null);
        for (ConfigMap map : List.of(unnamed, empty)) {
            Client own = client.inNamespace("shop");
            refuses("needs a name", () -> own.create(map));
            refuses("needs a name", () -> own.update(map));
            refuses("needs a name", () -> own.applyUnconditionally(map, ApplyOptions.defaults()));
            refuses("needs a name", () -> own.patch(map, PATCH));
            refuses("needs a name", () -> own.delete(map));
        }
        refuses("needs a namespace", () -> client.create(nowhere));
        refuses("needs a namespace", () -> client.patch(nowhere, PATCH));
        refuses(
                "cannot have a limit",
                () -> client.deleteAll(
                        Kind.of(ConfigMap.class),
                        Selection.inNamespace("shop").withLimit(1),
                        DeletionOptions.defaults()));
        refuses(
                "needs a namespace",
                () -> client.deleteAll(Kind.of(ConfigMap.class), Selection.all(), DeletionOptions.defaults()));
        assertThat(calls).isEmpty();
    }

    private static void refuses(String why, ThrowingCallable write) {
        assertThatThrownBy(write).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(why);
    }

    @Test
    void creationWhenTheServerChoosesTheNameHasNoKey() throws Throwable {
        ConfigMap generated = map();
        generated.setMetadata(new ObjectMeta());
        generated.getMetadata().setGenerateName("foo-");
        sends(
                "create -: POST /api/v1/namespaces/shop/configmaps",
                " {fieldManager=[operator]}",
                () -> client.inNamespace("shop").create(generated));
    }
}
