package io.github.reconciler4j.test.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ConfigMapList;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.github.reconciler4j.test.KubernetesServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KubernetesServerTests {
    private static final Duration LONG = Duration.ofSeconds(30);

    private KubernetesServer server;
    private KubernetesClient client;

    @BeforeEach
    void startServer() {
        server =
                KubernetesServer.builder().namespaceDeletionDelay(Duration.ZERO).start();
        client = new KubernetesClientBuilder().withConfig(server.clientConfig()).build();
    }

    @AfterEach
    void stopServer() {
        client.close();
        server.close();
    }

    private static ConfigMap configMap(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .addToData("key", "value")
                .build();
    }

    private ConfigMap create(String name) {
        return client.configMaps().resource(configMap(name)).create();
    }

    @Test
    void createWhenNewFillsTheServersMetadata() {
        ConfigMap created = create("one");

        assertThat(created.getMetadata().getUid()).isNotBlank();
        assertThat(created.getMetadata().getResourceVersion()).isEqualTo(Long.toString(server.resourceVersion()));
        assertThat(created.getMetadata().getNamespace()).isEqualTo("default");
        assertThat(client.configMaps().withName("one").get()).isEqualTo(created);
    }

    @Test
    void clientConfigLeavesABusyServerTimeToAnswerBeforeTheRequestIsSentAgain() {
        assertThat(server.clientConfig().getRequestTimeout()).isEqualTo(60_000);
        assertThat(server.clientConfig(server.addUser("alice")).getRequestTimeout())
                .isEqualTo(60_000);
    }

    @Test
    void createWhenNameTakenAnswersAlreadyExists() {
        create("one");

        assertThatThrownBy(() -> create("one")).isInstanceOfSatisfying(KubernetesClientException.class, e -> {
            assertThat(e.getCode()).isEqualTo(409);
            assertThat(e.getStatus().getReason()).isEqualTo("AlreadyExists");
            assertThat(e.getStatus().getMessage()).isEqualTo("configmaps \"one\" already exists");
        });
    }

    @Test
    void createWhenNamespaceMissingAnswersNotFound() {
        assertThatThrownBy(() -> client.configMaps()
                        .inNamespace("nowhere")
                        .resource(configMap("one"))
                        .create())
                .isInstanceOfSatisfying(
                        KubernetesClientException.class,
                        e -> assertThat(e.getCode()).isEqualTo(404));
    }

    @Test
    void createWhenNameIsToBeGeneratedMakesDifferentNames() {
        ConfigMap wish = new ConfigMapBuilder()
                .withNewMetadata()
                .withGenerateName("some-")
                .endMetadata()
                .build();

        String first = client.resource(wish).create().getMetadata().getName();
        String second = client.resource(wish).create().getMetadata().getName();

        assertThat(first).startsWith("some-").hasSize(10).isNotEqualTo(second);
    }

    @Test
    void updateWhenStaleAnswersConflict() {
        ConfigMap created = create("one");
        client.resource(created)
                .edit(map ->
                        new ConfigMapBuilder(map).addToData("key", "changed").build());
        ConfigMap stale =
                new ConfigMapBuilder(created).addToData("key", "other").build();

        assertThatThrownBy(() -> client.resource(stale).update())
                .isInstanceOfSatisfying(
                        KubernetesClientException.class,
                        e -> assertThat(e.getStatus().getReason()).isEqualTo("Conflict"));
    }

    @Test
    void updateWhenNothingChangesKeepsTheVersion() {
        ConfigMap created = create("one");

        ConfigMap updated = client.resource(created).update();

        assertThat(updated.getMetadata().getResourceVersion())
                .isEqualTo(created.getMetadata().getResourceVersion());
    }

    @Test
    void deleteWhenFinalizerIsLeftKeepsTheObjectUntilItIsRemoved() {
        ConfigMap wish = new ConfigMapBuilder(configMap("one"))
                .editMetadata()
                .addToFinalizers("example.com/wait")
                .endMetadata()
                .build();
        client.resource(wish).create();

        client.configMaps().withName("one").delete();

        ConfigMap waiting = client.configMaps().withName("one").get();
        assertThat(waiting.getMetadata().getDeletionTimestamp()).isNotBlank();
        waiting.getMetadata().setFinalizers(List.of());
        client.resource(waiting).update();
        assertThat(client.configMaps().withName("one").get()).isNull();
    }

    @Test
    void listWhenPagedReadsOneVersion() {
        for (int i = 0; i < 5; i++) {
            create("map-" + i);
        }
        ConfigMapList first = client.configMaps()
                .list(new io.fabric8.kubernetes.api.model.ListOptionsBuilder()
                        .withLimit(2L)
                        .build());
        create("map-0a");
        client.configMaps().withName("map-4").delete();

        ConfigMapList rest = client.configMaps()
                .list(new io.fabric8.kubernetes.api.model.ListOptionsBuilder()
                        .withContinue(first.getMetadata().getContinue())
                        .build());

        assertThat(first.getMetadata().getRemainingItemCount()).isEqualTo(3);
        assertThat(rest.getItems())
                .extracting(map -> map.getMetadata().getName())
                .containsExactly("map-2", "map-3", "map-4");
    }

    @Test
    void listWhenSelectedLeavesOthersOut() {
        client.resource(new ConfigMapBuilder(configMap("web"))
                        .editMetadata()
                        .addToLabels("app", "web")
                        .endMetadata()
                        .build())
                .create();
        create("plain");

        assertThat(client.configMaps().withLabelIn("app", "web", "api").list().getItems())
                .extracting(map -> map.getMetadata().getName())
                .containsExactly("web");
        assertThat(client.configMaps().withoutLabel("app").list().getItems())
                .extracting(map -> map.getMetadata().getName())
                .containsExactly("plain");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void watchWhenChangesHappenSeesThemInOrder(boolean https) {
        try (KubernetesServer other = KubernetesServer.builder().https(https).start();
                KubernetesClient user = new KubernetesClientBuilder()
                        .withConfig(other.clientConfig())
                        .build()) {
            List<String> seen = new CopyOnWriteArrayList<>();
            try (Watch watch = user.configMaps().watch(recorder(seen))) {
                assertThat(watch).isNotNull();
                user.resource(configMap("one")).create();
                user.configMaps()
                        .withName("one")
                        .edit(map -> new ConfigMapBuilder(map)
                                .addToData("key", "changed")
                                .build());
                user.configMaps().withName("one").delete();

                await("three events")
                        .atMost(LONG)
                        .untilAsserted(() -> assertThat(seen).containsExactly("ADDED", "MODIFIED", "DELETED"));
            }
        }
    }

    private static Watcher<ConfigMap> recorder(List<String> seen) {
        return new Watcher<>() {
            @Override
            public void eventReceived(Action action, ConfigMap resource) {
                seen.add(action.name());
            }

            @Override
            public void onClose(WatcherException cause) {
                seen.add("closed");
            }
        };
    }

    @Test
    void informerWhenStartedSeesWhatIsThereAndWhatComes() {
        create("before");
        List<String> added = new CopyOnWriteArrayList<>();
        try (SharedIndexInformer<ConfigMap> informer = client.configMaps().inform(new ResourceEventHandler<>() {
            @Override
            public void onAdd(ConfigMap map) {
                added.add(map.getMetadata().getName());
            }

            @Override
            public void onUpdate(ConfigMap before, ConfigMap after) {}

            @Override
            public void onDelete(ConfigMap map, boolean unknown) {}
        })) {
            assertThat(informer.isRunning()).isTrue();
            create("after");

            await("both objects")
                    .atMost(LONG)
                    .untilAsserted(() -> assertThat(added).containsExactlyInAnyOrder("before", "after"));
        }
    }

    @Test
    void deleteWhenOwnerGoesTakesDependentsAlong() {
        ConfigMap owner = create("owner");
        client.resource(new ConfigMapBuilder(configMap("dependent"))
                        .editMetadata()
                        .addToOwnerReferences(new OwnerReferenceBuilder()
                                .withApiVersion("v1")
                                .withKind("ConfigMap")
                                .withName("owner")
                                .withUid(owner.getMetadata().getUid())
                                .build())
                        .endMetadata()
                        .build())
                .create();

        client.resource(owner).delete();

        await("the dependent to go")
                .atMost(LONG)
                .until(() -> client.configMaps().withName("dependent").get() == null);
    }

    @Test
    void deleteWhenNamespaceGoesEmptiesIt() {
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName("team")
                        .endMetadata()
                        .build())
                .create();
        client.configMaps().inNamespace("team").resource(configMap("one")).create();

        client.namespaces().withName("team").delete();

        await("the namespace to go")
                .atMost(LONG)
                .until(() -> client.namespaces().withName("team").get() == null);
        assertThat(client.configMaps().inNamespace("team").list().getItems()).isEmpty();
    }

    @Test
    void namespaceWhenDeletedStaysTerminatingWithItsContentForTheDelay() {
        try (KubernetesServer other = KubernetesServer.builder()
                        .namespaceDeletionDelay(Duration.ofDays(1))
                        .start();
                KubernetesClient user = new KubernetesClientBuilder()
                        .withConfig(other.clientConfig())
                        .build()) {
            user.resource(new NamespaceBuilder()
                            .withNewMetadata()
                            .withName("team")
                            .endMetadata()
                            .build())
                    .create();
            user.configMaps().inNamespace("team").resource(configMap("one")).create();

            user.namespaces().withName("team").delete();
            user.configMaps().inNamespace("team").withName("one").delete();

            assertThat(user.namespaces().withName("team").get().getStatus().getPhase())
                    .isEqualTo("Terminating");
        }
    }

    /** One thread does all work after writes in order, so that the namespace would be empty before the dependent goes. */
    @Test
    void namespaceWhenTheServerDoesNotDeleteItStaysTerminatingWithItsContent() {
        try (KubernetesServer other = KubernetesServer.builder()
                        .namespaceDeletionDelay(Duration.ZERO)
                        .namespaceDeletion(false)
                        .start();
                KubernetesClient user = new KubernetesClientBuilder()
                        .withConfig(other.clientConfig())
                        .build()) {
            user.resource(new NamespaceBuilder()
                            .withNewMetadata()
                            .withName("team")
                            .endMetadata()
                            .build())
                    .create();
            user.configMaps().inNamespace("team").resource(configMap("one")).create();
            ConfigMap owner = user.configMaps().resource(configMap("owner")).create();
            createDependent(user, owner);

            user.namespaces().withName("team").delete();
            user.resource(owner).delete();

            await("the dependent to go")
                    .atMost(LONG)
                    .until(() -> user.configMaps().withName("dependent").get() == null);
            assertThat(user.namespaces().withName("team").get().getStatus().getPhase())
                    .isEqualTo("Terminating");
            assertThat(user.configMaps().inNamespace("team").withName("one").get())
                    .isNotNull();
        }
    }

    private static void createDependent(KubernetesClient user, ConfigMap owner) {
        user.resource(new ConfigMapBuilder(configMap("dependent"))
                        .editMetadata()
                        .withOwnerReferences(new OwnerReferenceBuilder()
                                .withApiVersion("v1")
                                .withKind("ConfigMap")
                                .withName("owner")
                                .withUid(owner.getMetadata().getUid())
                                .build())
                        .endMetadata()
                        .build())
                .create();
    }

    @Test
    void webhookConfigurationWhenInvalidIsRefused() throws IOException {
        try (KubernetesServer plain = KubernetesServer.builder().https(false).start()) {
            HttpUser.Reply reply = new HttpUser(plain.url())
                    .post(
                            "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
                            "{\"metadata\":{\"name\":\"a\"},\"webhooks\":[{\"name\":\"a\"}]}");
            assertThat(reply.status()).isEqualTo(422);
            assertThat(reply.message()).contains("should be a domain with at least three segments separated by dots");
        }
    }

    @Test
    void startWhenSeveralRunTheyKnowNothingOfEachOther() {
        create("one");
        try (KubernetesServer other = KubernetesServer.start();
                KubernetesClient user = new KubernetesClientBuilder()
                        .withConfig(other.clientConfig())
                        .build()) {
            assertThat(user.configMaps().list().getItems()).isEmpty();
        }
    }

    @Test
    void closeWhenDoneLeavesNoThread() {
        KubernetesServer other = KubernetesServer.builder().https(false).start();
        other.close();
        other.close();

        server.close();
        await("no thread")
                .atMost(LONG)
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().startsWith("kubernetes-server")));
    }

    @Test
    void writeKubeconfigWhenReadGivesTheSameServer(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("kubeconfig");

        server.writeKubeconfig(file);

        var config = io.fabric8.kubernetes.client.Config.fromKubeconfig(Files.readString(file));
        try (KubernetesClient user =
                new KubernetesClientBuilder().withConfig(config).build()) {
            assertThat(user.namespaces().withName("default").get()).isNotNull();
        }
    }
}
