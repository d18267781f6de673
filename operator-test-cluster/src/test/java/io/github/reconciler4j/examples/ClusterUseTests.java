package io.github.reconciler4j.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.github.reconciler4j.test.fullcluster.ActiveRule;
import io.github.reconciler4j.test.fullcluster.FullCluster;
import io.github.reconciler4j.test.fullcluster.PodRule;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ClusterUseTests {

    @Test
    void podWhenTheClusterStartsRuns() {
        Pod pod = pod("web", "example.com/web:1");
        try (FullCluster cluster = FullCluster.start()) {
            cluster.pods().withImage("example.com/broken:*").failToPull();
            cluster.client().resource(pod).create();
            await().until(() -> phase(cluster).equals("Running"));
        }
        assertThat(pod.getStatus()).isNull();
    }

    @Test
    void podWhenItFailsIsRestarted() {
        try (FullCluster cluster = FullCluster.start()) {
            cluster.client().resource(pod("web", "example.com/web:1")).create();
            await().until(() -> phase(cluster).equals("Running"));
            control(cluster, stored(cluster));
            await().until(() ->
                    stored(cluster).getStatus().getContainerStatuses().get(0).getRestartCount() == 1);
        }
    }

    @Test
    void podWhenARuleIsOpenIsUnready() {
        FullCluster cluster = FullCluster.builder()
                .nodes(3)
                .controllers("*", "-endpoints")
                .restartBackoff(Duration.ofMillis(100), Duration.ofSeconds(1))
                .start();

        try (cluster) {
            PodRule web = cluster.pods().inNamespace("default").withLabel("app", "web");
            ActiveRule unready = web.stayUnready();
            cluster.client().resource(pod("web", "example.com/web:1")).create();
            await().until(() -> phase(cluster).equals("Running"));
            assertThat(isReady(cluster)).isFalse();

            unready.close(); // the pod becomes ready
            await().until(() -> isReady(cluster));
        }
    }

    private static void control(FullCluster cluster, Pod pod) {
        cluster.pods().fail(pod, 3);
        cluster.pods().withImage("example.com/web:broken").failToPull();
        cluster.pods().withLabel("job-name", "backup").first(2).fail(1);
    }

    private static String phase(FullCluster cluster) {
        return stored(cluster).getStatus().getPhase();
    }

    private static boolean isReady(FullCluster cluster) {
        return stored(cluster).getStatus().getConditions().stream()
                .anyMatch(condition -> condition.getType().equals("Ready")
                        && condition.getStatus().equals("True"));
    }

    private static Pod stored(FullCluster cluster) {
        return cluster.client().pods().inNamespace("default").withName("web").get();
    }

    private static Pod pod(String name, String image) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("default")
                .addToLabels("app", name)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName(name)
                .withImage(image)
                .endContainer()
                .endSpec()
                .build();
    }
}
