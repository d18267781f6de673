package io.github.reconciler4j.external;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.external.ExternalResource.Creation;
import io.github.reconciler4j.external.FakeProvider.Thing;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.predicate.EventPredicates;
import io.github.reconciler4j.test.kubernetes.AnyKubernetes;
import io.github.reconciler4j.test.kubernetes.AnyKubernetesTest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** External resources of a running controller, and what the API server must refuse for them. */
@AnyKubernetesTest
class ExternalResourcesIntegrationTests {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final Manager manager;
    private final Client client;
    private final String namespace;
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final FakeProvider provider = new FakeProvider(Creation.IDEMPOTENT, new ManualTimeSource());

    ExternalResourcesIntegrationTests(AnyKubernetes kubernetes) {
        manager = Manager.create(kubernetes.config());
        client = manager.client();
        namespace = kubernetes.createNamespace("external");
    }

    @AfterEach
    void stop() {
        manager.close();
    }

    private ConfigMap create() {
        return client.create(new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("owner")
                .endMetadata()
                .addToData("value", "1")
                .build());
    }

    private ConfigMap owner() {
        return client.live().get(ConfigMap.class, namespace, "owner").orElseThrow();
    }

    private void startController() {
        ExternalResources<ConfigMap, Thing> things = ExternalResources.create(
                "thing",
                new ProviderClient(provider, new ProviderClient.Way() {
                    @Override
                    public void after(String verb) {
                        calls.add(verb);
                    }
                }),
                ExternalOptions.defaults()
                        .withWaitInterval(Duration.ofMillis(100))
                        .withSettleTime(Duration.ofSeconds(1)));
        ControllerBuilder.of(ConfigMap.class)
                .named("owners")
                .inNamespaces(namespace)
                .when(EventPredicates.header(header -> header.key().name().equals("owner")))
                .reconciler((owner, context) -> things.reconcile(owner, context).toResult())
                .addTo(manager);
        manager.start();
    }

    @Test
    void resourceOfAControllerLivesAndDiesWithItsOwner() {
        startController();
        create();
        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(owner().getMetadata().getAnnotations())
                        .containsKey(ExternalHistory.ANNOTATION)
                        .hasEntrySatisfying(
                                ExternalHistory.ANNOTATION,
                                text -> assertThat(text).contains("\"id\":\"thing-1\"")));
        client.edit(owner(), owner -> owner.getData().put("value", "2"));
        await().atMost(TIMEOUT).until(() -> calls.contains("update"));

        client.delete(owner());

        await().atMost(TIMEOUT)
                .until(() ->
                        client.live().get(ConfigMap.class, namespace, "owner").isEmpty());
        assertThat(calls.stream().filter("create"::equals)).hasSize(1);
        assertThat(calls.stream().filter("delete"::equals)).hasSize(1);
    }

    @Test
    void finalizerWhenTheOwnerIsBeingDeletedCannotBeAdded() {
        ConfigMap owner = create();
        client.edit(owner, changed -> changed.getMetadata().setFinalizers(List.of("example.com/other")));
        client.delete(owner());

        assertThatThrownBy(() -> client.patch(
                        owner(),
                        ObjectPatch.merge(Map.of(
                                "metadata",
                                Map.of("finalizers", List.of("example.com/other", ExternalHistory.ANNOTATION))))))
                .isInstanceOf(ApiException.class);
        client.edit(owner(), changed -> changed.getMetadata().setFinalizers(List.of()));
    }
}
