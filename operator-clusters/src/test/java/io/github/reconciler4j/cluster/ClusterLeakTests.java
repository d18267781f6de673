package io.github.reconciler4j.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.fixtures.LiveThreads;
import io.github.reconciler4j.handler.EventHandlers;
import io.github.reconciler4j.manager.Cluster;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.manager.StartGroup;
import io.github.reconciler4j.metrics.MicrometerMetrics;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.source.KindSource;
import io.github.reconciler4j.test.KubernetesServer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clusters that join and leave all the time leave nothing behind. */
@Timeout(300)
class ClusterLeakTests {

    private static final int JOINS = 100;

    /** Every so many joins, the cluster does not answer. */
    private static final int DEAD = 5;

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final List<WeakReference<Object>> left = new ArrayList<>();

    @Test
    void clustersWhenTheyJoinAndLeaveReturnThreadsMetersAndMemory() {
        try (KubernetesServer home = KubernetesServer.start();
                KubernetesServer away = KubernetesServer.start();
                KubernetesServer dead = KubernetesServer.start();
                Manager manager = manager(home)) {
            dead.stop();
            Controller<Request> controller = controller(manager);
            manager.start();
            joinAndLeave(manager, controller, away, "first", true);
            int meters = registry.getMeters().size();
            List<String> threads = threads();
            for (int i = 0; i < JOINS; i++) {
                boolean answers = i % DEAD != 0;
                joinAndLeave(manager, controller, answers ? away : dead, "member-" + i, answers);
            }
            Awaitility.await("all threads have ended, there were " + threads)
                    .atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(threads()).isSubsetOf(threads));
            assertThat(registry.getMeters()).hasSize(meters);
            assertThat(manager.components()).containsExactly(controller);
            assertThat(manager.status().components()).hasSize(4);
            Awaitility.await("all memory is free")
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> {
                        System.gc();
                        return left.stream().allMatch(reference -> reference.get() == null);
                    });
            assertThat(manager.status().running()).isTrue();
        }
    }

    private Manager manager(KubernetesServer home) {
        return Manager.create(
                home.clientConfig(), ManagerOptions.defaults().withMetrics(new MicrometerMetrics(registry)));
    }

    /** All threads of this JVM but those of the servers and of the waits of this test. */
    private static List<String> threads() {
        return LiveThreads.named("").stream()
                .filter(name -> !name.startsWith("kubernetes-server") && !name.startsWith("awaitility"))
                .sorted()
                .toList();
    }

    private static Controller<Request> controller(Manager manager) {
        return ControllerBuilder.forRequests("hub", Request.class)
                .watches(ConfigMap.class, object -> List.of())
                .reconciler((request, context) -> Result.done())
                .addTo(manager);
    }

    private void joinAndLeave(
            Manager manager, Controller<Request> controller, KubernetesServer server, String name, boolean answers) {
        Config config = server.clientConfig();
        Cluster cluster = Clusters.of(manager).add(name, config);
        controller.watch(
                new KindSource<>(cluster.cache().informer(ConfigMap.class), EventHandlers.forObject(), event -> true));
        cluster.cache().informer(Secret.class);
        manager.add(new Part(name + "-part", name));
        if (answers) {
            Awaitility.await(name + " is watched")
                    .pollInterval(Duration.ofMillis(10))
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> cluster.cache().kinds().stream().allMatch(kind -> kind.synced()));
        }
        left.add(new WeakReference<>(cluster));
        left.add(new WeakReference<>(cluster.cache()));
        left.add(new WeakReference<>(cluster.connection()));
        assertThat(Clusters.of(manager).remove(name)).isTrue();
    }

    private record Part(String name, String cluster) implements ManagedComponent {
        @Override
        public StartGroup group() {
            return StartGroup.ALL_REPLICAS;
        }

        @Override
        public void start() {}

        @Override
        public void stop(Duration grace) {}
    }
}
