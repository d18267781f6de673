package io.github.reconciler4j.test.fullcluster;

import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;

/** Deployments and Services for tests, all with the label {@code app}. */
final class TestDeployments {

    private TestDeployments() {}

    static Deployment deployment(String namespace, String name, int replicas) {
        return new DeploymentBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withReplicas(replicas)
                .withProgressDeadlineSeconds(2)
                .withNewSelector()
                .addToMatchLabels("app", name)
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .addToLabels("app", name)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("web")
                .withImage(TestPods.IMAGE)
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }

    static Service service(String namespace, String name) {
        return new ServiceBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .addToSelector("app", name)
                .addNewPort()
                .withPort(80)
                .endPort()
                .endSpec()
                .build();
    }

    static void setImage(Deployment deployment, String image) {
        deployment.getSpec().getTemplate().getSpec().getContainers().get(0).setImage(image);
    }
}
