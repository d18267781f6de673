package io.github.reconciler4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.github.reconciler4j.test.cluster.TestCluster;
import io.github.reconciler4j.test.fullcluster.FullCluster;
import io.github.reconciler4j.test.junit.KubernetesTest;
import org.junit.jupiter.api.Test;

@KubernetesTest(cluster = TestCluster.FULL)
class ClusterRolloutTests {

    @Test
    void rolloutWhenTheImageIsMissingKeepsTheOldPods(TestCluster cluster, FullCluster full) {
        String namespace = cluster.createNamespace("shop");
        full.pods().withImage("example.com/shop:broken").failToPull();
        cluster.client()
                .resource(deployment("example.com/shop:1"))
                .inNamespace(namespace)
                .create();
        cluster.expect(Deployment.class, namespace, "shop").toHave("/status/availableReplicas", 2);

        cluster.edit(Deployment.class, namespace, "shop", shop -> setImage(shop, "example.com/shop:broken"));

        cluster.expectAll(Pod.class, namespace).toCount(3);
        cluster.expect(Deployment.class, namespace, "shop").toHave("/status/unavailableReplicas", 1);
        cluster.expect(Deployment.class, namespace, "shop").toHave("/status/availableReplicas", 2);
    }

    @Test
    void podWhenItFailsIsRestarted(TestCluster cluster, FullCluster full) {
        String namespace = cluster.createNamespace("shop");
        cluster.client()
                .resource(deployment("example.com/shop:1"))
                .inNamespace(namespace)
                .create();
        cluster.expect(Deployment.class, namespace, "shop").toHave("/status/availableReplicas", 2);
        Pod pod = cluster.expectAll(Pod.class, namespace).toCount(2).get(0);

        full.pods().fail(pod, 3);

        Pod restarted = cluster.expect(Pod.class, namespace, pod.getMetadata().getName())
                .toHave("/status/containerStatuses/0/restartCount", 1);
        assertThat(restarted.getMetadata().getUid()).isEqualTo(pod.getMetadata().getUid());
    }

    private static void setImage(Deployment deployment, String image) {
        deployment.getSpec().getTemplate().getSpec().getContainers().get(0).setImage(image);
    }

    private static Deployment deployment(String image) {
        return new DeploymentBuilder()
                .withNewMetadata()
                .withName("shop")
                .endMetadata()
                .withNewSpec()
                .withReplicas(2)
                .withNewSelector()
                .addToMatchLabels("app", "shop")
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .addToLabels("app", "shop")
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("shop")
                .withImage(image)
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }
}
