package io.github.reconciler4j.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.PodBuilder;
import io.github.reconciler4j.test.fullcluster.FullCluster;
import org.junit.jupiter.api.Test;

class PlainClusterTests {

    @Test
    void podWhenTheClusterHasTwoNodesGetsOne() {
        try (FullCluster cluster = FullCluster.builder().nodes(2).start()) {
            cluster.pods().withLabel("app", "report").log("42 orders\n");
            cluster.client()
                    .resource(new PodBuilder()
                            .withNewMetadata()
                            .withName("report")
                            .withNamespace("default")
                            .addToLabels("app", "report")
                            .endMetadata()
                            .withNewSpec()
                            .addNewContainer()
                            .withName("report")
                            .withImage("example.com/report:1")
                            .endContainer()
                            .endSpec()
                            .build())
                    .create();

            var pod = cluster.client().pods().inNamespace("default").withName("report");
            await().until(() -> pod.get().getStatus().getPhase().equals("Running"));
            assertThat(pod.get().getSpec().getNodeName()).isIn("node-1", "node-2");
            assertThat(pod.getLog()).isEqualTo("42 orders\n");
        }
    }
}
