package io.github.reconciler4j.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.client.ListOptions;
import io.github.reconciler4j.handler.EventHandlers;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.source.KindSource;
import io.github.reconciler4j.test.KubernetesServer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A manager that works with two API servers. */
@Timeout(180)
class ClusterTests {

    private final KubernetesServer home = KubernetesServer.start();
    private final KubernetesServer away = KubernetesServer.start();
    private final Manager manager = manager(Duration.ofSeconds(20));

    @AfterEach
    void stop() {
        manager.close();
        home.close();
        away.close();
    }

    private Manager manager(Duration apiServerTimeout) {
        return Manager.create(
                home.clientConfig(),
                ManagerOptions.defaults()
                        .withLifecycle(LifecycleOptions.defaults().withApiServerTimeout(apiServerTimeout)));
    }

    private static ConfigMap configMap(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .build();
    }

    @Test
    void controllerWhenItWatchesAnotherClusterStartsWithItsCacheSyncedAndCopiesFromIt() {
        Cluster cluster = manager.addCluster("away", away.clientConfig());
        cluster.client().create(configMap("first"));
        AtomicBoolean synced = new AtomicBoolean(true);
        ControllerBuilder.forRequests("copy", Request.class)
                .source(new KindSource<>(
                        cluster.cache().informer(ConfigMap.class), EventHandlers.forObject(), event -> true))
                .reconciler((request, context) -> {
                    synced.compareAndSet(true, cluster.cache().kinds().get(0).synced());
                    manager.client().apply(configMap(request.name()));
                    return Result.done();
                })
                .addTo(manager);

        manager.start();

        awaitCopy("first");
        cluster.client().create(configMap("second"));
        awaitCopy("second");
        assertThat(synced).isTrue();
        assertThat(manager.healthChecks())
                .filteredOn(check -> check.name().equals("cache/away"))
                .singleElement()
                .satisfies(check -> assertThat(check.check().ready()).isTrue());
    }

    private void awaitCopy(String name) {
        Awaitility.await(name + " is copied")
                .atMost(Duration.ofSeconds(60))
                .until(() -> manager.client().live().list(ConfigMap.class, ListOptions.inNamespace("default")).stream()
                        .anyMatch(map -> map.getMetadata().getName().equals(name)));
    }

    @Test
    void startWhenAnotherClusterIsUnavailableFailsWithItsName() {
        try (Manager impatient = manager(Duration.ofSeconds(2))) {
            impatient.addCluster("away", away.clientConfig());
            away.stop();
            assertThatThrownBy(impatient::start)
                    .isInstanceOf(ManagerStartException.class)
                    .hasMessageContaining("away could not start")
                    .hasMessageContaining(Integer.toString(away.port()));
        }
    }

    @Test
    void addClusterWhenTheNameIsTakenIsRejected() {
        manager.addCluster("away", away.clientConfig());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> manager.addCluster("away", away.clientConfig()))
                .withMessageContaining("'away'");
        assertThat(manager.components()).extracting(ManagedComponent::name).containsExactly("away");
    }
}
