package io.github.reconciler4j.controllers.internal.replicationcontroller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.ReplicationController;
import io.fabric8.kubernetes.api.model.ReplicationControllerBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.OwnerReferences;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.controllers.ControllersOptions;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.request.RequestMatch;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The controller of ReplicationControllers with the API server in this JVM. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReplicationControllerTests {

    private static final String NAMESPACE = "default";
    private static final Map<String, String> LABELS = Map.of("app", "web");

    private KubernetesServer server;
    private ApiConnection connection;
    private Client user;
    private Manager manager;

    @BeforeAll
    void start() {
        server = KubernetesServer.builder().https(false).start();
        connection = ApiConnection.open(server.clientConfig());
        user = Client.create(connection, Scheme.create(), ClientOptions.defaults());
        manager = Manager.create(server.clientConfig());
        ReplicationControllerController.builder(manager, ControllersOptions.defaults())
                .addTo(manager);
        manager.start();
    }

    @AfterAll
    void stop() {
        manager.close();
        connection.close();
        server.close();
    }

    @AfterEach
    void delete() {
        server.faults().clear();
        user.live().list(ReplicationController.class, NAMESPACE).forEach(user::delete);
        await().atMost(Duration.ofSeconds(60)).until(() -> pods().isEmpty());
    }

    private ReplicationController create(int replicas) {
        return user.create(new ReplicationControllerBuilder()
                .withNewMetadata()
                .withNamespace(NAMESPACE)
                .withName("web")
                .endMetadata()
                .withNewSpec()
                .withReplicas(replicas)
                .withSelector(LABELS)
                .withNewTemplate()
                .withNewMetadata()
                .withLabels(LABELS)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("main")
                .withImage("nginx")
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build());
    }

    private List<Pod> pods() {
        return user.live().list(Pod.class, NAMESPACE);
    }

    private void awaitPods(int count) {
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(pods()).hasSize(count));
    }

    @Test
    void reconcileWhenReplicasChangeCreatesAndDeletesPodsAndCountsThem() {
        ReplicationController controller = create(3);
        awaitPods(3);
        assertThat(pods())
                .allSatisfy(pod -> assertThat(OwnerReferences.controllerOf(pod)).hasValueSatisfying(owner -> {
                    assertThat(owner.getKind()).isEqualTo("ReplicationController");
                    assertThat(owner.getUid())
                            .isEqualTo(controller.getMetadata().getUid());
                }));

        user.edit(controller, changed -> changed.getSpec().setReplicas(1));

        awaitPods(1);
        await().untilAsserted(() -> assertThat(user.live().get(ReplicationController.class, NAMESPACE, "web"))
                .hasValueSatisfying(found -> {
                    assertThat(found.getStatus().getReplicas()).isEqualTo(1);
                    assertThat(found.getStatus().getFullyLabeledReplicas()).isEqualTo(1);
                    assertThat(found.getStatus().getObservedGeneration())
                            .isEqualTo(found.getMetadata().getGeneration());
                }));
    }

    @Test
    void reconcileWhenAPodHasNoControllerAdoptsIt() {
        create(1);
        awaitPods(1);
        user.create(new PodBuilder()
                .withNewMetadata()
                .withNamespace(NAMESPACE)
                .withName("orphan")
                .withLabels(LABELS)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("main")
                .withImage("nginx")
                .endContainer()
                .endSpec()
                .build());

        awaitPods(1); // one of the two is too many
    }

    @Test
    void reconcileWhenPodsAreRefusedSaysSoInAConditionUntilTheyAreNot() {
        server.faults().add(FaultRule.of(RequestMatch.verbs("create").kind("Pod"), Fault.forbidden()));
        create(2);
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(user.live().get(ReplicationController.class, NAMESPACE, "web"))
                        .hasValueSatisfying(found -> assertThat(
                                        found.getStatus().getConditions())
                                .anySatisfy(condition -> {
                                    assertThat(condition.getType()).isEqualTo("ReplicaFailure");
                                    assertThat(condition.getReason()).isEqualTo("FailedCreate");
                                })));

        server.faults().clear();

        awaitPods(2);
        await().untilAsserted(() -> assertThat(user.live().get(ReplicationController.class, NAMESPACE, "web"))
                .hasValueSatisfying(
                        found -> assertThat(found.getStatus().getConditions()).isEmpty()));
    }
}
