package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.client.ObservedWrite.Change;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.leaderelection.LeaderElectionOptions;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.predicate.EventPredicates;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.recorder.EventEntry;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.KubernetesServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A whole operator that may change nothing. */
class ObserveModeTests {

    private static final Duration TIME_LIMIT = Duration.ofSeconds(60);

    private final KubernetesServer server = KubernetesServer.start();
    private final List<ObservedWrite> observed = new CopyOnWriteArrayList<>();
    private final CountDownLatch reconciled = new CountDownLatch(1);

    @AfterEach
    void stop() {
        server.close();
    }

    private Manager manager() {
        return Manager.create(
                server.clientConfig(),
                ManagerOptions.defaults()
                        .withLeaderElection(
                                LeaderElectionOptions.named("observer").withLeaseNamespace("default"))
                        .withClient(ClientOptions.defaults()
                                .withMode(WriteMode.OBSERVE)
                                .withWriteObserver(observed::add)));
    }

    private static ConfigMap map(String value) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("seen")
                .endMetadata()
                .withData(Map.of("key", value))
                .build();
    }

    private void reconcile(Manager manager) {
        manager.client().applyUnconditionally(map("new"), ApplyOptions.defaults());
        manager.client()
                .create(new SecretBuilder()
                        .withNewMetadata()
                        .withNamespace("default")
                        .withName("hidden")
                        .endMetadata()
                        .withStringData(Map.of("key", "hunter2"))
                        .build());
        manager.client().delete(map("new"));
        manager.recorder("test").record(EventEntry.of(EventEntry.NORMAL, map("new"), "Seen", "Look", "note"));
        reconciled.countDown();
    }

    @Test
    void operatorWhenItObservesReconcilesTakesNoLeaseAndChangesNothing() throws Exception {
        ApiConnection connection = ApiConnection.open(server.clientConfig());
        Client.create(connection, Scheme.create(), ClientOptions.defaults())
                .applyUnconditionally(map("old"), ApplyOptions.defaults());
        connection.close();
        long before = server.resourceVersion();
        Manager manager = manager();
        ControllerBuilder.of(ConfigMap.class)
                .withGlobalPredicate(
                        EventPredicates.header(header -> header.key().name().equals("seen")))
                .requestReconciler((request, context) -> {
                    reconcile(manager);
                    return Result.done();
                })
                .addTo(manager);

        manager.start();
        assertThat(reconciled.await(TIME_LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        await("three observed writes").atMost(TIME_LIMIT).until(() -> observed.size() == 3);
        manager.close();

        assertThat(server.resourceVersion()).isEqualTo(before);
        assertThat(observed.get(0).changes()).containsExactly(new Change("data.key", "\"old\"", "\"new\""));
        assertThat(observed.get(1).toString()).doesNotContain("hunter2", "aHVudGVyMg");
        assertThat(observed.get(1).changes()).extracting(Change::after).contains("***");
        assertThat(observed.get(2).effect()).isEqualTo(ObservedWrite.Effect.DELETED);
    }
}
