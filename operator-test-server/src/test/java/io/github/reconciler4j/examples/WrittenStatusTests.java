package io.github.reconciler4j.examples;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.github.reconciler4j.test.cluster.TestCluster;
import io.github.reconciler4j.test.junit.KubernetesTest;
import org.junit.jupiter.api.Test;

/** The bare server has no controllers: a test writes what they would write. */
@KubernetesTest
class WrittenStatusTests {

    @Test
    void deploymentWhenTheTestWritesItsStatusHasIt(TestCluster cluster) {
        String namespace = cluster.createNamespace("shop");
        Deployment deployment =
                cluster.client().resource(shop()).inNamespace(namespace).create();

        cluster.client()
                .resource(deployment)
                .editStatus(found -> new DeploymentBuilder(found)
                        .withNewStatus()
                        .withObservedGeneration(found.getMetadata().getGeneration())
                        .withReplicas(1)
                        .withUpdatedReplicas(1)
                        .withReadyReplicas(1)
                        .withAvailableReplicas(1)
                        .endStatus()
                        .build());

        cluster.expect(Deployment.class, namespace, "shop").toHave("/status/availableReplicas", 1);
        cluster.expectAll(Pod.class, namespace).toCount(0);
    }

    private static Deployment shop() {
        return new DeploymentBuilder()
                .withNewMetadata()
                .withName("shop")
                .endMetadata()
                .withNewSpec()
                .withReplicas(1)
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
                .withImage("example.com/shop:1")
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }
}
