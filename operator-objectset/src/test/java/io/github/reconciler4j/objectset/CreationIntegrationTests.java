package io.github.reconciler4j.objectset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.github.reconciler4j.client.ApplyOptions;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.kubernetes.AnyKubernetes;
import io.github.reconciler4j.test.kubernetes.AnyKubernetesTest;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the API server does with an apply for a version that no object has: on this rests that nothing foreign is touched. */
@AnyKubernetesTest
class CreationIntegrationTests {

    private static final ApplyOptions LOCKED = ApplyOptions.defaults().withOptimisticLock();

    private final ApiConnection connection;
    private final Client client;
    private final String namespace;

    CreationIntegrationTests(AnyKubernetes kubernetes) {
        connection = ApiConnection.open(kubernetes.config());
        client = Client.create(connection, Scheme.create(), ClientOptions.defaults());
        namespace = kubernetes.createNamespace("creation");
    }

    @AfterEach
    void close() {
        connection.close();
    }

    private ConfigMap object(String version, String value) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("child")
                .withResourceVersion(version)
                .endMetadata()
                .withData(Map.of("key", value))
                .build();
    }

    @Test
    void applyWithAVersionNoObjectHasWhenTheObjectIsMissingCreatesIt() {
        ConfigMap created = client.apply(object("1", "first"), LOCKED);

        assertThat(created.getData()).containsEntry("key", "first");
        assertThat(created.getMetadata().getResourceVersion()).isNotEqualTo("1");
    }

    @Test
    void applyWithAVersionNoObjectHasWhenTheObjectExistsIsAConflict() {
        client.create(object(null, "foreign"));

        assertThatThrownBy(() -> client.apply(object("1", "ours"), LOCKED)).isInstanceOf(ConflictException.class);
        assertThat(client.live()
                        .get(ConfigMap.class, namespace, "child")
                        .orElseThrow()
                        .getData())
                .containsEntry("key", "foreign");
    }

    @Test
    void applyWithTheUidOfAnotherObjectIsRefused() {
        client.create(object(null, "foreign"));
        ConfigMap ours = object(null, "ours");
        ours.getMetadata().setUid("00000000-0000-0000-0000-000000000001");

        assertThatThrownBy(() -> client.apply(ours)).isInstanceOf(RuntimeException.class);
        assertThat(client.live()
                        .get(ConfigMap.class, namespace, "child")
                        .orElseThrow()
                        .getData())
                .containsEntry("key", "foreign");
    }

    @Test
    void applyWithAUidWhenTheObjectIsMissingIsAConflict() {
        ConfigMap ours = object(null, "ours");
        ours.getMetadata().setUid("00000000-0000-0000-0000-000000000001");

        assertThatThrownBy(() -> client.apply(ours)).isInstanceOf(ConflictException.class);
        assertThat(client.live().get(ConfigMap.class, namespace, "child")).isEmpty();
    }
}
