package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.apps.DeploymentConditionBuilder;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatusBuilder;
import io.github.reconciler4j.client.OperationResult.Outcome;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.kubernetes.AnyKubernetes;
import io.github.reconciler4j.test.kubernetes.AnyKubernetesTest;
import io.github.reconciler4j.test.kubernetes.KubernetesComponent;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Without a controller manager, so that no other program writes the status of Deployments. */
@AnyKubernetesTest(dedicated = true, components = KubernetesComponent.KWOK)
class CreateOrUpdateIntegrationTests {

    private final ApiConnection connection;
    private final Client client;
    private final String namespace;

    CreateOrUpdateIntegrationTests(AnyKubernetes kubernetes) {
        connection = ApiConnection.open(kubernetes.config());
        client = Client.create(connection, Scheme.create(), ClientOptions.defaults());
        namespace = kubernetes.createNamespace("upserts");
    }

    @AfterEach
    void closeConnection() {
        connection.close();
    }

    private ConfigMap map() {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("map")
                .endMetadata()
                .build();
    }

    private Deployment deployment() {
        return new DeploymentBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("web")
                .endMetadata()
                .withNewSpec()
                .withReplicas(1)
                .withNewSelector()
                .addToMatchLabels("app", "web")
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .addToLabels("app", "web")
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("web")
                .withImage("web:1")
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }

    @Test
    void createOrUpdateCreatesThenChangesThenSendsNothing() {
        OperationResult<ConfigMap> first = client.createOrUpdate(map(), map -> map.setData(Map.of("a", "1")));
        assertThat(first.outcome()).isEqualTo(Outcome.CREATED);
        assertThat(first.object().getMetadata().getUid()).isNotBlank();
        OperationResult<ConfigMap> second = client.createOrUpdate(map(), map -> map.setData(Map.of("a", "2")));
        assertThat(second.outcome()).isEqualTo(Outcome.UPDATED);
        OperationResult<ConfigMap> third = client.createOrUpdate(map(), map -> map.setData(Map.of("a", "2")));
        assertThat(third.outcome()).isEqualTo(Outcome.UNCHANGED);
        assertThat(third.object().getMetadata().getResourceVersion())
                .isEqualTo(second.object().getMetadata().getResourceVersion());
        assertThat(client.get(ConfigMap.class, ObjectKey.of(namespace, "map"))
                        .orElseThrow()
                        .getData())
                .containsExactly(Map.entry("a", "2"));
    }

    @Test
    void createOrUpdateWorksOnTheGenericForm() {
        client.create(map());
        GenericKubernetesResource generic = new GenericKubernetesResource();
        generic.setApiVersion("v1");
        generic.setKind("ConfigMap");
        generic.setMetadata(map().getMetadata());
        client.scheme().kindOf(ConfigMap.class);
        OperationResult<GenericKubernetesResource> upserted =
                client.createOrUpdate(generic, object -> object.setAdditionalProperty("data", Map.of("a", "1")));
        assertThat(upserted.outcome()).isEqualTo(Outcome.UPDATED);
        assertThat(upserted.object().<String>get("data", "a")).isEqualTo("1");
    }

    @Test
    void createOrPatchPatchesSpecAndStatusEachOnlyIfItDiffers() {
        assertThat(patch(web -> {})).isEqualTo(Outcome.CREATED);
        assertThat(patch(web -> {})).isEqualTo(Outcome.UNCHANGED);
        assertThat(patch(web -> web.getSpec().setReplicas(2))).isEqualTo(Outcome.UPDATED);
        assertThat(patch(web -> web.setStatus(
                        new DeploymentStatusBuilder().withReplicas(2).build())))
                .isEqualTo(Outcome.UPDATED_STATUS_ONLY);
        assertThat(patch(web -> {
                    web.getSpec().setReplicas(3);
                    web.getStatus()
                            .setConditions(List.of(new DeploymentConditionBuilder()
                                    .withType("Available")
                                    .withStatus("True")
                                    .build()));
                }))
                .isEqualTo(Outcome.UPDATED_WITH_STATUS);
        assertThat(patch(web -> {})).isEqualTo(Outcome.UNCHANGED);
        Deployment now =
                client.get(Deployment.class, ObjectKey.of(namespace, "web")).orElseThrow();
        assertThat(now.getSpec().getReplicas()).isEqualTo(3);
        assertThat(now.getStatus().getReplicas()).isEqualTo(2);
        assertThat(now.getStatus().getConditions()).hasSize(1);
    }

    private Outcome patch(Consumer<Deployment> change) {
        return client.createOrPatch(deployment(), change).outcome();
    }

    @Test
    void createOrPatchWhenItCreatesWritesTheStatusToo() {
        OperationResult<Deployment> created = client.createOrPatch(
                deployment(),
                web -> web.setStatus(
                        new DeploymentStatusBuilder().withReplicas(1).build()));
        assertThat(created.outcome()).isEqualTo(Outcome.CREATED);
        assertThat(created.object().getStatus().getReplicas()).isEqualTo(1);
    }

    @Test
    void changeMayNotRename() {
        client.create(map());
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        client.createOrUpdate(map(), map -> map.getMetadata().setName("other")))
                .withMessageContaining("must not change name or namespace");
    }

    @Test
    void failedReadWritesNothing() {
        connection.close();
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> client.createOrUpdate(map(), map -> {
                    throw new AssertionError("the change must not be called");
                }));
    }
}
