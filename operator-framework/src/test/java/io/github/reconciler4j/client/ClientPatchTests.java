package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.github.reconciler4j.fixtures.ScriptedServer;
import io.github.reconciler4j.scheme.Kind;
import org.junit.jupiter.api.Test;

/** What applying, patching and scaling send. */
class ClientPatchTests extends ScriptedClientFixture {

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
        client(server).applyUnconditionally(object, ApplyOptions.defaults().withFieldManager("shop"));
        client(server)
                .applyUnconditionally(
                        object, ApplyOptions.defaults().withoutForce().withOptimisticLock());

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

        client.patch(after, ObjectPatch.between(configMap(), after));
        ConfigMap same = client.patch(configMap(), ObjectPatch.between(configMap(), configMap()));

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

        client(server).patch(after, ObjectPatch.lockedBetween(before, after));

        assertThat(server.requests().get(0).body())
                .isEqualTo("{\"data\":{\"b\":\"2\"},\"metadata\":{\"resourceVersion\":\"5\"}}");
        assertThatThrownBy(() -> ObjectPatch.lockedBetween(configMap(), after))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("resourceVersion");
    }

    @Test
    void patchJsonSendsItsOperations() {
        ScriptedServer server = answering(STORED);
        client(server)
                .patch(
                        Kind.of(ConfigMap.class),
                        FOO,
                        ObjectPatch.json(
                                ObjectPatch.Operation.test("/data/a", "1"),
                                ObjectPatch.Operation.replace("/data/a", "2"),
                                ObjectPatch.Operation.remove("/data/b")),
                        WriteOptions.defaults());

        assertThat(server.requests().get(0).body())
                .isEqualTo("[{\"op\":\"test\",\"path\":\"/data/a\",\"value\":\"1\"},"
                        + "{\"op\":\"replace\",\"path\":\"/data/a\",\"value\":\"2\"},"
                        + "{\"op\":\"remove\",\"path\":\"/data/b\"}]");
    }

    @Test
    void scaleSetsReplicas() {
        ScriptedServer server = answering("{\"apiVersion\":\"autoscaling/v1\",\"kind\":\"Scale\","
                + "\"metadata\":{\"name\":\"foo\"},\"spec\":{\"replicas\":3}}");
        assertThat(client(server).scale().set(configMap(), 3).getSpec().getReplicas())
                .isEqualTo(3);
        assertThat(server.requests().get(0).target()).startsWith("/api/v1/namespaces/shop/configmaps/foo/scale?");
        assertThat(server.requests().get(0).body()).isEqualTo("{\"spec\":{\"replicas\":3}}");
        assertThat(written.notified).isEmpty();
    }
}
