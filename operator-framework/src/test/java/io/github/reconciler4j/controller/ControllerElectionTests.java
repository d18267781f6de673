package io.github.reconciler4j.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.leaderelection.LeaderElectionOptions;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.KubernetesServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two replicas of an operator, the second of which is warm. */
@Timeout(300)
class ControllerElectionTests {

    private final KubernetesServer server = KubernetesServer.start();
    private final Manager first = replica("first");
    private final Manager second = replica("second");
    private final List<String> runs = new CopyOnWriteArrayList<>();

    private Manager replica(String identity) {
        return Manager.create(
                server.clientConfig(),
                ManagerOptions.defaults()
                        .withLeaderElection(LeaderElectionOptions.named("warm")
                                .withLeaseNamespace("election")
                                .withIdentity(identity)));
    }

    @BeforeEach
    void createObjects() {
        try (ApiConnection connection = ApiConnection.open(server.clientConfig())) {
            Client client = Client.create(connection, Scheme.create(), ClientOptions.defaults());
            client.create(new NamespaceBuilder()
                    .withNewMetadata()
                    .withName("election")
                    .endMetadata()
                    .build());
            for (int i = 0; i < 5; i++) {
                client.create(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace("election")
                        .withName("map-" + i)
                        .endMetadata()
                        .build());
            }
        }
    }

    @AfterEach
    void close() {
        first.close();
        second.close();
        server.close();
    }

    private Controller<Request> controller(Manager manager, String replica) {
        return ControllerBuilder.of(ConfigMap.class)
                .customizeOptions(
                        options -> options.withPlacement(Placement.leader().withWarmUp(true)))
                .requestReconciler((request, context) -> {
                    runs.add(replica);
                    manager.client()
                            .apply(new ConfigMapBuilder()
                                    .withNewMetadata()
                                    .withNamespace(request.namespace())
                                    .withName(request.name())
                                    .addToLabels("by", replica)
                                    .endMetadata()
                                    .build());
                    return Result.done();
                })
                .addTo(manager);
    }

    private static void eventually(String what, Callable<Boolean> condition) {
        await(what).atMost(Duration.ofSeconds(60)).until(condition);
    }

    @Test
    void standbyFillsItsQueueAndReconcilesWithThePermissionOfTheLease() {
        Controller<Request> leading = controller(first, "first");
        Controller<Request> standby = controller(second, "second");
        first.start();
        eventually("the first runs", () -> leading.state() == ControllerState.RUNNING);
        second.start();
        eventually("the second is warm", () -> standby.state() == ControllerState.WARM);
        eventually("its queue is full", () -> {
            var queue = standby.operations().queue().orElseThrow();
            return queue.depth().values().stream().mapToInt(depth -> depth).sum() == 5;
        });
        assertThat(standby.healthChecks().get(0).check().ready()).isTrue();
        assertThat(runs).doesNotContain("second");
        first.stop();
        eventually("the second runs", () -> standby.state() == ControllerState.RUNNING);
        eventually(
                "and writes",
                () -> second.client().list(Kind.of(ConfigMap.class), Selection.inNamespace("election")).stream()
                        .allMatch(map ->
                                "second".equals(map.getMetadata().getLabels().get("by"))));
        second.stop();
        assertThat(standby.state()).isEqualTo(ControllerState.STOPPED);
        assertThat(ControllerFixture.threads("configmap")).isEmpty();
    }
}
