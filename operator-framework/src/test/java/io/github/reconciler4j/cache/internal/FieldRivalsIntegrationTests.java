package io.github.reconciler4j.cache.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.client.ApplyOptions;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.test.kubernetes.AnyKubernetes;
import io.github.reconciler4j.test.kubernetes.AnyKubernetesTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Several programs write one object all the time. */
@AnyKubernetesTest
class FieldRivalsIntegrationTests {

    private final String namespace;
    private final ApiConnection connection;
    private final List<Thread> rivals = new ArrayList<>();
    private volatile boolean stopped;

    FieldRivalsIntegrationTests(AnyKubernetes kubernetes) {
        namespace = kubernetes.createNamespace("rivals");
        connection = ApiConnection.open(kubernetes.config());
    }

    @AfterEach
    void stop() throws InterruptedException {
        stopped = true;
        for (Thread rival : rivals) {
            rival.join();
        }
        connection.close();
    }

    /** Starts a program that writes with a field manager of its own, and waits for its first write. It ignores conflicts. */
    private void rival(String name, BiConsumer<Client, Integer> write) throws InterruptedException {
        Client client = Client.create(
                connection, Scheme.create(), ClientOptions.defaults().withFieldManager(name));
        CountDownLatch written = new CountDownLatch(1);
        Thread thread = new Thread(() -> {
            for (int i = 0; !stopped; i++) {
                try {
                    write.accept(client, i);
                    written.countDown();
                } catch (ConflictException e) {
                    assertThat(e.code()).isEqualTo(409);
                }
            }
        });
        rivals.add(thread);
        thread.start();
        assertThat(written.await(30, TimeUnit.SECONDS)).isTrue();
    }

    private static void apply(Client client, HasMetadata object) {
        client.applyUnconditionally(object, ApplyOptions.defaults());
    }

    private String find(Class<? extends HasMetadata> type, String name) throws Exception {
        KindInfo info = Scheme.create().kindOf(type);
        return new FieldRivals(connection, info, TimeSource.system()).find(ObjectKey.of(namespace, name));
    }

    private Deployment deployment(int replicas, String image) {
        return new DeploymentBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("web")
                .endMetadata()
                .withNewSpec()
                .withReplicas(replicas)
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
                .withImage(image)
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }

    private ConfigMap config(Map<String, String> data, Map<String, String> annotations) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("shared")
                .withAnnotations(annotations)
                .endMetadata()
                .withData(data)
                .build();
    }

    @Test
    void autoscalerAndApplierOfReplicasAreNamedWithTheField() throws Exception {
        Client admin = Client.create(connection, Scheme.create(), ClientOptions.defaults());
        admin.create(deployment(1, "web:1"));
        rival("horizontal-pod-autoscaler", (client, i) -> client.scale().set(deployment(1, "web:1"), 2 + i % 5));
        rival("argocd-controller", (client, i) -> apply(client, deployment(1, "web:1")));
        assertThat(find(Deployment.class, "web"))
                .contains("spec.replicas (argocd-controller, horizontal-pod-autoscaler by scale)")
                .doesNotContain("resourceVersion", "web:1");
    }

    @Test
    void secondOperatorIsNamedWithItsFields() throws Exception {
        rival(
                "first-operator",
                (client, i) -> apply(
                        client,
                        config(
                                Map.of("mode", "first", "quiet", "same"),
                                Map.of("example.com/checked-at", "first" + i))));
        rival(
                "second-operator",
                (client, i) -> apply(client, config(Map.of("mode", "second"), Map.of("other", "same"))));
        assertThat(find(ConfigMap.class, "shared"))
                .contains("data.mode (first-operator, second-operator)")
                .contains("metadata.annotations['example.com/checked-at'] (first-operator)")
                .doesNotContain("quiet", "other");
    }

    @Test
    void itemOfAListIsNamedByItsKey() throws Exception {
        Client admin = Client.create(connection, Scheme.create(), ClientOptions.defaults());
        admin.create(deployment(1, "web:1"));
        rival("roller", (client, i) -> apply(client, deployment(1, "web:" + i)));
        assertThat(find(Deployment.class, "web")).contains("spec.template.spec.containers[name=web].image (roller)");
    }

    private void check(Client client, int number) {
        client.update(client.live()
                .get(Deployment.class, namespace, "web")
                .orElseThrow()
                .edit()
                .editMetadata()
                .addToAnnotations("example.com/checked-at", "t" + number)
                .endMetadata()
                .build());
    }

    /** As an operator that watches Deployments says it, with a rival that applies, one that updates and one that scales. */
    @Test
    void warningOfARunningOperatorNamesRivalsThatApplyUpdateAndScale(AnyKubernetes kubernetes) throws Exception {
        Client admin = Client.create(connection, Scheme.create(), ClientOptions.defaults());
        admin.create(deployment(1, "web:1"));
        Manager manager = Manager.create(
                kubernetes.config(),
                ManagerOptions.defaults().withName("watcher").withoutLeaderElection());
        ControllerBuilder.of(Deployment.class)
                .named("watcher")
                .inNamespaces(namespace)
                .reconciler((object, context) -> Result.done())
                .addTo(manager);
        try (CapturedLog log = CapturedLog.of(BusyObjects.class.getName())) {
            manager.start();
            rival("applier", (client, i) -> apply(client, deployment(1, "web:1")));
            rival("updater", this::check);
            rival("scaler", (client, i) -> client.scale().set(deployment(1, "web:1"), 2 + i % 5));

            await("the warning")
                    .atMost(Duration.ofMinutes(3))
                    .until(() -> !log.lines(Level.INFO).isEmpty());

            assertThat(log.lines(Level.INFO).get(0))
                    .startsWith("WARN Objects of deployments.apps change all the time: " + namespace + "/web (")
                    .contains("Fields of " + namespace + "/web and who writes them: ")
                    .contains("spec.replicas (applier, scaler by scale)")
                    .contains("metadata.annotations['example.com/checked-at'] (updater)")
                    .contains("R4J-102");
        } finally {
            manager.stop();
        }
    }

    @Test
    void quietObjectAndAbsentObjectHaveNone() throws Exception {
        Client admin = Client.create(connection, Scheme.create(), ClientOptions.defaults());
        admin.create(config(Map.of("a", "b"), Map.of()));
        assertThat(find(ConfigMap.class, "shared")).isEmpty();
        assertThat(find(ConfigMap.class, "absent")).isEmpty();
    }
}
