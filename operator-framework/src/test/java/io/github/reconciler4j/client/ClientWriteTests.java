package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.github.reconciler4j.client.error.WriteRefusedException;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.fixtures.ScriptedServer;
import io.github.reconciler4j.scheme.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Requests, notifications and errors of creates, updates and deletions. */
class ClientWriteTests extends ScriptedClientFixture {

    @Test
    void createSendsTheObjectWithTheFieldManagerAndReturnsANewOne() {
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
        assertThat(written.notified).containsExactly("written configmaps " + STORED.length());
    }

    @Test
    void genericWritesAnswerWithKindAndVersionAndLeaveWhatTheyAreGiven() {
        Client client = client(answering(STORED));
        client.scheme().register(ConfigMap.class);
        GenericKubernetesResource given = new GenericKubernetesResource();
        given.setApiVersion("v1");
        given.setKind("ConfigMap");
        given.setMetadata(configMap().getMetadata());
        ObjectPatch patch = ObjectPatch.merge(Map.of("data", Map.of("a", "1")));

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
    void writeWhenItSetsNoFieldManagerAndValidationUsesThoseOfTheClient() {
        String scale = "{\"kind\":\"Scale\",\"apiVersion\":\"autoscaling/v1\",\"metadata\":{\"name\":\"foo\"}}";
        ScriptedServer server = server((request, out) ->
                out.write(ScriptedServer.json(200, request.target().contains("/scale") ? scale : STORED)));
        ClientOptions options = ClientOptions.defaults().withFieldManager("me");
        Client client = client(server, options.withFieldValidation(FieldValidation.STRICT));
        client.create(configMap());
        client.update(configMap());
        client.patch(configMap(), ObjectPatch.merge(Map.of("a", "b")));
        client.applyUnconditionally(configMap(), ApplyOptions.defaults());
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
    void writeWhenDryRunNotifiesNoListener() {
        ScriptedServer server = answering(STORED);
        client(server).dryRun().update(configMap());
        client(server).create(configMap(), WriteOptions.defaults().asDryRun());
        client(server).dryRun().delete(configMap());

        assertThat(server.requests().get(0).target()).contains("dryRun=All");
        assertThat(server.requests().get(1).target()).contains("dryRun=All");
        assertThat(server.requests().get(2).body()).contains("\"dryRun\":[\"All\"]");
        assertThat(written.notified).isEmpty();
    }

    @Test
    void writeWhenGateIsClosedSendsNothing() {
        ScriptedServer server = answering(STORED);
        Client client = wiring(connection(server))
                .withWriteGate(() -> {
                    throw new WriteRefusedException("not the leader");
                })
                .create(ClientOptions.defaults());

        assertThatThrownBy(() -> client.update(configMap())).isInstanceOf(WriteRefusedException.class);
        assertThatThrownBy(() -> client.status().update(configMap())).isInstanceOf(WriteRefusedException.class);
        assertThatThrownBy(() -> client.delete(configMap())).isInstanceOf(WriteRefusedException.class);
        assertThat(server.requests()).isEmpty();
        assertThat(client.live().get(ConfigMap.class, FOO)).isPresent();
        client.dryRun().update(configMap());
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
    void deleteSendsPreconditionsAndNotifiesWhetherTheObjectRemains() {
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
        DeletionOptions options = DeletionOptions.defaults()
                .withUid("u1")
                .withResourceVersion("7")
                .withPropagation(Propagation.FOREGROUND)
                .withGracePeriod(Duration.ofSeconds(3));

        assertThat(client.delete(Kind.of(ConfigMap.class), FOO, options)).isTrue();
        assertThat(client.delete(configMap())).isTrue();
        assertThat(client.delete(configMap())).isTrue();
        assertThat(client.delete(configMap())).isFalse();

        assertThat(server.requests().get(0).body())
                .isEqualTo("{\"apiVersion\":\"v1\",\"kind\":\"DeleteOptions\",\"preconditions\":{\"uid\":\"u1\","
                        + "\"resourceVersion\":\"7\"},\"propagationPolicy\":\"Foreground\",\"gracePeriodSeconds\":3}");
        assertThat(written.notified).hasSize(3);
        assertThat(written.notified.get(0)).isEqualTo("deleted configmaps shop/foo u1");
        assertThat(written.notified.get(1)).startsWith("written configmaps");
        assertThat(written.notified.get(2)).isEqualTo("deleted configmaps shop/foo u1");
    }

    @Test
    void deleteAllSendsSelectorsAndTheOptionsOfTheDeletion() {
        ScriptedServer server = answering(page("", 0, 0));
        Selection labeled = Selection.inNamespace("shop").withLabelSelector("app=x");
        DeletionOptions options = DeletionOptions.defaults().withPropagation(Propagation.FOREGROUND);

        client(server).deleteAll(Kind.of(ConfigMap.class), labeled.withFieldSelector("metadata.name=foo"), options);

        ScriptedServer.Received request = server.requests().get(0);
        assertThat(request.method()).isEqualTo("DELETE");
        assertThat(request.target()).startsWith("/api/v1/namespaces/shop/configmaps?");
        assertThat(request.target()).contains("labelSelector=app%3Dx", "fieldSelector=metadata.name%3Dfoo");
        assertThat(request.body()).contains("\"propagationPolicy\":\"Foreground\"");
    }

    @Test
    void warningsReachTheCallback() {
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
}
