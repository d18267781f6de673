package io.github.reconciler4j.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.health.HealthCheck;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.metrics.MicrometerMetrics;
import io.github.reconciler4j.reconcile.Cleaner;
import io.github.reconciler4j.reconcile.CleanupResult;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.test.KubernetesServer;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One reconciler in several clusters: it works in each with what belongs to it, and a slow or dead one harms no other. */
@Timeout(180)
class ClusterControllersTests {

    private final KubernetesServer home = KubernetesServer.start();
    private final KubernetesServer east = KubernetesServer.start();
    private final KubernetesServer west = KubernetesServer.start();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final Manager manager =
            Manager.create(home.clientConfig(), ManagerOptions.defaults().withMetrics(new MicrometerMetrics(registry)));
    private final Set<String> calls = ConcurrentHashMap.newKeySet();
    private final CountDownLatch slow = new CountDownLatch(1);

    @AfterEach
    void stop() {
        slow.countDown();
        manager.close();
        home.close();
        east.close();
        west.close();
    }

    /** Writes a Secret next to each ConfigMap, and hangs in one cluster. */
    private final class Copy implements ObjectReconciler<ConfigMap>, Cleaner<ConfigMap> {
        private final String hangsIn;

        Copy(String hangsIn) {
            this.hangsIn = hangsIn;
        }

        @Override
        public Result reconcile(ConfigMap map, ReconcileContext context) throws InterruptedException {
            if (context.cluster().equals(hangsIn)) {
                slow.await();
            }
            calls.add(context.cluster() + " " + context.request().key());
            context.client()
                    .apply(new SecretBuilder()
                            .withNewMetadata()
                            .withNamespace("default")
                            .withName(map.getMetadata().getName())
                            .endMetadata()
                            .withStringData(Map.of("cluster", context.cluster()))
                            .build());
            return Result.done();
        }

        @Override
        public CleanupResult cleanup(ConfigMap map, ReconcileContext context) {
            calls.add("cleanup in " + context.cluster());
            return CleanupResult.done();
        }
    }

    private void addCopy(String hangsIn) {
        Clusters.of(manager)
                .addControllers(ControllerBuilder.of(ConfigMap.class).reconciler(new Copy(hangsIn)), cluster -> true);
    }

    private static ConfigMap configMap(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .build();
    }

    private static void awaitSecret(Client client, String name) {
        Awaitility.await(name)
                .atMost(Duration.ofSeconds(60))
                .until(() -> client.live().list(Kind.of(Secret.class), Selection.inNamespace("default")).stream()
                        .anyMatch(secret -> secret.getMetadata().getName().equals(name)));
    }

    private void awaitCall(String call) {
        Awaitility.await(call).atMost(Duration.ofSeconds(60)).until(() -> calls.contains(call));
    }

    @Test
    void controllerWhenClustersJoinWorksInEachAndLeavesWithIt() {
        addCopy("none");
        Clusters.of(manager).add("east", east.clientConfig());
        manager.start();
        Clusters.of(manager).add("west", west.clientConfig());
        Client atEast = Clusters.of(manager).find("east").orElseThrow().client();
        Client atWest = Clusters.of(manager).find("west").orElseThrow().client();
        manager.client().create(configMap("at-home"));
        atEast.create(configMap("at-east"));
        atWest.create(configMap("at-west"));

        awaitSecret(manager.client(), "at-home");
        awaitSecret(atEast, "at-east");
        awaitSecret(atWest, "at-west");

        assertThat(calls).containsExactlyInAnyOrder(" default/at-home", "east default/at-east", "west default/at-west");
        atEast.delete(configMap("at-east"));
        awaitCall("cleanup in east");
        assertThat(manager.components())
                .extracting(ManagedComponent::name)
                .containsExactlyInAnyOrder("configmap", "east", "configmap@east", "west", "configmap@west");
        Counter successes = registry.get("controller_runtime_reconcile_total")
                .tags("controller", "configmap", "cluster", "west", "result", "success")
                .counter();
        Awaitility.await("a success in west").atMost(Duration.ofSeconds(60)).until(() -> successes.count() > 0);
        Clusters.of(manager).remove("west");
        assertThat(manager.components()).extracting(ManagedComponent::name).doesNotContain("configmap@west", "west");
        Collection<?> ofWest = registry.find("controller_runtime_reconcile_total")
                .tag("cluster", "west")
                .counters();
        assertThat(ofWest).isEmpty();
    }

    @Test
    void controllerWhenItsClusterIsDeadOrSlowAffectsNoOther() {
        addCopy("west");
        east.stop();
        Clusters.of(manager).add("east", east.clientConfig());
        Clusters.of(manager).add("west", west.clientConfig());
        manager.start();
        Clusters.of(manager).find("west").orElseThrow().client().create(configMap("hangs"));
        manager.client().create(configMap("works"));

        awaitCall(" default/works");

        Awaitility.await("all is ready")
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(manager.healthChecks())
                        .filteredOn(check -> !check.check().ready())
                        .extracting(HealthCheck::name)
                        .isEmpty());
        east.resume();
        Clusters.of(manager).find("east").orElseThrow().client().create(configMap("late"));
        awaitCall("east default/late");
        slow.countDown();
        awaitCall("west default/hangs");
    }
}
