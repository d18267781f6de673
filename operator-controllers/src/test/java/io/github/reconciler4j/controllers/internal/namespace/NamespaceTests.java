package io.github.reconciler4j.controllers.internal.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.NamespaceCondition;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.controllers.ControllersOptions;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.request.RequestMatch;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The namespace controller with the API server in this JVM, which does not delete namespaces itself. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NamespaceTests {

    private KubernetesServer server;
    private ApiConnection connection;
    private Client user;
    private Manager manager;
    private String namespace;
    private int number;

    @BeforeAll
    void start() {
        server = KubernetesServer.builder()
                .https(false)
                .garbageCollection(false)
                .namespaceDeletion(false)
                .start();
        connection = ApiConnection.open(server.clientConfig());
        user = Client.create(connection, Scheme.create(), ClientOptions.defaults());
        manager = Manager.create(server.clientConfig());
        NamespaceController.builder(manager, ControllersOptions.defaults()).addTo(manager);
        manager.start();
    }

    @AfterAll
    void stop() {
        manager.close();
        connection.close();
        server.close();
    }

    @AfterEach
    void clear() {
        server.faults().clear();
    }

    @BeforeEach
    void create() {
        namespace = "ns-" + ++number;
        user.create(new NamespaceBuilder()
                .withNewMetadata()
                .withName(namespace)
                .endMetadata()
                .withNewSpec()
                .withFinalizers(NamespaceFinalizer.OWN)
                .endSpec()
                .build());
    }

    private void createMap(String name, String... finalizers) {
        user.create(new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .withFinalizers(finalizers)
                .endMetadata()
                .build());
    }

    private void createSecret(String name) {
        user.create(new SecretBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .endMetadata()
                .build());
    }

    private void delete() {
        user.delete(new NamespaceBuilder()
                .withNewMetadata()
                .withName(namespace)
                .endMetadata()
                .build());
    }

    private Map<String, String> conditions() {
        Namespace found =
                user.live().get(Namespace.class, ObjectKey.ofName(namespace)).orElseThrow();
        return found.getStatus().getConditions() == null
                ? Map.of()
                : found.getStatus().getConditions().stream()
                        .collect(Collectors.toMap(
                                NamespaceCondition::getType,
                                each -> each.getStatus() + " " + each.getReason() + ": " + each.getMessage()));
    }

    private void awaitGone() {
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(user.live().get(Namespace.class, ObjectKey.ofName(namespace)))
                        .isEmpty());
    }

    @Test
    void deletionWhenTheNamespaceHasContentDeletesAll() {
        createMap("map");
        createSecret("secret");

        delete();

        awaitGone();
        assertThat(user.live().list(ConfigMap.class, namespace)).isEmpty();
        assertThat(user.live().list(Secret.class, namespace)).isEmpty();
    }

    @Test
    void deletionWhenFinalizersHoldContentSaysSoAndGoesOnAfterwards() {
        createMap("held", "example.com/hold");
        createMap("free");

        delete();

        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(conditions())
                        .containsEntry(
                                "NamespaceContentRemaining",
                                "True SomeResourcesRemain: Some resources are remaining: configmaps. has 1 resource"
                                        + " instances")
                        .containsEntry(
                                "NamespaceFinalizersRemaining",
                                "True SomeFinalizersRemain: Some content in the namespace has finalizers remaining:"
                                        + " example.com/hold in 1 resource instances")
                        .containsEntry(
                                "NamespaceDeletionDiscoveryFailure",
                                "False ResourcesDiscovered: All resources successfully discovered")
                        .hasSize(5));
        user.edit(
                user.live().get(ConfigMap.class, namespace, "held").orElseThrow(),
                map -> map.getMetadata().setFinalizers(List.of()));
        awaitGone();
    }

    @Test
    void deletionWhenTheServerRefusesToDeleteAKindSaysSoAndTriesAgain() {
        createSecret("secret");
        server.faults().add(FaultRule.of(RequestMatch.verbs("deletecollection").kind("Secret"), Fault.forbidden()));

        delete();

        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(conditions().get("NamespaceDeletionContentFailure"))
                        .startsWith("True ContentDeletionFailed: Failed to delete all resource types, 1 remaining: "));
        server.faults().clear();
        awaitGone();
    }
}
