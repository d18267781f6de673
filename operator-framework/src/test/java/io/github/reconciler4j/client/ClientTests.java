package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ClientTests {

    private static final String STORED = "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{"
            + "\"name\":\"foo\",\"namespace\":\"shop\",\"resourceVersion\":\"7\",\"uid\":\"u1\"},\"data\":{\"a\":\"1\"}}";
    private static final ObjectKey FOO = ObjectKey.of("shop", "foo");
    private static final GroupVersionKind CART = GroupVersionKind.of("shop.io/v1", "Cart");
    private static final String CARTS =
            "{\"resources\":[{\"name\":\"carts\",\"kind\":\"Cart\",\"namespaced\":true,\"verbs\":[\"get\"]}]}";

    private final List<AutoCloseable> resources = new ArrayList<>();
    private final Written written = new Written();

    /** Keeps what a client tells its listener. */
    private static final class Written implements WriteListener {
        final List<String> told = new ArrayList<>();

        @Override
        public void written(KindInfo kind, byte[] json) {
            told.add("written " + kind.plural() + " " + new String(json, StandardCharsets.UTF_8).length());
        }

        @Override
        public void deleted(KindInfo kind, ObjectKey key, String uid, byte[] json) {
            told.add("deleted " + kind.plural() + " " + key + " " + uid);
        }
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable resource : resources) {
            resource.close();
        }
    }

    private ScriptedServer server(ScriptedServer.Script script) {
        ScriptedServer server = ScriptedServer.start(script);
        resources.add(server);
        return server;
    }

    private ScriptedServer answering(String body) {
        return server((request, out) -> out.write(ScriptedServer.json(200, body)));
    }

    private Client client(ScriptedServer server, ClientOptions options) {
        ApiConnection connection = ApiConnection.open(server.config());
        resources.add(0, connection);
        return Client.create(connection, Scheme.create(), options.withWriteListener(written));
    }

    private Client client(ScriptedServer server) {
        return client(server, ClientOptions.defaults());
    }

    private static ConfigMap configMap() {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName("foo")
                .withNamespace("shop")
                .addToLabels("app", "x")
                .endMetadata()
                .addToData("a", "1")
                .build();
    }

    @Test
    void createSendsTheObjectInTheNameOfTheFieldManagerAndReturnsANewOne() {
        ScriptedServer server = answering(STORED);
        ConfigMap given = configMap();
        ConfigMap before = configMap();

        ConfigMap created = client(server).create(given);

        assertThat(given).isEqualTo(before);
        assertThat(created).isNotSameAs(given);
        assertThat(created.getMetadata().getResourceVersion()).isEqualTo("7");
        assertThat(server.requests()).singleElement().satisfies(request -> {
            assertThat(request.method()).isEqualTo("POST");
            assertThat(request.target()).isEqualTo("/api/v1/namespaces/shop/configmaps?fieldManager=operator");
            assertThat(request.body()).contains("\"kind\":\"ConfigMap\"", "\"name\":\"foo\"");
        });
        assertThat(written.told).containsExactly("written configmaps " + STORED.length());
    }

    @Test
    void genericWritesAnswerWithKindAndVersionAndLeaveWhatTheyAreGiven() {
        Client client = client(answering(STORED));
        client.scheme().register(ConfigMap.class);
        GenericKubernetesResource given = new GenericKubernetesResource();
        given.setApiVersion("v1");
        given.setKind("ConfigMap");
        given.setMetadata(configMap().getMetadata());
        Patch patch = Patch.merge(Map.of("data", Map.of("a", "1")));

        List<GenericKubernetesResource> answers = List.of(
                client.update(given),
                client.patch(given, patch),
                client.status().update(given));

        assertThat(answers).extracting(GenericKubernetesResource::getApiVersion).containsOnly("v1");
        assertThat(answers).extracting(GenericKubernetesResource::getKind).containsOnly("ConfigMap");
        assertThat(client.delete(given)).isTrue();
        assertThat(given.getMetadata()).isEqualTo(configMap().getMetadata());
        assertThat(given.getAdditionalProperties()).isEmpty();
    }

    @Test
    void fieldManagerAndValidationOfTheClientGoWithEveryWriteThatNamesNoOther() {
        ScriptedServer server = answering(STORED);
        ClientOptions options = ClientOptions.defaults().withFieldManager("me");
        Client client = client(server, options.withFieldValidation(FieldValidation.STRICT));
        client.create(configMap());
        client.update(configMap());
        client.patch(configMap(), Patch.merge(Map.of("a", "b")));
        client.apply(configMap());
        client.status().update(configMap());
        client.scale().set(configMap(), 3);

        String[] own = {"fieldManager=me", "fieldValidation=Strict"};
        assertThat(server.requests()).hasSize(6);
        assertThat(server.requests())
                .allSatisfy(request -> assertThat(request.target()).contains(own));

        WriteOptions other = WriteOptions.defaults().withFieldManager("you");
        client.update(configMap(), other.withFieldValidation(FieldValidation.WARN));
        assertThat(server.requests().get(6).target()).contains("fieldManager=you", "fieldValidation=Warn");
    }

    @Test
    void writeWhenDryRunTellsNobody() {
        ScriptedServer server = answering(STORED);
        client(server).dryRun().update(configMap());
        client(server).create(configMap(), WriteOptions.defaults().asDryRun());
        client(server).dryRun().delete(configMap());

        assertThat(server.requests().get(0).target()).contains("dryRun=All");
        assertThat(server.requests().get(1).target()).contains("dryRun=All");
        assertThat(server.requests().get(2).body()).contains("\"dryRun\":[\"All\"]");
        assertThat(written.told).isEmpty();
    }

    @Test
    void writeWhenGateIsClosedSendsNothing() {
        ScriptedServer server = answering(STORED);
        Client client = client(server, ClientOptions.defaults().withWriteGate(() -> {
            throw new WriteRefusedException("not the leader");
        }));

        assertThatThrownBy(() -> client.update(configMap())).isInstanceOf(WriteRefusedException.class);
        assertThatThrownBy(() -> client.status().update(configMap())).isInstanceOf(WriteRefusedException.class);
        assertThatThrownBy(() -> client.delete(configMap())).isInstanceOf(WriteRefusedException.class);
        assertThat(server.requests()).isEmpty();
        assertThat(client.live().get(ConfigMap.class, FOO)).isPresent();
        client.dryRun().update(configMap());
    }

    @Test
    void applyLeavesOutWhatMustNotBeApplied() {
        ScriptedServer server = answering(STORED);
        ConfigMap object = new ConfigMapBuilder(configMap())
                .editMetadata()
                .withResourceVersion("5")
                .addNewManagedField()
                .withManager("x")
                .endManagedField()
                .withCreationTimestamp("2026-01-01T00:00:00Z")
                .endMetadata()
                .build();
        client(server).apply(object, ApplyOptions.defaults().withFieldManager("shop"));
        client(server).apply(object, ApplyOptions.defaults().withoutForce().withOptimisticLock());

        ScriptedServer.Received first = server.requests().get(0);
        assertThat(first.method()).isEqualTo("PATCH");
        assertThat(first.headers()).containsEntry("content-type", "application/apply-patch+yaml");
        assertThat(first.target()).isEqualTo("/api/v1/namespaces/shop/configmaps/foo?fieldManager=shop&force=true");
        assertThat(first.body()).doesNotContain("managedFields", "resourceVersion", "creationTimestamp");
        assertThat(server.requests().get(1).target()).endsWith("force=false");
        assertThat(server.requests().get(1).body()).contains("\"resourceVersion\":\"5\"");
        assertThat(object.getMetadata().getResourceVersion()).isEqualTo("5");
    }

    @Test
    void statusApplySendsOnlyIdentityAndStatus() {
        ScriptedServer server = answering(
                "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"shop\"},\"status\":{}}");
        Namespace namespace = new NamespaceBuilder()
                .withNewMetadata()
                .withName("shop")
                .addToLabels("app", "x")
                .endMetadata()
                .withNewSpec()
                .addToFinalizers("f")
                .endSpec()
                .withNewStatus()
                .withPhase("Active")
                .endStatus()
                .build();
        client(server).status().apply(namespace);

        assertThat(server.requests().get(0).target()).startsWith("/api/v1/namespaces/shop/status?");
        assertThat(server.requests().get(0).body())
                .isEqualTo("{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"shop\"},"
                        + "\"status\":{\"phase\":\"Active\"}}");
    }

    @Test
    void patchBetweenSendsTheDifferenceAndNothingIfThereIsNone() {
        ScriptedServer server = answering(STORED);
        Client client = client(server);
        ConfigMap after = new ConfigMapBuilder(configMap())
                .addToData("b", "2")
                .removeFromData("a")
                .build();

        client.patch(after, Patch.between(configMap(), after));
        ConfigMap same = client.patch(configMap(), Patch.between(configMap(), configMap()));

        assertThat(same).isEqualTo(configMap());
        assertThat(server.requests()).singleElement().satisfies(request -> {
            assertThat(request.body()).isEqualTo("{\"data\":{\"b\":\"2\",\"a\":null}}");
            assertThat(request.headers()).containsEntry("content-type", "application/merge-patch+json");
        });
    }

    @Test
    void patchLockedBetweenSendsTheVersionAndNeedsOne() {
        ScriptedServer server = answering(STORED);
        ConfigMap before = new ConfigMapBuilder(configMap())
                .editMetadata()
                .withResourceVersion("5")
                .endMetadata()
                .build();
        ConfigMap after = new ConfigMapBuilder(before).addToData("b", "2").build();

        client(server).patch(after, Patch.lockedBetween(before, after));

        assertThat(server.requests().get(0).body())
                .isEqualTo("{\"data\":{\"b\":\"2\"},\"metadata\":{\"resourceVersion\":\"5\"}}");
        assertThatThrownBy(() -> Patch.lockedBetween(configMap(), after))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("resourceVersion");
    }

    @Test
    void patchJsonSendsItsOperations() {
        ScriptedServer server = answering(STORED);
        client(server)
                .patch(
                        ConfigMap.class,
                        FOO,
                        Patch.json(
                                Patch.Operation.test("/data/a", "1"),
                                Patch.Operation.replace("/data/a", "2"),
                                Patch.Operation.remove("/data/b")),
                        WriteOptions.defaults());

        assertThat(server.requests().get(0).body())
                .isEqualTo("[{\"op\":\"test\",\"path\":\"/data/a\",\"value\":\"1\"},"
                        + "{\"op\":\"replace\",\"path\":\"/data/a\",\"value\":\"2\"},"
                        + "{\"op\":\"remove\",\"path\":\"/data/b\"}]");
    }

    @Test
    void deleteSendsPreconditionsAndTellsWhetherTheObjectStays() {
        AtomicInteger turn = new AtomicInteger();
        ScriptedServer server = server((request, out) -> {
            String stays = STORED.replace(
                    "\"uid\"", "\"finalizers\":[\"f\"],\"deletionTimestamp\":\"2026-01-01T00:00:00Z\",\"uid\"");
            switch (turn.getAndIncrement()) {
                case 0 ->
                    out.write(ScriptedServer.json(
                            200, "{\"kind\":\"Status\",\"status\":\"Success\",\"details\":{\"uid\":\"u1\"}}"));
                case 1 -> out.write(ScriptedServer.json(200, stays));
                case 2 -> out.write(ScriptedServer.json(200, STORED));
                default ->
                    out.write(
                            ScriptedServer.status(404, "NotFound", "no", "{\"name\":\"foo\",\"kind\":\"configmaps\"}"));
            }
        });
        Client client = client(server);
        DeleteOptions options = DeleteOptions.defaults()
                .withUid("u1")
                .withResourceVersion("7")
                .withPropagation(Propagation.FOREGROUND)
                .withGracePeriod(Duration.ofSeconds(3));

        assertThat(client.delete(ConfigMap.class, FOO, options)).isTrue();
        assertThat(client.delete(configMap())).isTrue();
        assertThat(client.delete(configMap())).isTrue();
        assertThat(client.delete(configMap())).isFalse();

        assertThat(server.requests().get(0).body())
                .isEqualTo("{\"apiVersion\":\"v1\",\"kind\":\"DeleteOptions\",\"preconditions\":{\"uid\":\"u1\","
                        + "\"resourceVersion\":\"7\"},\"propagationPolicy\":\"Foreground\",\"gracePeriodSeconds\":3}");
        assertThat(written.told).hasSize(3);
        assertThat(written.told.get(0)).isEqualTo("deleted configmaps shop/foo u1");
        assertThat(written.told.get(1)).startsWith("written configmaps");
        assertThat(written.told.get(2)).isEqualTo("deleted configmaps shop/foo u1");
    }

    @Test
    void deleteAllSendsSelectorsAndTheOptionsOfTheDeletion() {
        ScriptedServer server = answering(page("", 0, 0));
        ListOptions labelled = ListOptions.inNamespace("shop").withLabelSelector("app=x");
        DeleteOptions options = DeleteOptions.defaults().withPropagation(Propagation.FOREGROUND);

        client(server).deleteAll(ConfigMap.class, labelled.withFieldSelector("metadata.name=foo"), options);

        ScriptedServer.Received request = server.requests().get(0);
        assertThat(request.method()).isEqualTo("DELETE");
        assertThat(request.target()).startsWith("/api/v1/namespaces/shop/configmaps?");
        assertThat(request.target()).contains("labelSelector=app%3Dx", "fieldSelector=metadata.name%3Dfoo");
        assertThat(request.body()).contains("\"propagationPolicy\":\"Foreground\"");
    }

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

    private static String page(String token, int from, int to) {
        StringBuilder items = new StringBuilder();
        for (int i = from; i < to; i++) {
            items.append(i == from ? "" : ",")
                    .append("{\"metadata\":{\"namespace\":\"shop\",\"name\":\"n")
                    .append(i)
                    .append("\"}}");
        }
        return "{\"kind\":\"ConfigMapList\",\"metadata\":{\"resourceVersion\":\"9\",\"continue\":\"" + token
                + "\"},\"items\":[" + items + "]}";
    }

    @Test
    void listFollowsPagesAndKeepsSelectors() {
        ScriptedServer server = server((request, out) -> out.write(ScriptedServer.json(
                200, request.target().contains("continue") ? page("", 500, 600) : page("more", 0, 500))));

        List<ConfigMap> all = client(server)
                .list(ConfigMap.class, ListOptions.inNamespace("shop").withLabelSelector("app=x"));

        assertThat(all).hasSize(600);
        assertThat(all.get(599).getKind()).isEqualTo("ConfigMap");
        assertThat(server.requests())
                .extracting(ScriptedServer.Received::target)
                .containsExactly(
                        "/api/v1/namespaces/shop/configmaps?labelSelector=app%3Dx&limit=500",
                        "/api/v1/namespaces/shop/configmaps?labelSelector=app%3Dx&limit=500&continue=more");
    }

    @Test
    void listWhenForgottenInTheMiddleBeginsAnewInOnePage() {
        ScriptedServer server = server((request, out) -> {
            if (request.target().contains("continue")) {
                out.write(ScriptedServer.status(410, "Expired", "too old", "{}"));
            } else {
                out.write(ScriptedServer.json(
                        200, request.target().contains("limit") ? page("more", 0, 500) : page("", 0, 700)));
            }
        });
        assertThat(client(server).list(ConfigMap.class, ListOptions.all())).hasSize(700);
    }

    @Test
    void streamWhenForgottenInTheMiddleGoesOnAfterTheLastObject() {
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
        assertThat(client(server).live().stream(ConfigMap.class, ListOptions.all())
                        .map(c -> c.getMetadata().getName())
                        .distinct())
                .hasSize(510);
    }

    @Test
    void streamWhenNotConsumedFetchesNoFurtherPage() {
        ScriptedServer server = server((request, out) -> out.write(ScriptedServer.json(200, page("more", 0, 500))));
        assertThat(client(server).live().stream(ConfigMap.class, ListOptions.all())
                        .limit(3))
                .hasSize(3);
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void listWhenLimitedStopsThere() {
        ScriptedServer server = server((request, out) -> out.write(ScriptedServer.json(200, page("more", 0, 500))));
        assertThat(client(server).list(ConfigMap.class, ListOptions.all().withLimit(700)))
                .hasSize(700);
        assertThat(server.requests())
                .extracting(ScriptedServer.Received::target)
                .containsExactly("/api/v1/configmaps?limit=500", "/api/v1/configmaps?limit=200&continue=more");
    }

    @Test
    void headersAskForMetadataOnly() {
        ScriptedServer server = answering("{\"kind\":\"PartialObjectMetadataList\",\"metadata\":{},\"items\":["
                + "{\"metadata\":{\"name\":\"foo\",\"namespace\":\"shop\",\"generation\":4,\"labels\":{\"a\":\"b\"},"
                + "\"ownerReferences\":[{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"name\":\"p\",\"uid\":\"u\","
                + "\"controller\":true}]}}]}");
        Client client = client(server);
        client.scheme().register(ConfigMap.class);

        List<ObjectHeader> headers =
                client.headers(client.scheme().kindOf(ConfigMap.class).kind(), ListOptions.all());

        assertThat(headers).singleElement().satisfies(header -> {
            assertThat(header.key()).isEqualTo(FOO);
            assertThat(header.generation()).isEqualTo(4);
            assertThat(header.labels()).containsEntry("a", "b");
            assertThat(header.ownerReferences().get(0).controller()).isTrue();
            assertThat(header.isBeingDeleted()).isFalse();
        });
        assertThat(server.requests().get(0).headers().get("accept")).contains("as=PartialObjectMetadataList");
    }

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
        client.apply(without);
        client.status().update(without);
        client.get(ConfigMap.class, ObjectKey.ofName("foo"));

        assertThat(server.requests())
                .allSatisfy(request -> assertThat(request.target()).startsWith("/api/v1/namespaces/shop/configmaps"));
        assertThat(server.requests().get(0).body()).contains("\"namespace\":\"shop\"");
        for (Runnable refused : List.<Runnable>of(
                () -> client.create(elsewhere),
                () -> client.update(elsewhere),
                () -> client.apply(elsewhere),
                () -> client.delete(elsewhere),
                () -> client.status().update(elsewhere),
                () -> client.list(ConfigMap.class, ListOptions.inNamespace("other")))) {
            assertThatThrownBy(refused::run)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'shop'")
                    .hasMessageContaining("'other'");
        }
        client.live().get(Namespace.class, ObjectKey.ofName("any"));
        assertThat(server.requests().get(4).target()).isEqualTo("/api/v1/namespaces/any");
    }

    @Test
    void writeWithoutNameOrNamespaceSaysWhatIsMissing() {
        ScriptedServer server = answering(STORED);
        assertThatThrownBy(() -> client(server).create(new ConfigMapBuilder().build()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("needs a namespace");
        assertThatThrownBy(() -> client(server).inNamespace("shop").update(new ConfigMapBuilder().build()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("needs a name");
        assertThat(server.requests()).isEmpty();
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

    @Test
    void warningsReachTheCallerWhoAsks() {
        ScriptedServer server = server((request, out) ->
                out.write(ScriptedServer.json(200, STORED, "Warning: 299 - \"unknown field spec.x\"")));
        List<String> warnings = new ArrayList<>();
        client(server).create(configMap(), WriteOptions.defaults().withOnWarning(warnings::add));
        assertThat(warnings).containsExactly("unknown field spec.x");
    }

    @Test
    void warningsAreLoggedOnceEachHoweverOftenTheyCome() {
        ScriptedServer server = server((request, out) ->
                out.write(ScriptedServer.json(200, STORED, "Warning: 299 - \"v1 is deprecated, use v2\"")));
        try (CapturedLog log = CapturedLog.of("io.github.reconciler4j.client.warnings")) {
            Client client = client(server);
            for (int i = 0; i < 3; i++) {
                client.create(configMap());
                client.dryRun().update(configMap());
            }
            assertThat(log.events())
                    .singleElement()
                    .satisfies(event -> assertThat(event.getFormattedMessage()).contains("v1 is deprecated, use v2"));
        }
    }

    @Test
    void retryOnConflictReadsAgain() {
        AtomicInteger puts = new AtomicInteger();
        ScriptedServer server = server((request, out) -> {
            boolean conflict = request.method().equals("PUT") && puts.incrementAndGet() < 3;
            out.write(
                    conflict
                            ? ScriptedServer.status(409, "Conflict", "modified", "{\"name\":\"foo\"}")
                            : ScriptedServer.json(200, STORED));
        });
        Client client = client(server);

        ConfigMap result = client.retryOnConflict(ConfigMap.class, FOO, client::update);

        assertThat(result.getMetadata().getName()).isEqualTo("foo");
        assertThat(server.requests())
                .extracting(ScriptedServer.Received::method)
                .containsExactly("GET", "PUT", "GET", "PUT", "GET", "PUT");
    }

    @Test
    void retryOnConflictGivesUpAfterFiveTries() {
        ScriptedServer server = server((request, out) -> out.write(
                request.method().equals("PUT")
                        ? ScriptedServer.status(409, "Conflict", "modified", "{\"name\":\"foo\"}")
                        : ScriptedServer.json(200, STORED)));
        Client client = client(server);
        assertThatThrownBy(() -> client.retryOnConflict(ConfigMap.class, FOO, client::update))
                .isInstanceOf(ConflictException.class);
        assertThat(server.requests()).hasSize(10);
    }

    @Test
    void requestIsRepeatedOnlyWhereThatIsSafe() {
        byte[] unavailable = ScriptedServer.status(503, "ServiceUnavailable", "later", "{}");
        byte[] busy = ScriptedServer.status(429, "TooManyRequests", "later", "{}");
        AtomicInteger turn = new AtomicInteger();
        List<byte[]> first = new ArrayList<>();
        ScriptedServer server = server((request, out) ->
                out.write(turn.getAndIncrement() == 0 ? first.get(0) : ScriptedServer.json(200, STORED)));
        Client client = client(server);
        record Case(byte[] answer, Runnable call, boolean repeated) {}
        List<Case> cases = List.of(
                new Case(unavailable, () -> client.live().get(ConfigMap.class, FOO), true),
                new Case(unavailable, () -> client.apply(configMap()), true),
                new Case(unavailable, () -> client.dryRun().create(configMap()), true),
                new Case(unavailable, () -> client.create(configMap()), false),
                new Case(unavailable, () -> client.update(configMap()), false),
                new Case(unavailable, () -> client.delete(configMap()), false),
                new Case(busy, () -> client.create(configMap()), true),
                new Case(busy, () -> client.update(configMap()), true));
        for (Case one : cases) {
            first.clear();
            first.add(one.answer);
            turn.set(0);
            Throwable failure = catchThrowable(one.call::run);
            if (one.repeated) {
                assertThat(failure).as("case %s", cases.indexOf(one)).isNull();
            } else {
                assertThat(failure).isInstanceOf(ServerUnavailableException.class);
            }
        }
    }

    @Test
    void scaleSetsReplicas() {
        ScriptedServer server = answering("{\"apiVersion\":\"autoscaling/v1\",\"kind\":\"Scale\","
                + "\"metadata\":{\"name\":\"foo\"},\"spec\":{\"replicas\":3}}");
        assertThat(client(server).scale().set(configMap(), 3).getSpec().getReplicas())
                .isEqualTo(3);
        assertThat(server.requests().get(0).target()).startsWith("/api/v1/namespaces/shop/configmaps/foo/scale?");
        assertThat(server.requests().get(0).body()).isEqualTo("{\"spec\":{\"replicas\":3}}");
        assertThat(written.told).isEmpty();
    }

    @Test
    void genericObjectOfUnknownKindIsLookedUpOnceOnTheServer() {
        ScriptedServer server = server((request, out) -> out.write(ScriptedServer.json(
                200,
                request.target().equals("/apis/shop.io/v1")
                        ? "{\"resources\":[{\"name\":\"cartes\",\"kind\":\"Cart\",\"namespaced\":true,\"verbs\":[\"get\"]},"
                                + "{\"name\":\"cartes/status\",\"kind\":\"Cart\",\"namespaced\":true,\"verbs\":[]}]}"
                        : "{\"apiVersion\":\"shop.io/v1\",\"kind\":\"Cart\",\"metadata\":{\"name\":\"c\"}}")));
        Client client = client(server);

        assertThat(client.get(CART, ObjectKey.of("shop", "c"))).isPresent();
        assertThat(client.get(CART, ObjectKey.of("shop", "c"))).isPresent();

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
    void genericListOfUnknownKindIsAskedForByTheKindOfItsItems() {
        String list = "{\"kind\":\"CartList\",\"metadata\":{},\"items\":[{\"metadata\":{\"name\":\"c\"}}]}";
        ScriptedServer server = server((request, out) -> {
            boolean discovery = request.target().equals("/apis/shop.io/v1");
            out.write(ScriptedServer.json(200, discovery ? CARTS : list));
        });

        List<GenericKubernetesResource> carts = client(server).list(CART, ListOptions.all());

        assertThat(carts).extracting(GenericKubernetesResource::getKind).containsExactly("Cart");
        assertThat(carts).extracting(GenericKubernetesResource::getApiVersion).containsExactly("shop.io/v1");
    }

    @Test
    void kindThatIsNoLongerServedIsLookedUpAnew() {
        AtomicInteger turn = new AtomicInteger();
        ScriptedServer server = server((request, out) -> {
            boolean first = turn.getAndIncrement() == 0;
            out.write(first ? ScriptedServer.json(200, CARTS) : ScriptedServer.json(404, "404 page not found"));
        });
        Client client = client(server);

        assertThat(client.discovery().find(CART)).isPresent();
        assertThatThrownBy(() -> client.get(CART, FOO)).isInstanceOf(KindNotServedException.class);
        assertThat(client.discovery().find(CART)).isEmpty();
    }
}
