package io.github.reconciler4j.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.fixtures.Definitions;
import io.github.reconciler4j.manager.ComponentState;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.test.kubernetes.AnyKubernetes;
import io.github.reconciler4j.test.kubernetes.AnyKubernetesTest;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

@AnyKubernetesTest
class GreetingOperatorIntegrationTests {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private static final String CRD = Definitions.of(
            "examples.reconciler4j.io", "Greeting", "{}", "spec: {type: object, properties: {name: {type: string}}}");

    private final AnyKubernetes kubernetes;
    private final String namespace;

    GreetingOperatorIntegrationTests(AnyKubernetes kubernetes) {
        this.kubernetes = kubernetes;
        this.namespace = kubernetes.createNamespace("greetings");
    }

    private Optional<String> text(Client client) {
        return client.live()
                .get(ConfigMap.class, ObjectKey.of(namespace, "first"))
                .map(map -> map.getData().get("text"));
    }

    private void awaitText(Client client, String expected) {
        await("a ConfigMap that says " + expected)
                .atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(text(client)).contains(expected));
    }

    private Greeting greeting(String name) {
        Greeting greeting = new Greeting();
        greeting.setMetadata(new ObjectMetaBuilder()
                .withNamespace(namespace)
                .withName("first")
                .build());
        greeting.setSpec(new Greeting.Spec());
        greeting.getSpec().setName(name);
        return greeting;
    }

    private void patch(Class<? extends HasMetadata> type, String change) {
        kubernetes.with(client -> client.resources(type)
                .inNamespace(namespace)
                .withName("first")
                .patch(PatchContext.of(PatchType.JSON_MERGE), change));
    }

    @Test
    void operatorWaitsForItsKindAndThenKeepsWhatItOwns() throws Exception {
        try (Manager manager = GreetingOperator.create(kubernetes.config())) {
            manager.start();
            await("the controller waits for its CustomResourceDefinition")
                    .atMost(TIMEOUT)
                    .untilAsserted(() -> assertThat(details(manager))
                            .containsEntry("state", "WAITING")
                            .extractingByKey("waitingFor")
                            .asString()
                            .contains("does not serve greetings.examples.reconciler4j.io")
                            .contains("install its CustomResourceDefinition"));
            kubernetes.apply(CRD);
            await("the controller runs").atMost(TIMEOUT).until(() -> state(manager) == ComponentState.State.RUNNING);
            Client client = manager.client();

            client.create(greeting("world"));
            awaitText(client, "Hello, world!");

            client.delete(Kind.of(ConfigMap.class), ObjectKey.of(namespace, "first"), DeletionOptions.defaults());
            awaitText(client, "Hello, world!");

            patch(Greeting.class, "{\"spec\":{\"name\":\"you\"}}");
            awaitText(client, "Hello, you!");

            patch(ConfigMap.class, "{\"data\":{\"text\":\"no\"}}");
            awaitText(client, "Hello, you!");

            client.delete(Kind.of(Greeting.class), ObjectKey.of(namespace, "first"), DeletionOptions.defaults());
            await("the garbage collector takes the ConfigMap")
                    .atMost(TIMEOUT)
                    .until(() -> text(client).isEmpty());
            await("the controller has nothing to do")
                    .atMost(TIMEOUT)
                    .untilAsserted(() -> assertThat(details(manager))
                            .containsEntry("state", "RUNNING")
                            .containsEntry("queued", 0));
        }
    }

    private static ComponentState.State state(Manager manager) {
        return manager.status().components().stream()
                .filter(status -> status.name().equals("greeting"))
                .findFirst()
                .orElseThrow()
                .state();
    }

    private static Map<String, Object> details(Manager manager) {
        return manager.healthChecks().stream()
                .filter(check -> check.name().equals("controller/greeting"))
                .findFirst()
                .orElseThrow()
                .check()
                .details();
    }
}
